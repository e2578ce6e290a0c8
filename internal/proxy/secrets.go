package proxy

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// secretKey is the name of the members whose values are not recorded.
const secretKey = "auth"

// redacted returns what replaces a secret value: a value of the same type, as the
// linter reads what is recorded.
func redacted(value []byte) string {
	switch c := value[0]; {
	case c == '{':
		return "{}"
	case c == '[':
		return "[]"
	case c == '-', c >= '0' && c <= '9':
		return "0"
	}
	return `"redacted"`
}

// withoutSecrets returns a text with the values of auth replaced. True, false and
// null stay, which are answers of the server. The result shares memory with the
// text if nothing was replaced.
func withoutSecrets(text []byte) []byte {
	if !json.Valid(text) || bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte{'"'}) {
		return withoutAuth(text)
	}
	var clean []byte
	done := 0 // up to where the text is in clean
	for at := bytes.IndexByte(text, '"'); at >= 0; {
		begin := secretValue(text, at)
		next := at + 1
		if begin >= 0 {
			end := valueEnd(text, begin)
			if !slices.Contains([]string{"", "true", "false", "null"}, string(text[begin:end])) {
				clean = append(append(clean, text[done:begin]...), redacted(text[begin:end])...)
				done = end
			}
			next = max(next, end)
		}
		if at = bytes.IndexByte(text[next:], '"'); at >= 0 {
			at += next
		}
	}
	if done == 0 {
		return text
	}
	return append(clean, text[done:]...)
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

// secretValue returns where the value of auth begins, or -1 if the quote at an
// offset does not begin that name.
func secretValue(text []byte, at int) int {
	rest := text[at+1:]
	for i := range len(secretKey) {
		size := characterSize(rest, secretKey[i])
		if size == 0 {
			return -1
		}
		rest = rest[size:]
	}
	for _, c := range []byte(`":`) {
		if rest = bytes.TrimLeft(rest, " \t\r\n"); len(rest) == 0 || rest[0] != c {
			return -1
		}
		rest = rest[1:]
	}
	return len(text) - len(bytes.TrimLeft(rest, " \t\r\n"))
}

// characterSize returns the size of a character at the start of a JSON string's
// text, where it may be escaped, or 0 if there is another one.
func characterSize(text []byte, want byte) int {
	switch {
	case len(text) > 0 && text[0] == want:
		return 1
	case len(text) >= 6 && text[0] == '\\' && text[1] == 'u':
		if code, err := strconv.ParseUint(string(text[2:6]), 16, 16); err == nil && code == uint64(want) {
			return 6
		}
	}
	return 0
}

// valueEnd returns the end of the JSON value that begins at an offset; that of
// the text if it is cut.
func valueEnd(text []byte, at int) int {
	depth := 0
	for at < len(text) {
		switch c := text[at]; c {
		case '"':
			at = stringEnd(text, at)
		case '{', '[':
			depth++
			at++
		case '}', ']':
			if depth--; depth < 0 {
				return at
			}
			at++
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return at
			}
			at++
			continue
		default:
			at++
			if depth == 0 && !endsWord(text, at) {
				continue
			}
		}
		if depth == 0 {
			return at
		}
	}
	return at
}

// endsWord reports whether a number or a word ends before an offset.
func endsWord(text []byte, at int) bool {
	return at == len(text) || bytes.IndexByte([]byte(",]} \t\r\n"), text[at]) >= 0
}

// stringEnd returns the end of the string that begins at an offset.
func stringEnd(text []byte, at int) int {
	for at++; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return len(text)
}
