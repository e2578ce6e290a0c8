package source

import (
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/source/value"
	"github.com/lmclint/lmclint/internal/wtf8"
)

// Edit is one change of an input. Text is written as the input has it: as JSON
// or as a Python literal, and escaped if the record is in a string.
type Edit struct {
	Span   Span   // of the bytes that change, or of the record that Change is about
	Text   string // replaces the bytes, or is the record to insert
	Change Change
}

// Change says what an [Edit] does.
type Change uint8

// The changes. Those of whole records also concern the text around them: the
// line, the comma of an array, the event. Package fix turns them into changes of
// bytes.
const (
	ReplaceBytes Change = iota // the bytes of the span become Text
	RemoveRecord               // the record at the span is removed
	InsertBefore               // a record is inserted before the one at the span
	InsertAfter                // a record is inserted after the one at the span
	EndAsJSON                  // the comma after the record at the span goes if JSON has none there
	CloseInput                 // the input ends before the span, and the arrays around it are closed
)

// Member is a member of a record to insert. Value is as in [Record.ReplaceValue].
type Member struct {
	Name  string
	Value any
}

// Raw is the text of a value as the record has it.
type Raw string

// The methods below return the edits that change a record. They return nil if
// the change is impossible without touching what must stay: the record is
// decoded from text that cannot be written back, such as base64 or the lines of
// a page, or comments are in the way.

// ReplaceValue replaces a value with a string, a bool, an int, nil for null, or
// a [Raw].
func (r *Record) ReplaceValue(n *value.Node, v any) []Edit {
	return r.editAt(n.Start, n.End, r.literal(v, r.quoteAt(n.Start)))
}

// RenameMember changes the name of a member.
func (r *Record) RenameMember(n *value.Node, name string) []Edit {
	if n.NameEnd == 0 {
		return nil
	}
	return r.editAt(n.NameStart, n.NameEnd, r.literal(name, r.quoteAt(n.NameStart)))
}

// RemoveMembers removes the members of an object for which remove returns true,
// with their commas and the whitespace after these.
func (r *Record) RemoveMembers(object *value.Node, remove func(*value.Node) bool) []Edit {
	members := r.membersOf(object)
	if members == nil {
		return nil
	}
	var edits []Edit
	edit := editor{Record: r}
	for i := 0; i < len(members); i++ {
		if !remove(members[i]) {
			continue
		}
		last := i
		for last+1 < len(members) && remove(members[last+1]) {
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
func (r *Record) RemoveMember(object, n *value.Node) []Edit {
	return r.RemoveMembers(object, func(m *value.Node) bool { return m == n })
}

// AppendMember adds a member after the last one of an object, in the style of
// the others.
func (r *Record) AppendMember(object *value.Node, name string, v any) []Edit {
	members := r.membersOf(object)
	if len(members) == 0 {
		return nil
	}
	style := r.styleOf(object)
	at := members[len(members)-1].End
	return r.editAt(at, at, style.comma+r.literal(name, style.quote)+style.colon+r.literal(v, style.quote))
}

// RemoveText removes a part of a string: from and to are byte offsets in its
// decoded text, at code points.
func (r *Record) RemoveText(n *value.Node, from, to int) []Edit {
	return r.RemoveTexts(n, func(yield func(from, to int) bool) { yield(from, to) })
}

// RemoveTexts removes several parts of a string, in ascending order, and walks
// its text once.
func (r *Record) RemoveTexts(n *value.Node, parts iter.Seq2[int, int]) (edits []Edit) {
	if n.Kind != value.String || n.IsJoined() {
		return nil
	}
	raw, edit := value.RawRanges{Node: n}, editor{Record: r}
	for from, to := range parts {
		start, end := raw.Next(from, to)
		edits = append(edits, edit.at(n.Start+start, n.Start+end, "")...)
	}
	return edits
}

// Remove removes the record.
func (r *Record) Remove() []Edit { return r.whole(RemoveRecord, "") }

// CloseInput removes a truncated record, with which the input ends, and closes the
// arrays and objects that contain it. A gap is where only these are not closed.
func (r *Record) CloseInput() []Edit {
	if r.origin != nil || r.Binary {
		return nil
	}
	edits := r.editAt(0, len(r.Data), "")
	for i := range edits {
		edits[i].Change = CloseInput
	}
	return edits
}

// InsertBefore inserts a record before this one, in its style.
func (r *Record) InsertBefore(members ...Member) []Edit {
	return r.whole(InsertBefore, r.object(members))
}

// InsertAfter inserts a record after this one, in its style.
func (r *Record) InsertAfter(members ...Member) []Edit {
	return r.whole(InsertAfter, r.object(members))
}

// InsertAfter inserts a record after the one that a refers to, which must be a
// whole record.
func (a *PlaceRef) InsertAfter(members ...Member) []Edit {
	if a.place != nil {
		r := Record{Python: a.python}
		return []Edit{{Span: a.place.Span, Text: r.object(members), Change: InsertAfter}}
	}
	return a.record().InsertAfter(members...)
}

// Remove removes the record that a refers to, which must be a whole record.
func (a *PlaceRef) Remove() []Edit {
	if a.place != nil {
		return []Edit{{Span: a.place.Span, Change: RemoveRecord}}
	}
	return a.record().Remove()
}

// Join joins the text of a record to that of another before it: what is from the
// end of the string n to the start of the string m goes, and what is after m
// belongs to both. Both records must be verbatim in the input.
func (r *Record) Join(n *value.Node, next *Record, m *value.Node) []Edit {
	if r.origin != nil || next.origin != nil || r.Python != next.Python || n.Kind != value.String || m.Kind != value.String || n.IsJoined() || m.IsJoined() {
		return nil
	}
	if r.Python && (r.Data[n.Start] != '\'' && r.Data[n.Start] != '"' || r.Data[n.Start] != next.Data[m.Start] || r.Data[n.End-1] != r.Data[n.Start]) {
		return nil
	}
	return []Edit{{Span: Span{Start: r.PositionOf(n.End - 1), End: next.PositionOf(m.Start + 1)}}}
}

// whole returns the edit of a change of the whole record.
func (r *Record) whole(change Change, text string) []Edit {
	if r.IsGap || r.Binary {
		return nil
	}
	edits := r.editAt(0, len(r.Data), text)
	for i := range edits {
		edits[i].Change = change
	}
	return edits
}

// ReplaceText replaces the bytes of Data between two offsets. Text is a part of
// a JSON text or of a Python literal, as the record is one.
func (r *Record) ReplaceText(from, to int, text string) []Edit { return r.editAt(from, to, text) }

// editAt returns the edit that replaces the bytes of Data between two offsets.
func (r *Record) editAt(from, to int, text string) []Edit {
	return (&editor{Record: r}).at(from, to, text)
}

// editor makes edits of a record. Those in ascending order walk its text once.
type editor struct {
	*Record
	offset int // of the end of the last edit in Data
	pos    value.Position
}

func (e *editor) at(from, to int, text string) []Edit {
	if e.origin != nil {
		span, text, ok := e.origin.edit(e.base+from, e.base+to, text)
		if !ok {
			return nil
		}
		return []Edit{{Span: span, Text: text}}
	}
	if e.offset == 0 || from < e.offset {
		e.offset, e.pos = 0, e.Start
	}
	start := e.advance(e.pos, e.offset, from)
	e.offset, e.pos = to, e.advance(start, from, to)
	return []Edit{{Span: Span{Start: start, End: e.pos}, Text: text}}
}

// membersOf returns the members of an object in source order. It returns nil if
// anything but a comma and whitespace is between two of them.
func (r *Record) membersOf(object *value.Node) []*value.Node {
	if object == nil || object.Kind != value.Object {
		return nil
	}
	members := make([]*value.Node, len(object.Children))
	for i := range object.Children {
		members[i] = &object.Children[i]
	}
	slices.SortFunc(members, func(a, b *value.Node) int { return a.Start - b.Start })
	for i := range members[:max(0, len(members)-1)] {
		between := r.Data[members[i].End:members[i+1].StartWithName()]
		if strings.Trim(string(between), " \t\r\n") != "," {
			return nil
		}
	}
	return members
}

// style is how an object is written.
type style struct {
	open, comma, colon, close string // the text between its tokens, with them
	quote                     byte
}

// styleOf returns the style of an object. What it does not show is as Python's
// json.dumps writes it.
func (r *Record) styleOf(object *value.Node) style {
	s := style{open: "{", comma: ", ", colon: ": ", close: "}", quote: '"'}
	if r.Python {
		s.quote = '\''
	}
	members := r.membersOf(object)
	if len(members) == 0 {
		return s
	}
	first, last := members[0], members[len(members)-1]
	s.quote = r.quoteAt(first.NameStart)
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
func (r *Record) object(members []Member) string {
	s := r.styleOf(r.Root)
	var b strings.Builder
	b.WriteString(s.open)
	for i, m := range members {
		if i > 0 {
			b.WriteString(s.comma)
		}
		b.WriteString(r.literal(m.Name, s.quote) + s.colon + r.literal(m.Value, s.quote))
	}
	b.WriteString(s.close)
	return b.String()
}

// quoteAt returns the quote at an offset of Data: that of JSON, unless a Python
// string in single quotes starts there.
func (r *Record) quoteAt(offset int) byte {
	if r.Python && offset < len(r.Data) && r.Data[offset] == '\'' {
		return '\''
	}
	return '"'
}

// literal returns the text of a value as JSON, or as a Python literal if the
// record is one.
func (r *Record) literal(v any, quote byte) string {
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
	panic("source: a value of this type has no literal")
}

// appendEscaped appends text as it is between the quotes of a JSON string, or of
// a Python string in the other quotes. Lone surrogates are escaped; other
// invalid UTF-8 stays as it is.
func appendEscaped(b, text []byte, quote byte) []byte {
	for len(text) > 0 {
		c, size := wtf8.DecodeRune(text)
		switch {
		case c == rune(quote) || c == '\\':
			b = append(b, '\\', byte(c))
		case c < ' ' || utf16.IsSurrogate(c):
			b = value.AppendEscape(b, c)
		default:
			b = append(b, text[:size]...)
		}
		text = text[size:]
	}
	return b
}

// AppendASCII appends a text as a JSON string in ASCII, as Python's json.dumps
// writes it. A lone surrogate becomes an escape.
func AppendASCII(b, text []byte) []byte {
	b = append(b, '"')
	for len(text) > 0 {
		r, size := wtf8.DecodeRune(text)
		if ' ' <= r && r <= '~' && r != '"' && r != '\\' {
			b = append(b, text[0])
		} else {
			b = value.AppendEscape(b, r)
		}
		text = text[size:]
	}
	return append(b, '"')
}

// quoted returns a text as a string in these quotes.
func quoted(text []byte, quote byte) string {
	return string(append(appendEscaped([]byte{quote}, text, quote), quote))
}

// encoder writes text as the text that a [TextMap] was decoded from has it. It
// returns false for text that this cannot have.
type encoder func(text string) (string, bool)

// asJSONString is the encoder of a JSON string without its quotes.
func asJSONString(text string) (string, bool) {
	return string(appendEscaped(nil, []byte(text), '"')), utf8.ValidString(text)
}

// asDataLine is the encoder of the data of an event: it must not begin a line.
func asDataLine(text string) (string, bool) {
	return text, !strings.ContainsAny(text, "\r\n")
}

// edit maps a change of the text between two offsets to the input. It returns
// false if an offset is inside a unit, such as an escape, or the text cannot be
// written back.
func (o *TextMap) edit(from, to int, text string) (Span, string, bool) {
	for {
		if o.encode == nil {
			return Span{}, "", false
		}
		start, before, starts := o.exact(from)
		end, after, ends := o.exact(to)
		encoded, ok := o.encode(text)
		if !starts || !ends || !ok {
			return Span{}, "", false
		}
		text = encoded
		if o.outer == nil {
			return Span{
				Start: before.pos.Advance(o.raw[before.raw:start]),
				End:   after.pos.Advance(o.raw[after.raw:end]),
			}, text, true
		}
		o, from, to = o.outer, o.from+start, o.from+end
	}
}

// exact returns the offset in raw of an offset of the text, and the last mark
// before it. Ok is false if the offset is inside a unit.
func (o *TextMap) exact(offset int) (raw int, before mark, ok bool) {
	before = o.markBefore(offset)
	at, raw := before.text, before.raw
	for at < offset && raw < len(o.raw) {
		written, decoded := o.units(o.raw[raw:])
		if at+decoded > offset {
			return raw + offset - at, before, written == decoded
		}
		at, raw = at+decoded, raw+written
	}
	return raw, before, at == offset
}
