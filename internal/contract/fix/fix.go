// Package fix has the changes of an input that fix findings: a [Fix] consists of edits,
// which the functions of the package make of a record. Package apply applies them, and
// package offer has those that several rules make.
package fix

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// Fix is a change of the input that fixes a finding.
type Fix struct {
	Message string // what it does: one line, as in `rename "stop" to "end"`
	Safe    bool   // each consumer gets the same, or what was plainly meant

	// Edits are the changes, in the decompressed input; they do not overlap.
	// They are all to be made, or none.
	Edits []Edit

	// Partial says that the fix changes later records of the input, too, or has more
	// than MaxListed edits. Edits has all of these only lint.WithFixes.
	Partial bool

	// Alone says that it probably guesses wrong where the fix of another finding has to be
	// applied with it.
	Alone bool
}

// MaxListed is how many edits of a fix a report lists.
const MaxListed = 100

// Extend adds the fix of a finding that repeats the one of f, so that f fixes both.
func (f *Fix) Extend(repeated *Fix) {
	if f == nil || repeated == nil {
		return
	}
	f.Partial, f.Safe = true, f.Safe && repeated.Safe
	f.Edits = append(f.Edits, repeated.Edits...)
}

// ByteEdits returns the edits if they are all that the fix changes, and are
// changes of bytes. Else it returns nil: package apply computes the others.
func (f *Fix) ByteEdits() []Edit {
	if f == nil || f.Partial {
		return nil
	}
	for i := range f.Edits {
		if f.Edits[i].Change != ReplaceBytes {
			return nil
		}
	}
	return f.Edits
}

// Safe returns a safe fix, or nil if edits is empty.
func Safe(message string, edits []Edit) *Fix { return newFix(message, true, edits) }

// Unsafe returns an unsafe fix, or nil if edits is empty.
func Unsafe(message string, edits []Edit) *Fix { return newFix(message, false, edits) }

func newFix(message string, safe bool, edits []Edit) *Fix {
	if len(edits) == 0 {
		return nil
	}
	return &Fix{Message: message, Safe: safe, Edits: edits}
}

// Edit is one change of an input. Text is written as the input has it: as JSON
// or as a Python literal, and escaped if the record is in a string.
type Edit struct {
	Span   value.Span // of the bytes that change, or of the record that Change is about
	Text   string     // replaces the bytes, or is the record to insert
	Change Change
}

// Change says what an [Edit] does.
type Change uint8

// The changes. Those of whole records also concern the text around them: the
// line, the comma of an array, the event. Package apply turns them into changes of
// bytes.
const (
	ReplaceBytes Change = iota // the bytes of the span become Text
	RemoveRecord               // the record at the span is removed
	AddBefore                  // a record is inserted before the one at the span
	AddAfter                   // a record is inserted after the one at the span
	EndAsJSON                  // the comma after the record at the span goes if JSON has none there
	CloseText                  // the input ends before the span, and the arrays around it are closed
)

// Member is a member of a record to insert. Value is as in [ReplaceValue].
type Member struct {
	Name  string
	Value any
}

// Raw is the text of a value as the record has it.
type Raw string

// The functions below return the edits that change a record. They return nil if
// the change is impossible without touching what must stay: the record is
// decoded from text that cannot be written back, such as base64 or the lines of
// a page.

// ReplaceValue replaces a value with a string, a bool, an int, nil for null, or
// a [Raw].
func ReplaceValue(r *source.Record, n *value.Node, v any) []Edit {
	return ReplaceText(r, n.Start, n.End, literal(r, v, quoteAt(r, n.Start)))
}

// RenameMember changes the name of a member.
func RenameMember(r *source.Record, n *value.Node, name string) []Edit {
	if n.NameEnd == 0 {
		return nil
	}
	return ReplaceText(r, n.NameStart, n.NameEnd, literal(r, name, quoteAt(r, n.NameStart)))
}

// RemoveMembers removes the members of an object for which remove returns true,
// with their commas and the whitespace after these.
func RemoveMembers(r *source.Record, object *value.Node, remove func(*value.Node) bool) []Edit {
	members := membersOf(object)
	var edits []Edit
	edit := editor{Record: r}
	for i := 0; i < len(members); i++ {
		if !remove(&members[i]) {
			continue
		}
		last := i
		for last+1 < len(members) && remove(&members[last+1]) {
			last++
		}
		from, to := members[i].StartWithName(), members[last].End
		switch {
		case last+1 < len(members):
			to = members[last+1].StartWithName()
		case i > 0:
			from = members[i-1].End
		}
		removed := edit.at(from, to, "")
		if removed == nil {
			return nil
		}
		edits = append(edits, removed...)
		i = last
	}
	return edits
}

// RemoveMember removes one member of an object.
func RemoveMember(r *source.Record, object, n *value.Node) []Edit {
	return RemoveMembers(r, object, func(m *value.Node) bool { return m.Start == n.Start })
}

// AppendMember adds a member after the last one of an object, in the style of
// the others.
func AppendMember(r *source.Record, object *value.Node, name string, v any) []Edit {
	members := membersOf(object)
	if len(members) == 0 {
		return nil
	}
	style := styleOf(r, object)
	at := members[len(members)-1].End
	return ReplaceText(r, at, at, style.comma+literal(r, name, style.quote)+style.colon+literal(r, v, style.quote))
}

// RemoveText removes a part of a string: from and to are byte offsets in its
// decoded text, at code points.
func RemoveText(r *source.Record, n *value.Node, from, to int) []Edit {
	return RemoveTexts(r, n, [][]int{{from, to}})
}

// RemoveTexts removes several parts of a string, from and to, in ascending order. Many
// are one edit, which takes less memory than an edit for each, unless writing what is
// between them again would change how it is escaped.
func RemoveTexts(r *source.Record, n *value.Node, parts [][]int) (edits []Edit) {
	if len(parts) == 0 || n.Kind != value.String || n.IsJoined() {
		return nil
	}
	raw, edit := r.TextOf(n), editor{Record: r}
	if len(parts) > MaxListed && !r.IsDecoded() {
		from, to := raw.RawRange(parts[0][0], parts[len(parts)-1][1])
		var kept []byte
		at := from
		for _, part := range parts {
			start, end := raw.RawRange(part[0], part[1])
			kept = append(kept, n.RawContent()[at:start]...)
			at = end
		}
		return edit.at(n.Start+1+from, n.Start+1+to, string(kept))
	}
	for _, part := range parts {
		start, end := raw.RawRange(part[0], part[1])
		edits = append(edits, edit.at(n.Start+1+start, n.Start+1+end, "")...)
	}
	return edits
}

// Remove removes the record.
func Remove(r *source.Record) []Edit { return whole(r, RemoveRecord, "") }

// CloseInput removes a truncated record, with which the input ends, and closes the
// arrays and objects that contain it. A gap is where only these are not closed.
func CloseInput(r *source.Record) []Edit {
	if r.IsDecoded() || r.Binary {
		return nil
	}
	edits := ReplaceText(r, 0, len(r.Data), "")
	for i := range edits {
		edits[i].Change = CloseText
	}
	return edits
}

// InsertBefore inserts a record before this one, in its style.
func InsertBefore(r *source.Record, members ...Member) []Edit {
	return whole(r, AddBefore, object(r, members))
}

// InsertAfter inserts a record after this one, in its style.
func InsertAfter(r *source.Record, members ...Member) []Edit {
	return whole(r, AddAfter, object(r, members))
}

// InsertAfterRef inserts a record after the one that a refers to, which must be a
// whole record.
func InsertAfterRef(a *source.PlaceRef, members ...Member) []Edit {
	if r := a.Record(); r != nil {
		return InsertAfter(r, members...)
	}
	r := source.Record{Python: a.IsPython()}
	return []Edit{{Span: a.Place().Span, Text: object(&r, members), Change: AddAfter}}
}

// RemoveRef removes the record that a refers to, which must be a whole record.
func RemoveRef(a *source.PlaceRef) []Edit {
	if r := a.Unparsed(); r != nil {
		return Remove(r)
	}
	return []Edit{{Span: a.Place().Span, Change: RemoveRecord}}
}

// Join joins the text of a record to that of another before it: what is from the
// end of the string n to the start of the string m goes, and what is after m
// belongs to both. Both records must be verbatim in the input.
func Join(r *source.Record, n *value.Node, next *source.Record, m *value.Node) []Edit {
	if r.IsDecoded() || next.IsDecoded() || r.Python != next.Python || n.Kind != value.String || m.Kind != value.String || n.IsJoined() || m.IsJoined() {
		return nil
	}
	if r.Python && (r.Data[n.Start] != '\'' && r.Data[n.Start] != '"' || r.Data[n.Start] != next.Data[m.Start] || r.Data[n.End-1] != r.Data[n.Start]) {
		return nil
	}
	return []Edit{{Span: value.Span{Start: r.PositionOf(n.End - 1), End: next.PositionOf(m.Start + 1)}}}
}

// whole returns the edit of a change of the whole record.
func whole(r *source.Record, change Change, text string) []Edit {
	if r.IsGap || r.Binary {
		return nil
	}
	edits := ReplaceText(r, 0, len(r.Data), text)
	for i := range edits {
		edits[i].Change = change
	}
	return edits
}

// ReplaceText replaces the bytes of Data between two offsets. Text is a part of
// a JSON text or of a Python literal, as the record is one.
func ReplaceText(r *source.Record, from, to int, text string) []Edit {
	return (&editor{Record: r}).at(from, to, text)
}

// editor makes edits of a record. Those in ascending order walk its text once.
type editor struct {
	*source.Record
	offset int // of the end of the last edit in Data
	pos    value.Position
}

func (e *editor) at(from, to int, text string) []Edit {
	if e.IsDecoded() {
		span, written, ok := e.Rewrite(from, to, text)
		if !ok {
			return nil
		}
		return []Edit{{Span: span, Text: written}}
	}
	if e.offset == 0 || from < e.offset {
		e.offset, e.pos = 0, e.Start
	}
	start := e.pos.Advance(e.Data[e.offset:from])
	e.offset, e.pos = to, start.Advance(e.Data[from:to])
	return []Edit{{Span: value.Span{Start: start, End: e.pos}, Text: text}}
}

// membersOf returns the members of an object.
func membersOf(object *value.Node) []value.Node {
	if object == nil || object.Kind != value.Object {
		return nil
	}
	return object.Children
}

// style is how an object is written.
type style struct {
	open, comma, colon, close string // the text between its tokens, with them
	quote                     byte
}

// styleOf returns the style of an object. What it does not show is as Python's
// json.dumps writes it.
func styleOf(r *source.Record, object *value.Node) style {
	s := style{open: "{", comma: ", ", colon: ": ", close: "}", quote: '"'}
	if r.Python {
		s.quote = '\''
	}
	members := membersOf(object)
	if len(members) == 0 {
		return s
	}
	first, last := members[0], members[len(members)-1]
	s.quote = quoteAt(r, first.NameStart)
	set := func(part *string, from, to int, token string) {
		if text := string(r.Data[from:to]); strings.Trim(text, " \t\r\n") == token {
			*part = text
		}
	}
	set(&s.open, object.Start, first.NameStart, "{")
	set(&s.colon, first.NameEnd, first.Start, ":")
	set(&s.close, last.End, object.End, "}")
	if len(members) > 1 {
		set(&s.comma, first.End, members[1].NameStart, ",")
	}
	return s
}

// object returns the text of a record with members, in the style of the record.
func object(r *source.Record, members []Member) string {
	s := styleOf(r, r.Root)
	var b strings.Builder
	b.WriteString(s.open)
	for i, m := range members {
		if i > 0 {
			b.WriteString(s.comma)
		}
		b.WriteString(literal(r, m.Name, s.quote) + s.colon + literal(r, m.Value, s.quote))
	}
	b.WriteString(s.close)
	return b.String()
}

// quoteAt returns the quote at an offset of Data: that of JSON, unless a Python
// string in single quotes starts there.
func quoteAt(r *source.Record, offset int) byte {
	if r.Python && offset < len(r.Data) && r.Data[offset] == '\'' {
		return '\''
	}
	return '"'
}

// literal returns the text of a value as JSON, or as a Python literal if the
// record is one.
func literal(r *source.Record, v any, quote byte) string {
	words := [...]string{"null", "false", "true"}
	if r.Python {
		words = [...]string{"None", "False", "True"}
	}
	switch v := v.(type) {
	case nil:
		return words[0]
	case bool:
		if v {
			return words[2]
		}
		return words[1]
	case int:
		return strconv.Itoa(v)
	case Raw:
		return string(v)
	case string:
		return quoted([]byte(v), quote)
	}
	panic("fix: a value of this type has no literal")
}

// quoted returns a text as a string in these quotes.
func quoted(text []byte, quote byte) string {
	return string(append(value.AppendEscaped([]byte{quote}, text, quote), quote))
}

// ToJSON returns the edits that write a Python literal as JSON: quotes, words
// and commas. Whitespace stays, but a wrapped literal is written on one
// line. It returns false if that is not possible.
func ToJSON(r *source.Record) (edits []Edit, ok bool) {
	if r.Root == nil {
		return nil, false
	}
	w := jsonWriter{editor: editor{Record: r}}
	w.value(r.Root)
	if w.failed {
		return nil, false
	}
	return append(w.edits, whole(r, EndAsJSON, "")...), true
}

// jsonWriter collects the edits of a record.
type jsonWriter struct {
	editor
	edits  []Edit
	failed bool
}

// replace replaces the bytes between two offsets, unless they are that text.
func (w *jsonWriter) replace(from, to int, text string) {
	if string(w.Data[from:to]) == text {
		return
	}
	edits := w.at(from, to, text)
	w.edits, w.failed = append(w.edits, edits...), w.failed || edits == nil
}

func (w *jsonWriter) value(n *value.Node) {
	switch n.Kind {
	case value.Null:
		w.replace(n.Start, n.End, "null")
	case value.Bool:
		w.replace(n.Start, n.End, strings.ToLower(string(n.Raw())))
	case value.String:
		w.replace(n.Start, n.End, quoted(n.AppendExact(nil), '"'))
	case value.Array, value.Object:
		w.list(n)
	}
}

// list writes an array or an object.
func (w *jsonWriter) list(n *value.Node) {
	at := n.Start + 1
	for i := range n.Children {
		child := &n.Children[i]
		w.between(at, child.StartWithName())
		if child.NameEnd > 0 {
			w.replace(child.NameStart, child.NameEnd, quoted([]byte(child.Name), '"'))
			w.between(child.NameEnd, child.Start)
		}
		w.value(child)
		at = child.End
	}
	if i := bytes.IndexByte(w.Data[at:n.End-1], ','); i >= 0 {
		w.between(at, at+i)
		at += i + 1
		w.replace(at-1, at, "")
	}
	w.between(at, n.End-1)
}

// between writes the text between two tokens of a wrapped literal: whitespace with line
// ends becomes a space, except next to a bracket.
func (w *jsonWriter) between(from, to int) {
	for i := from; w.Wrapped && i < to; i++ {
		end := i + len(w.Data[i:to]) - len(bytes.TrimLeft(w.Data[i:to], " \t\r\n"))
		if bytes.IndexByte(w.Data[i:end], '\n') >= 0 {
			joined := ""
			if isDelimiter(w.Data[i-1]) && !isDelimiter(w.Data[end]) {
				joined = " "
			}
			w.replace(i, end, joined)
		}
		i = end
	}
}

// isDelimiter reports whether a byte separates values, so that no space is needed
// beside it.
func isDelimiter(c byte) bool { return strings.IndexByte(",}]:;", c) >= 0 }
