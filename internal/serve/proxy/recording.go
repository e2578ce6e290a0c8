package proxy

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"

	"github.com/lmclint/lmclint/internal/source/value"
)

// RecordError reports that a connection or an event stream could not be
// recorded, or not to its end.
type RecordError struct {
	Err error // of the file
}

func (e *RecordError) Error() string { return "record: " + e.Err.Error() }

// Unwrap returns the error of the file.
func (e *RecordError) Unwrap() error { return e.Err }

// recording is the file of a connection or an event stream. It begins with the first frame,
// and has each as soon as it is written, so that nothing is lost with the process. A nil
// recording discards what is written.
type recording struct {
	path string
	head []byte   // what comes before the first frame
	file *os.File // nil before the first frame, and after a failure
	size int64    // of the file
	done bool     // nothing is written any more
}

// record returns the recording of what has a name and a number, with the name of what is
// recorded: that of its file, which is named for the time and the number. It returns nil
// if nothing is recorded.
func (p *Proxy) record(name string, number int, extension string) (r *recording, path string) {
	if p.options.Folder == "" {
		return nil, name
	}
	path = filepath.Join(p.options.Folder, fmt.Sprintf("%s-%04d%s", time.Now().UTC().Format("20060102T150405.000Z"), number, extension))
	return &recording{path: path}, path
}

// write adds to the recording; what is written before the first frame waits for it. After
// an error, which is returned once, the recording has what was written before.
func (r *recording) write(part []byte, hasFrame bool) (err error) {
	switch {
	case r == nil || r.done:
		return nil
	case r.file == nil && !hasFrame:
		r.head = append(r.head, part...)
		return nil
	case r.file == nil:
		part, r.head = append(r.head, part...), nil
		r.file, err = os.OpenFile(r.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	}
	if err == nil {
		_, err = r.file.Write(part)
	}
	if err == nil {
		r.size += int64(len(part))
		return nil
	}
	r.done = true
	if r.file != nil {
		err = errors.Join(err, r.file.Truncate(r.size), r.file.Close())
	}
	return &RecordError{err}
}

// close ends the recording. Without a frame there is none.
func (r *recording) close() error {
	if r == nil || r.done {
		return nil
	}
	r.done = true
	if r.file == nil {
		return nil
	}
	if err := r.file.Close(); err != nil {
		return &RecordError{err}
	}
	return nil
}

// directions are the words for directions in a session log: those of a client.
var directions = [...]string{toServer: "send", toClient: "recv"}

// appendLine appends the line of a frame in the session log. The frame of a line is
// the text itself if it is one line of JSON, otherwise a string with the text;
// of a binary frame it is a hash, or with Options.WholeBinary the bytes.
func (c *connection) appendLine(b []byte, d direction, kind websocket.MessageType, text []byte) []byte {
	b = appendHead(b, time.Now(), directions[d])
	switch isBinary := kind == websocket.MessageBinary; {
	case isBinary && c.proxy.options.WholeBinary:
		return fmt.Appendf(b, "\"binary\": true, \"bytes\": %d, \"bytes_base64\": \"%s\"}\n", len(text), base64.StdEncoding.EncodeToString(text))
	case isBinary:
		return fmt.Appendf(b, "\"binary\": true, \"bytes\": %d, \"frame\": \"sha256:%x\"}\n", len(text), sha256.Sum256(text))
	}
	text = withoutSecrets(text)
	isControl := func(r rune) bool { return r < ' ' }
	if bytes.HasPrefix(text, []byte("{")) && utf8.Valid(text) && !bytes.ContainsFunc(text, isControl) && json.Valid(text) { // an object on one line
		b = append(append(b, `"frame": `...), text...)
	} else {
		b = appendString(append(b, `"text": `...), text)
	}
	return append(b, "}\n"...)
}

func appendHead(b []byte, at time.Time, direction string) []byte {
	return fmt.Appendf(b, `{"time": "%s", "dir": "%s", `, at.UTC().Format("2006-01-02T15:04:05.000000Z"), direction)
}

// appendNote appends a line that is not a frame.
func appendNote(b []byte, at time.Time, text string, interrupted bool) []byte {
	b = append(appendHead(b, at, "note"), `"text": `...)
	b = appendString(b, []byte(text))
	if interrupted {
		b = append(b, `, "interrupted": true`...)
	}
	return append(b, "}\n"...)
}

// appendString appends a JSON string. It copies invalid UTF-8 unchanged, so that the
// linter reports it at its place.
func appendString(b, text []byte) []byte {
	b = append(b, '"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, `\n`...)
		case c < ' ':
			b = fmt.Appendf(b, `\u%04x`, c)
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}

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
