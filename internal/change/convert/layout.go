package convert

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/base/wtf8"
	"github.com/lmclint/lmclint/internal/model/assemble"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// maxHeld is how many bytes of the records of a document are held until it is
// known whether another document follows.
const maxHeld = 16 << 20

// errSeveral reports an input with several conversations for a layout that has
// one.
var errSeveral = errors.New("the input contains several conversations: --to jsonl writes each on a line, --to python each as a list")

// errSeveralLate is errSeveral for JSON Lines: the records of the first
// conversation were written one by one.
var errSeveralLate = errors.New("another conversation follows the first one, which is already written: put each on a separate line and convert again")

// layout is how a recorded form contains its records.
type layout struct {
	open, separator, closing string // around and between the records of a conversation
	after                    string // each record
	several                  bool   // may contain several conversations
}

// layouts are those of the forms that records can be written in.
var layouts = map[source.Form]layout{
	source.FormJSONL:  {after: "\n"},
	source.FormJSON:   {open: "[\n", separator: ",\n", closing: "\n]\n"},
	source.FormPython: {open: "[\n", separator: ",\n", closing: "\n]\n", several: true},
	source.FormSSE:    {after: "\n\n"},
}

// conversationLines is the layout of JSON Lines with a conversation on each line.
var conversationLines = layout{open: "[", separator: ", ", closing: "]\n", several: true}

// writer writes records in a layout. Nothing is written after an error of the
// output, which [writer.err] and [writer.finish] return.
type writer struct {
	out    *bufio.Writer
	layout layout
	form   source.Form
	text   []byte

	conversations int  // begun so far
	records       int  // of the conversation
	written       int  // in all
	undecided     bool // records are held: another document may follow
	held          [][]byte
	heldBytes     int
}

// begin begins a conversation, after end for each but the first. Several says that the
// input has others, and mayFollow that another document may follow.
func (w *writer) begin(several, mayFollow bool) error {
	w.conversations++
	switch isJSONL := w.form == source.FormJSONL; {
	case w.conversations > 1 && w.undecided:
		w.decide(conversationLines)
	case w.conversations > 1 && !w.layout.several && isJSONL:
		return errSeveralLate
	case w.conversations > 1 && !w.layout.several:
		return errSeveral
	case w.conversations > 1 || !isJSONL:
	case several:
		w.layout = conversationLines
	default:
		w.undecided = mayFollow
	}
	w.records = 0
	return nil
}

// decide writes what was held, in a layout.
func (w *writer) decide(l layout) {
	w.undecided, w.layout = false, l
	held := w.held
	w.held, w.records = nil, 0
	for _, text := range held {
		w.put(text)
	}
	if w.conversations > 1 {
		w.close()
	}
}

// add writes a record. It fails if the form cannot express the record, which is
// then not written.
func (w *writer) add(r *source.Record) error {
	text, err := w.recordText(w.text[:0], r)
	w.text = text
	if err != nil {
		return err
	}
	w.written++
	w.addText(text)
	return nil
}

// addText writes a text, or holds it until the layout is decided.
func (w *writer) addText(text []byte) {
	if !w.undecided {
		w.put(text)
		return
	}
	w.held = append(w.held, bytes.Clone(text))
	if w.heldBytes += len(text); w.heldBytes > maxHeld {
		w.decide(w.layout)
	}
}

// interrupt writes the note that the connection was interrupted: without it, what is open at the end would be missing
// its end.
func (w *writer) interrupt() {
	text := `{"dir": "note", "interrupted": true}`
	if w.form == source.FormSSE {
		text = "data: " + text
	}
	w.addText([]byte(text))
}

// put writes the text of a record.
func (w *writer) put(text []byte) {
	head := w.layout.separator
	if w.records == 0 {
		head = w.layout.open
	}
	w.records++
	_, _ = w.out.WriteString(head)
	_, _ = w.out.Write(text)
	_, _ = w.out.WriteString(w.layout.after)
}

// err returns the error of the output so far, or nil.
func (w *writer) err() error {
	_, err := w.out.Write(nil) // a bufio.Writer keeps its first error
	return err
}

// end ends a conversation.
func (w *writer) end() {
	if !w.undecided {
		w.close()
	}
}

// isList reports whether the records of a conversation are written as a list.
func (w *writer) isList() bool { return w.layout.open != "" }

func (w *writer) close() {
	if w.records > 0 {
		_, _ = w.out.WriteString(w.layout.closing)
	}
}

// finish ends the output. List says that the input is a list of records, which
// may be empty.
func (w *writer) finish(list bool) error {
	if w.undecided {
		w.decide(w.layout)
		w.end()
	}
	if w.written == 0 && w.form != source.FormSSE && (list || w.isList()) {
		_, _ = w.out.WriteString("[]\n")
	}
	return w.out.Flush()
}

// errList reports a first record that is a list, or an object with one.
var errList = errors.New("at the start of this form, a list would be read as a conversation")

// recordText appends the text of a record, with the name of its event. It fails if
// the record would be read otherwise.
func (w *writer) recordText(b []byte, r *source.Record) ([]byte, error) {
	if n := r.Root; n != nil && w.written == 0 && (w.form == source.FormJSONL || w.form == source.FormPython) &&
		(n.Kind == source.Array || source.ListOf(n) != nil) {
		return b, errList
	}
	if w.form == source.FormSSE {
		if r.Event != "" && !strings.ContainsAny(r.Event, "\r\n") {
			b = append(append(append(b, "event: "...), r.Event...), '\n')
		}
		b = append(b, "data: "...)
	}
	return appendFrame(b, r, w.form == source.FormPython)
}

// directionWords are the words for directions in a session log: those of a client.
var directionWords = map[source.Direction]string{source.Sent: "send", source.Received: "recv"}

// appendFrame appends a record, in an object with its time and direction if it is
// a frame of a connection.
func appendFrame(b []byte, r *source.Record, python bool) ([]byte, error) {
	if r.Direction == source.Undirected && !r.Binary {
		return appendRecord(b, r, python)
	}
	str := assemble.AppendASCII
	if python {
		str = appendPython
	}
	b = append(b, '{')
	if r.Time != nil {
		b = append(str(b, []byte("time")), ": "...)
		var err error
		if b, err = appendToken(b, r.Time, r.Python, python); err != nil {
			return b, err
		}
		b = append(b, ", "...)
	}
	if word := directionWords[r.Direction]; word != "" {
		b = append(append(append(str(b, []byte("dir")), ": "...), str(nil, []byte(word))...), ", "...)
	}
	if r.Binary {
		decode := value.DecodeEscape
		if r.Python {
			decode = value.DecodePython
		}
		b = append(str(b, []byte("bytes_base64")), ": "...)
		return append(str(b, value.AppendText(nil, r.Data, true, decode)), '}'), nil
	}
	b = append(str(b, []byte("frame")), ": "...)
	b, err := appendRecord(b, r, python)
	return append(b, '}'), err
}

// appendToken appends a number or a string, given verbatim. A string in single quotes is
// a Python literal, even if its record is JSON.
func appendToken(b, raw []byte, from, to bool) ([]byte, error) {
	from = from || raw[0] == '\''
	scan := value.Scanner{MaxDepth: 1, Python: from}
	v := scan.Scan(raw, true)
	if v.Stop != nil {
		return b, errors.New(v.Stop.Detail)
	}
	w := newTextWriter(raw, from, to)
	b = w.Append(b, v.Root)
	return b, w.err
}

// errSurrogatePair reports a Python string that JSON cannot express: its two
// halves are two characters in Python and one in JSON.
var errSurrogatePair = errors.New("a string has both halves of a surrogate pair as two characters, which JSON reads as one")

// appendRecord appends the text of a record on one line, as JSON or as a Python
// literal. A record that is on one line in that language is appended unchanged.
func appendRecord(b []byte, r *source.Record, python bool) ([]byte, error) {
	if r.Python == python && !bytes.ContainsAny(r.Data, "\r\n") {
		return append(b, r.Data...), nil
	}
	w := newTextWriter(r.Data, r.Python, python)
	b = w.Append(b, r.Root)
	return b, w.err
}

// textWriter writes values on one line. Strings on a line that stay in their language
// are written as they are.
type textWriter struct {
	value.Writer
	err error
}

// newTextWriter returns the writer of values in data, from a language and to one:
// Python rather than JSON.
func newTextWriter(data []byte, from, to bool) *textWriter {
	w := &textWriter{Writer: value.Writer{Python: to}}
	write := func(b, raw []byte, joined bool, decode func([]byte) []byte) []byte {
		if from == to && !joined && bytes.IndexByte(raw, '\n') < 0 {
			return append(b, raw...)
		}
		text := decode(nil)
		if to {
			return appendPython(b, text)
		}
		if from && len(wtf8.JoinSurrogates(text)) < len(text) {
			w.err = errSurrogatePair // and what is written does not count
		}
		return assemble.AppendASCII(b, text)
	}
	w.String = func(b []byte, n *source.Node) []byte { return write(b, n.Raw(), n.IsJoined(), n.AppendExact) }
	w.Name = func(b []byte, n *source.Node) []byte {
		raw := data[n.NameStart:n.NameEnd]
		return write(b, raw, false, func(b []byte) []byte { return appendName(b, raw, from) })
	}
	return w
}

// appendName appends the decoded name of a member, given with its quotes. Unlike
// [value.Node.Name] it is exact: a lone surrogate stays.
func appendName(b, raw []byte, python bool) []byte {
	decode := value.DecodeEscape
	if python {
		decode = value.DecodePython
	}
	return value.AppendText(b, raw[1:len(raw)-1], true, decode)
}

// appendPython appends a string as Python's repr writes it: in single quotes
// unless only those occur in the text, printable characters as they are.
func appendPython(b, text []byte) []byte {
	quote := byte('\'')
	if bytes.IndexByte(text, '\'') >= 0 && bytes.IndexByte(text, '"') < 0 {
		quote = '"'
	}
	b = append(b, quote)
	for len(text) > 0 {
		r, size := wtf8.DecodeRune(text)
		switch {
		case r == rune(quote) || r == '\\':
			b = append(b, '\\', byte(r))
		case unicode.IsPrint(r) && (r != utf8.RuneError || size > 1):
			b = append(b, text[:size]...)
		default:
			b = appendPythonEscape(b, r)
		}
		text = text[size:]
	}
	return append(b, quote)
}

// appendPythonEscape appends a character that is not printable as repr does.
func appendPythonEscape(b []byte, r rune) []byte {
	if i := strings.IndexRune("\t\n\r", r); i >= 0 {
		return append(b, '\\', "tnr"[i])
	}
	switch {
	case r > 0xffff:
		return fmt.Appendf(b, `\U%08x`, r)
	case r > 0xff:
		return fmt.Appendf(b, `\u%04x`, r)
	}
	return fmt.Appendf(b, `\x%02x`, r)
}
