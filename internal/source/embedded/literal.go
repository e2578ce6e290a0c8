package embedded

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"sync"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// A program may log a record as a string literal: Python's repr does so with the
// text of a frame or the bytes of an event, Go's loggers and Rust's Debug quote
// text with spaces, and Node uses the quotes that the text does not contain.
//
//	b'data: {"role": "assistant", "type": "message", "content": "It\'s"}'
//	message `{"role": "assistant", "type": "message", "content": "It's \\"here\\""}`
//	level=INFO msg="{\"role\": \"assistant\", \"type\": \"message\", \"start\": true}"
//	level=DEBUG msg="chunk {\"role\": \"assistant\", \"type\": \"message\", \"end\": true}"

// literalRecord matches a string literal that begins with an object or a list of
// objects, perhaps as the data of an event, or after a few words if its quotes are
// escaped. The quote after the brace is of another kind or escaped; a record in
// quotes that escape nothing is not a literal.
var literalRecord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:\b([bB])|\b[uU])?(?:'(?:data: ?)?\[?\{\s*(?:"|\\'|\})|"(?:data: ?)?\[?\{\s*(?:'|\})|"[^"\\{}\[\]]{0,64}(?:\\")?(?:data: ?)?\[?\{\s*\\+"|\x60(?:data: ?)?\[?\{\s*")`)
})

// literalOpenings are parts of literals. Each match of literalRecord contains one of
// them; most lines do not, so that the expression is not run on them.
var literalOpenings = [][]byte{[]byte(`'{`), []byte(`"{`), []byte(`'[{`), []byte(`"[{`), []byte(`'data:`), []byte(`"data:`), []byte(`\"`), []byte("`")}

// literal is the place of a literal on a line.
type literal struct {
	start   int  // of its prefix
	quote   int  // the opening quote
	isBytes bool // it denotes bytes
	isCut   bool // the line ends before the closing quote
	isPlain bool // only its quotes are escaped, not its backslashes
}

// literalOn returns the first literal that begins with an object or a list of
// objects, unless an object precedes it.
func literalOn(line []byte) (l literal, ok bool) {
	if !slices.ContainsFunc(literalOpenings, func(opening []byte) bool { return bytes.Contains(line, opening) }) {
		return literal{}, false
	}
	found := literalRecord().FindSubmatchIndex(line)
	if found == nil {
		return literal{}, false
	}
	l = literal{start: found[0], quote: found[0], isBytes: found[2] >= 0}
	if value.IsLetter(line[l.quote]) {
		l.quote++
	}
	size, isObject := prefixSize(line)
	// {"key": …} is an object. In {"{\"role\": …}", …} the brace directly before the
	// quote opens a tuple of Elixir.
	return l, !isObject || size+1 >= l.quote
}

// isLogged reports whether a literal is on a line as a log writes it, unlike a
// program: the prefix is one of a log, or the line is the literal of bytes.
func (l literal) isLogged(line []byte) bool {
	return l.start == 0 && l.isBytes || endsLogPrefix(line[:l.start])
}

// literalPrefix is [logPrefix] for a line with a record in a literal. The size is
// that of the text with the opening quote.
func literalPrefix(text []byte) (size int, ok bool) {
	l, ok := literalOn(text[:min(len(text), maxLogPrefix+openingWindow)])
	if !ok || l.start == 0 && text[0] == '"' { // a JSON string, not a line of a log
		return 0, false
	}
	end := literalEnd(text[l.quote:])
	switch prefix := text[:l.start]; {
	case isLogPrefix(prefix):
		return l.quote + 1, true
	case text[l.quote] == '`': // as documents quote code
		return 0, false
	case len(prefix) == 0:
		return l.quote + 1, true
	default:
		return l.quote + 1, end > 0 && len(text)-l.quote-end <= maxLogTail && endsLikePrefix(prefix)
	}
}

// literalEnd returns the offset after the literal that text begins with, or 0 if
// its end is not in the text.
func literalEnd(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i + 1
		}
	}
	return 0
}

// beginLiteral starts to read the record in a literal on the line, and reports
// whether there is one. A code block of a document may contain a program.
func (a *embeddedReader) beginLiteral() bool {
	in := &a.cur.In
	head := in.Load(maxLogPrefix + openingWindow)
	l, ok := literalOn(head)
	if !ok || a.fence.isOpen && !l.isLogged(head) {
		return false
	}
	end, _, ok := in.LineFrom(0, int(a.cur.Options.MaxRecordBytes))
	if !ok {
		return false
	}
	line := in.Unread()[:end]
	l.isCut = literalEnd(line[l.quote:]) == 0 && bytes.Contains(line[l.quote:min(len(line), l.quote+openingWindow)], []byte(`\"`))
	text, v := a.decode(l, line[l.quote:])
	if v.End == 0 || !a.beginsValue(text) {
		switch plain, end := a.decodePlain(line[l.quote:]); {
		case end > 0:
			l.isPlain, text, v = true, plain, value.Result{End: end}
		case v.End == 0 || a.beginsValue(line[l.quote+1:]):
			return false // not a literal, or the text between the quotes is not escaped
		}
	}
	a.prefix.setNext(line[:l.start])
	in.Skip(l.quote)
	a.prefix.connection = cmp.Or(a.prefix.connection, connectionAfter(line[l.quote+v.End:]))
	a.beginText(a.literalText(l, text, v), a.prefix.next, l.isCut && in.IsBlankAfter(v.End))
	in.Skip(v.End)
	a.line.searched = true
	return true
}

// decode returns the text of a literal and the result of scanning the literal, from
// its opening quote. The end is 0 if the literal cannot be read; only a literal
// without units has a tree.
func (a *embeddedReader) decode(l literal, quoted []byte) (text []byte, v value.Result) {
	if l.units(quoted[0]) == nil {
		if v = a.scanLiteral(quoted); v.Root == nil {
			return nil, value.Result{}
		}
		return v.Root.AppendText(nil), v
	}
	if v.End = literalEnd(quoted); l.isCut {
		v.End = len(quoted)
	}
	if v.End == 0 {
		return nil, v
	}
	inside := l.inside(quoted[:v.End])
	if l.isBytes {
		return decodeBytes(inside), v
	}
	return value.AppendText(nil, inside, false, value.DecodePython), v
}

// decodePlain returns the text of a literal in which only quotes are escaped, as
// Serilog and some writers of logfmt do, and its end; 0 if the text does not begin with a record.
func (a *embeddedReader) decodePlain(quoted []byte) (text []byte, end int) {
	if quoted[0] != '"' {
		return nil, 0
	}
	inside := quoted[1:]
	text = bytes.ReplaceAll(inside, []byte(`\"`), []byte(`"`))
	start := max(0, bytes.IndexAny(text, "[{"))
	scan := value.Scanner{MaxDepth: a.cur.Options.MaxDepth}
	v := scan.Check(text[start:])
	text = text[:min(len(text), start+v.End)]
	for decoded := 0; decoded < len(text); {
		written, size := plainUnits(inside[end:])
		rest := min(size, len(text)-decoded)
		end += written - (size - rest)
		decoded += rest
	}
	escaped, quotes := bytes.Count(inside[:end], []byte(`\"`)), bytes.Count(inside[:end], []byte{'"'})
	if v.Stop != nil || escaped < quotes || end == len(inside) || inside[end] != '"' {
		return nil, 0
	}
	return text, end + len(`""`)
}

// scanLiteral scans the literal that text begins with, as a string of JSON if it is
// one: that joins the halves of surrogate pairs.
func (a *embeddedReader) scanLiteral(text []byte) value.Result {
	if text[0] == '"' {
		if v := a.cur.Scan.Scan(text, true); v.Stop == nil && len(v.Faults) == 0 {
			return v
		}
	}
	a.cur.Scan.Python = true
	v := a.cur.Scan.Scan(text, true)
	a.cur.Scan.Python = false
	return v
}

// beginsValue reports whether text begins with a valid object or list, perhaps the
// data of an event.
func (a *embeddedReader) beginsValue(text []byte) bool {
	text = text[max(0, bytes.IndexAny(text, "[{")):]
	scan := value.Scanner{MaxDepth: a.cur.Options.MaxDepth, Python: opensPython(bytes.TrimPrefix(text, []byte("[")))}
	v := scan.Check(text)
	return v.Stop == nil && len(v.Faults) == 0
}

// beginText starts to read text of a log on its own. Outer is the kind of the
// prefix before the text, or "". IsLast says that the input ends with the text.
func (a *embeddedReader) beginText(text *source.TextMap, outer string, isLast bool) {
	a.joined = a.cur.Nest(text, source.FormLog, func(inner *source.Cursor) source.RecordReader {
		inner.In.IsNested = !isLast
		a.joinedReader = newEmbedded(inner, source.FormLog)
		a.joinedReader.prefix, a.joinedReader.neighbor, a.joinedReader.conversations = a.prefix, a.neighbor, a.conversations
		a.joinedReader.prefix.outer, a.joinedReader.prefix.outerConnection = outer, a.prefix.connection
		return a.joinedReader
	})
}

// literalText returns the map of the text of a literal at the start of the unread
// text. V is the result of decode.
func (a *embeddedReader) literalText(l literal, text []byte, v value.Result) *source.TextMap {
	quoted := a.cur.In.Unread()[:v.End]
	if units := l.units(quoted[0]); units != nil {
		return a.unreadText(text, 1, 1+len(l.inside(quoted)), units)
	}
	rec := a.unnumbered(v.End, v)
	rec.Python = quoted[0] == '\'' // text that replaces some of it is not encoded for such quotes
	return rec.TextOf(v.Root)
}

// inside returns a literal without its quotes.
func (l literal) inside(quoted []byte) []byte {
	if l.isCut {
		return quoted[1:]
	}
	return quoted[1 : len(quoted)-1]
}

// units returns the units of a literal that denotes bytes, is in backticks, is cut
// or escapes only quotes. It returns nil for any other, which is scanned as a Python literal.
func (l literal) units(quote byte) value.Units {
	switch {
	case l.isPlain:
		return plainUnits
	case l.isBytes:
		return byteUnits
	case quote == '`', l.isCut:
		return textUnits
	}
	return nil
}

// byteUnits are the units of bytes: an escape is one byte.
func byteUnits(raw []byte) (written, decoded int) {
	if raw[0] == '\\' {
		_, written = value.DecodePython(raw)
		return written, 1
	}
	return unescaped(raw)
}

// textUnits are the units of text: an escape is a character.
func textUnits(raw []byte) (written, decoded int) {
	if raw[0] == '\\' {
		code, written := value.DecodePython(raw)
		return written, len(string(code))
	}
	return unescaped(raw)
}

// plainUnits are the units of text in which only quotes are escaped.
func plainUnits(raw []byte) (written, decoded int) {
	text := raw[:min(len(raw), maxUnit)]
	switch i := bytes.Index(text, []byte(`\"`)); {
	case i == 0:
		return len(`\"`), len(`"`)
	case i > 0:
		return i, i
	case len(text) > 1 && len(text) < len(raw):
		return len(text) - 1, len(text) - 1 // a backslash at the end may escape what follows
	}
	return len(text), len(text)
}

// maxUnit is the maximum size in bytes of a unit without an escape, so that the
// search for its end is short.
const maxUnit = 1 << 10

// unescaped returns twice how many bytes come before the next escape.
func unescaped(raw []byte) (written, decoded int) {
	raw = raw[:min(len(raw), maxUnit)]
	if i := bytes.IndexByte(raw, '\\'); i >= 0 {
		return i, i
	}
	return len(raw), len(raw)
}

// decodeBytes decodes what is between the quotes of a literal that denotes bytes.
func decodeBytes(inside []byte) []byte {
	text := make([]byte, 0, len(inside))
	for at := 0; at < len(inside); {
		written, decoded := byteUnits(inside[at:])
		if written == decoded {
			text = append(text, inside[at:at+written]...)
		} else {
			code, _ := value.DecodePython(inside[at:])
			text = append(text, byte(code))
		}
		at += written
	}
	return text
}

// isEmptyLiteral reports whether a line is the literal of zero bytes, as Python
// prints the empty line between two events.
func isEmptyLiteral(line []byte) bool {
	text := string(bytes.TrimSpace(line))
	return text == `b''` || text == `b""`
}
