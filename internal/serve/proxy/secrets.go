package proxy

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/lmclint/lmclint/internal/source/value"
)

// secretKey matches the names of the members whose values are not recorded.
var secretKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^auth(?:[_-]?token|ori[sz]ation)?$`) })

// withoutSecrets returns a text with the values of auth replaced. True, false and
// null stay, which are answers of the server. The result shares memory with the
// text if nothing was replaced.
func withoutSecrets(text []byte) []byte {
	begin := len(text) - len(bytes.TrimLeft(text, " \t\r\n"))
	if !json.Valid(text) || text[begin] == '"' {
		return withoutAuth(text)
	}
	scan := value.Scanner{MaxDepth: value.MaxDepth}
	found := scan.Scan(text[begin:], true)
	if found.Stop != nil { // it is nested too deep, or not UTF-8
		return withoutAuth(text)
	}
	var clean []byte
	done := 0 // up to where the text is in clean
	for _, n := range secretsIn(found.Root, nil) {
		clean = append(append(clean, text[done:begin+n.Start]...), redacted(n.Kind)...)
		done = begin + n.End
	}
	if done == 0 {
		return text
	}
	return append(clean, text[done:]...)
}

// secretsIn appends the values to replace in a value.
func secretsIn(n *value.Node, found []*value.Node) []*value.Node {
	for i := range n.Children {
		child := &n.Children[i]
		if secretKey().MatchString(child.Name) && child.Kind != value.Bool && child.Kind != value.Null {
			found = append(found, child)
		} else {
			found = secretsIn(child, found)
		}
	}
	return found
}

// redacted returns what replaces a secret value: a value of the same type, as the
// linter reads what is recorded.
func redacted(kind value.Kind) string {
	switch kind {
	case value.Object:
		return "{}"
	case value.Array:
		return "[]"
	case value.Number:
		return "0"
	}
	return `"redacted"`
}

// authValue matches what looks like the name of a secret, and its value, in a text
// that is not JSON: in a Python literal, a truncated object, JSON in a string, a
// header.
var authValue = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)((?:a|\\u0061)uth\w*(?:\\*["'])?\s*[:=]\s*)` + // the name
		`((?:[bru]{0,2}\\*"(?:[^"\\]|\\[^"])*(?:\\*"|$))|(?:[bru]{0,2}'(?:[^'\\]|\\(?s:.))*(?:'|$))|(?:true|false|null|none)\b|[^\s"'},\]][^\n]*)`)
})

// withoutAuth is withoutSecrets for a text that is not JSON. It replaces a value
// without quotes up to the end of its line.
func withoutAuth(text []byte) []byte {
	return authValue().ReplaceAllFunc(text, func(match []byte) []byte {
		parts := authValue().FindSubmatch(match)
		if slices.Contains([]string{"true", "false", "null", "none"}, strings.ToLower(string(parts[2]))) {
			return match
		}
		quote := `"`
		if i := bytes.IndexAny(parts[2], `"'\`); i >= 0 && i <= 2 {
			quote = string(parts[2][i : i+bytes.IndexAny(parts[2][i:], `"'`)+1])
		}
		return append(bytes.Clone(parts[1]), quote+"redacted"+quote...)
	})
}
