package fix

import (
	"strconv"
	"strings"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

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
