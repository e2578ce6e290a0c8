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
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"
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
