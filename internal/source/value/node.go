package value

import (
	"bytes"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/base/wtf8"
)

// Kind is the kind of a value. Python values have the kinds of their JSON
// counterparts: a dict is an object, a list or tuple an array.
type Kind uint8

// The kinds of JSON values.
const (
	Null Kind = iota + 1
	Bool
	Number
	String
	Array
	Object
)

// String returns the name of the kind as JSON Schema writes it.
func (k Kind) String() string {
	names := [...]string{"", "null", "boolean", "number", "string", "array", "object"}
	if int(k) >= len(names) {
		return ""
	}
	return names[k]
}

// Node is one JSON value of a record. Offsets count bytes from the start of
// the record's Data.
type Node struct {
	Kind       Kind
	Start, End int    // the value; End is the offset after it
	Name       string // the decoded member name, "" outside objects
	NameStart  int    // the member name with its quotes, 0 outside objects
	NameEnd    int
	Children   []Node // members or elements, in source order; duplicate names are kept

	raw     []byte // the source text of the value
	escaped bool   // a string with at least one escape, or adjacent ones
	plain   bool   // IsPlain is known to be true
	python  bool   // a Python literal
	joined  bool   // adjacent Python strings, which form one value
}

// Member returns the first member with a name, or nil. The node may be nil or
// not an object.
func (n *Node) Member(name string) *Node {
	if n == nil || n.Kind != Object {
		return nil
	}
	for i := range n.Children {
		if n.Children[i].Name == name {
			return &n.Children[i]
		}
	}
	return nil
}

// Raw returns the source text of the value. It is valid as long as the record's
// Data.
func (n *Node) Raw() []byte { return n.raw }

// RawContent returns the source text between the quotes of a string, and nil
// for other values. It equals the string's text if it has no escape.
func (n *Node) RawContent() []byte {
	if n == nil || n.Kind != String {
		return nil
	}
	return n.raw[1 : len(n.raw)-1]
}

// IsJoined reports whether the value is adjacent Python strings, which form one
// value.
func (n *Node) IsJoined() bool { return n.joined }

// CloneTo copies the tree to another node. The copy refers to data, which must
// equal the data of the record.
func (n *Node) CloneTo(to *Node, data []byte) {
	*to = *n
	to.raw = data[n.Start:n.End:n.End]
	to.Children = slices.Clone(n.Children)
	for i := range to.Children {
		n.Children[i].CloneTo(&to.Children[i], data)
	}
}

// QuoteSize returns the size of the quote at either end of a JSON string in
// bytes: 1, and 0 for other values.
func (n *Node) QuoteSize() int {
	if n.Kind == String {
		return 1
	}
	return 0
}

// AppendPointer appends the RFC 6901 pointer from root to the innermost value
// whose name or value contains the byte at offset.
func AppendPointer(pointer []byte, root *Node, offset int) []byte {
	for root != nil {
		i := root.childAt(offset)
		if i < 0 {
			break
		}
		child := &root.Children[i]
		pointer = append(pointer, '/')
		if root.Kind == Object {
			pointer = append(pointer, pointerEscapes.Replace(child.Name)...)
		} else {
			pointer = strconv.AppendInt(pointer, int64(i), 10)
		}
		root = child
	}
	return pointer
}

// childAt returns the index of the member or element that contains the byte at
// offset, or -1.
func (n *Node) childAt(offset int) int {
	i := sort.Search(len(n.Children), func(i int) bool { return n.Children[i].End > offset })
	if i < len(n.Children) && n.Children[i].StartWithName() <= offset {
		return i
	}
	return -1
}

// pointerEscapes escapes a member name for a JSON pointer.
var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// StartWithName returns the offset at which the member starts, or the value if
// it has no name.
func (n *Node) StartWithName() int {
	if n.NameEnd > 0 {
		return n.NameStart
	}
	return n.Start
}

// Move adds by to all offsets of the node and its descendants.
func (n *Node) Move(by int) {
	n.MoveShallow(by)
	for i := range n.Children {
		n.Children[i].Move(by)
	}
}

// MoveShallow adds by to the offsets of the node, but not to those of its
// descendants.
func (n *Node) MoveShallow(by int) {
	n.Start += by
	n.End += by
	if n.NameEnd > 0 {
		n.NameStart += by
		n.NameEnd += by
	}
}

// SetRaw replaces the source text of the value. The caller sets Start and End.
func (n *Node) SetRaw(raw []byte) { n.raw = raw }

// SetPlain is SetRaw for a string for which IsPlain is true. The text includes
// the quotes; escaped says that it has an escape.
func (n *Node) SetPlain(raw []byte, escaped bool) { n.raw, n.escaped, n.plain = raw, escaped, true }

// HasLiteral reports whether the value is or contains true, false or null.
func (n *Node) HasLiteral() bool {
	return n.Kind == Bool || n.Kind == Null || slices.ContainsFunc(n.Children, func(child Node) bool { return child.HasLiteral() })
}

// Text returns the decoded text of a string, and "" for other values. A lone
// surrogate is decoded as U+FFFD.
func (n *Node) Text() string { return string(n.Bytes()) }

// Bytes is Text without a copy if the string has no escapes. The caller must not change
// the result.
func (n *Node) Bytes() []byte {
	switch {
	case n == nil || n.Kind != String:
		return nil
	case n.escaped:
		return n.AppendText(make([]byte, 0, len(n.raw)))
	}
	return n.raw[1 : len(n.raw)-1]
}

// AppendText appends the decoded text of a string to buf, as Text returns it.
func (n *Node) AppendText(buf []byte) []byte { return n.appendDecoded(buf, false) }

// AppendExact is AppendText with exact decoding: a lone surrogate keeps its
// value as the three bytes of its generalized UTF-8 encoding, so that joining
// the halves from two strings gives a pair.
func (n *Node) AppendExact(buf []byte) []byte { return n.appendDecoded(buf, true) }

func (n *Node) appendDecoded(buf []byte, exact bool) []byte {
	if n == nil || n.Kind != String {
		return buf
	}
	if n.joined {
		return appendJoined(buf, n.raw, exact)
	}
	inside := n.raw[1 : len(n.raw)-1]
	if !n.escaped {
		return append(buf, inside...)
	}
	return AppendText(buf, inside, exact, decoder(n.python))
}

// decoder returns what decodes the escapes of a language.
func decoder(python bool) func(text []byte) (r rune, size int) {
	if python {
		return DecodePython
	}
	return DecodeEscape
}

// decode decodes the escapes of a string without its quotes.
func (s *Scanner) decode(raw []byte, exact bool) string {
	return string(AppendText(make([]byte, 0, len(raw)), raw, exact, decoder(s.Python)))
}

// AppendText appends the decoded text of a string, given without its quotes.
// With exact, a lone surrogate keeps its value as three bytes that are not
// valid UTF-8; else it becomes U+FFFD. Decode decodes the escape that text
// starts with and returns its size in bytes.
func AppendText(buf, raw []byte, exact bool, decode func(text []byte) (r rune, size int)) []byte {
	for len(raw) > 0 {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return append(buf, raw...)
		}
		buf = append(buf, raw[:i]...)
		r, size := decode(raw[i:])
		if exact && utf16.IsSurrogate(r) { // in generalized UTF-8
			buf = append(buf, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
		} else {
			buf = utf8.AppendRune(buf, r)
		}
		raw = raw[i+size:]
	}
	return buf
}

// The characters with a short escape in JSON, and the letters of their escapes.
const (
	shortEscaped = "\"\\\b\f\n\r\t"
	shortLetters = `"\bfnrt`
)

// DecodeEscape decodes the valid JSON escape that text starts with. Size is in
// bytes.
func DecodeEscape(text []byte) (r rune, size int) {
	if text[1] == 'u' {
		r, size, _ = decodeUnit(text)
		return r, size
	}
	if i := strings.IndexByte(shortLetters, text[1]); i >= 0 {
		return rune(shortEscaped[i]), 2
	}
	return rune(text[1]), 2 // a slash
}

// unitSizes returns the sizes of the first code point or escape in the source
// and in the decoded text, in bytes.
func (n *Node) unitSizes(inside []byte) (raw, decoded int) {
	if inside[0] != '\\' {
		_, size := utf8.DecodeRune(inside)
		return size, size
	}
	r, size := decoder(n.python)(inside)
	if utf16.IsSurrogate(r) {
		r = utf8.RuneError
	}
	return size, utf8.RuneLen(r)
}

// AppendEscape appends the JSON escape of a character: the short form if it has
// one, else one \u escape, or two for a character beyond U+FFFF. A lone
// surrogate gets one.
func AppendEscape(b []byte, r rune) []byte {
	if i := strings.IndexRune(shortEscaped, r); i >= 0 {
		return append(b, '\\', shortLetters[i])
	}
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return appendUnit(appendUnit(b, high), low)
	}
	return appendUnit(b, r)
}

// AppendEscaped appends text escaped for a JSON string, or for a Python string if quote
// is a single quote, without the quotes. It escapes lone surrogates and what controls a terminal or the direction of
// the text around it, and copies other invalid UTF-8 unchanged.
func AppendEscaped(b, text []byte, quote byte) []byte {
	for len(text) > 0 {
		c, size := wtf8.DecodeRune(text)
		switch {
		case c == rune(quote) || c == '\\':
			b = append(b, '\\', byte(c))
		case c < ' ' || utf16.IsSurrogate(c) || isControl(c):
			b = AppendEscape(b, c)
		default:
			b = append(b, text[:size]...)
		}
		text = text[size:]
	}
	return b
}

// isControl reports whether a character beyond ASCII is a control or format character, other than the joiners of
// scripts and emoji.
func isControl(c rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	return c > '~' && c <= 0xffff && c != nonJoiner && c != joiner && unicode.In(c, unicode.Cc, unicode.Cf)
}

func appendUnit(b []byte, unit rune) []byte {
	const hex = "0123456789abcdef"
	return append(b, '\\', 'u', hex[unit>>12&15], hex[unit>>8&15], hex[unit>>4&15], hex[unit&15])
}

// Units splits encoded text into units that cannot be divided, such as an
// escape, or a run of bytes that are not encoded. It returns the sizes of the
// first unit of raw in bytes, encoded and decoded. Only a run has equal sizes.
// Raw must not be empty.
type Units func(raw []byte) (written, decoded int)

// LongestRun is how many bytes a run has at most. It bounds the cost of looking at one
// unit.
const LongestRun = 1 << 10

// StringUnits is the [Units] of a JSON string without its quotes.
func StringUnits(raw []byte) (written, decoded int) {
	if raw[0] != '\\' {
		size := RuneStart(raw, LongestRun)
		if i := bytes.IndexByte(raw[:size], '\\'); i >= 0 {
			size = i
		}
		return size, size
	}
	return (&Node{}).unitSizes(raw)
}

// Units returns the [Units] of the string's source text without its quotes.
func (n *Node) Units() Units {
	if n.joined {
		size := len(n.AppendText(nil))
		return func(raw []byte) (written, decoded int) { return len(raw), size }
	}
	if n.python {
		return (&Node{python: true}).unitSizes
	}
	return StringUnits
}

// maxShown is how many code points of a text messages show.
const maxShown = 40

// Quoted returns a text for use in a message: in double quotes, with
// unprintable characters escaped, truncated after 40 code points.
func Quoted(text string) string {
	return strconv.Quote(Truncate(text))
}

// Truncate cuts a text after 40 code points and then appends an ellipsis.
func Truncate(text string) string {
	count := 0
	for i := range text {
		if count == maxShown {
			return text[:i] + "…"
		}
		count++
	}
	return text
}

// Writer writes values on one line, as JSON or as Python literals. Numbers are written
// as they are.
type Writer struct {
	Python  bool
	Compact bool // without spaces after commas and colons

	// String appends a string, Name the name of a member.
	String, Name func(b []byte, n *Node) []byte

	// Members returns the members of an object to write; nil writes all of them.
	Members func(all []Node) []Node
}

// Append appends a value.
func (w *Writer) Append(b []byte, n *Node) []byte {
	switch n.Kind {
	case Object:
		members := n.Children
		if w.Members != nil {
			members = w.Members(members)
		}
		return append(w.list(append(b, '{'), members, true), '}')
	case Array:
		return append(w.list(append(b, '['), n.Children, false), ']')
	case String:
		return w.String(b, n)
	case Number:
		return append(b, n.raw...)
	}
	json, python := "null", "None"
	switch {
	case n.Value() == true:
		json, python = "true", "True"
	case n.Kind == Bool:
		json, python = "false", "False"
	}
	if w.Python {
		return append(b, python...)
	}
	return append(b, json...)
}

// list appends members or elements.
func (w *Writer) list(b []byte, nodes []Node, areMembers bool) []byte {
	comma, colon := ", ", ": "
	if w.Compact {
		comma, colon = ",", ":"
	}
	for i := range nodes {
		if i > 0 {
			b = append(b, comma...)
		}
		if areMembers {
			b = append(w.Name(b, &nodes[i]), colon...)
		}
		b = w.Append(b, &nodes[i])
	}
	return b
}
