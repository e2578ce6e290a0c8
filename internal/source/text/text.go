// Package text reads records among other text: the lines of a log, a page, the
// output of a notebook's cells. It reads a text line by line, in four steps:
//
//   - find: the first object or list of objects on the line, if only whitespace
//     or a prefix precedes it
//   - read: the JSON or Python value there, over as many lines as it takes
//   - decide: whether it is a record, or a list or an envelope of records
//   - go on: whether the record continues the one before, or begins a fragment,
//     of which nothing is missing before or after it
//
// The reader skips everything else and counts its lines. It remembers no more
// than the last prefix.
package text

import (
	"bytes"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// reader reads the records of a text.
type reader struct {
	cur   *source.Cursor
	after []byte // what is read of a line begins after this text; nil reads all

	// The line that the current value begins on.
	isHeld    bool   // it has a record, or a damaged one
	inPlace   bool   // the value is at the start of the line or after a prefix
	isPrinted bool   // a name and = precede the value, as Python's f"{chunk=}" prints it
	isBare    bool   // only whitespace precedes the value
	prefix    string // the text before the value, without its numbers
	before    []byte // that text
	onLine    bool   // the cursor is at a value
	wasRead   bool   // the cursor is after a value
	readsMore bool   // another value may follow on the line

	// The last single record.
	last       string // its prefix
	hasLast    bool
	lastIsOld  bool // it is of an old version of the protocol
	blankSince bool // only blank lines follow the last value that was a record or a list

	values  []*value.Node  // the rest of the records of the current value, in the order of the source
	listed  int            // how many of its records were returned
	whole   *source.Record // that contains them
	part    source.Part
	pending *source.Record // returned before the values

	*counts
}

// counts is what was read of an input, which may have several texts.
type counts struct {
	lists     int // conversations that lists began
	fragments int // runs of single records of which each continues the one before
	lines     lineCount
}

// NewReader returns a reader of an input in any form. It reads nothing before the
// first call of Next.
func NewReader(src io.Reader, options source.Options) *source.Reader {
	options.Embedded = newEmbedded
	return source.NewReader(src, options)
}

// newEmbedded returns a reader of the records in a text or in the traffic of a browser.
func newEmbedded(cur *source.Cursor) source.RecordReader {
	if cur.Form == source.FormHAR {
		return &har{elements: elements{cur: cur}, frames: source.NewFrames(cur)}
	}
	cur.Form = source.FormText
	cur.PythonReported = cur.Options.IsDocument()
	if cur.Options.IsNotebook() {
		return &notebook{elements: elements{cur: cur}}
	}
	return newReader(cur, &counts{})
}

func newReader(cur *source.Cursor, c *counts) *reader {
	r := &reader{cur: cur, counts: c}
	if cur.Options.After != "" {
		r.after = []byte(cur.Options.After)
	}
	return r
}

// Next implements [source.RecordReader].
func (r *reader) Next() (*source.Record, error) {
	for {
		if rec := r.nextOfValue(); rec != nil {
			return rec, nil
		}
		if r.wasRead {
			r.finishValue()
		}
		if !r.onLine && !r.find() {
			break
		}
		if rec := r.value(); rec != nil {
			return rec, nil
		}
	}
	err := r.cur.In.End()
	if err == io.EOF && !r.cur.In.IsNested {
		if stray := r.lines.report(r.cur); stray != nil {
			return stray, nil
		}
	}
	return nil, err
}

// nextOfValue returns the next record of the last value, or nil if it has no other.
func (r *reader) nextOfValue() *source.Record {
	if rec := r.pending; rec != nil {
		r.pending = nil
		return rec
	}
	if len(r.values) == 0 {
		return nil
	}
	rec := r.whole.TakeElement(r.values[0], &r.part)
	rec.Assign(r.lists-1, r.listed)
	r.cur.ReportPython(rec)
	r.values = r.values[1:]
	r.listed++
	return rec
}

// find moves to the next value that begins on a line. It returns false at the end
// of the text.
func (r *reader) find() bool {
	in := &r.cur.In
	for {
		line := r.cur.LineAt(0)
		if len(line) == 0 && len(in.Unread()) == 0 {
			return false
		}
		r.isHeld = false
		at := 0
		if r.after != nil {
			if at = bytes.Index(line, r.after); at < 0 {
				in.SkipLine()
				continue
			}
			at += len(r.after)
		}
		isBlank := len(bytes.TrimSpace(line)) == 0
		if !isBlank {
			r.lines.begin(r.cur, line, in.Pos)
		}
		for i := at; i < len(line); i++ {
			if c := line[i]; (c == '{' || c == '[') && r.opens(i, c) {
				r.place(in.Unread()[at:i]) // which may have moved
				in.Skip(i)
				r.onLine = true
				return true
			}
		}
		r.blankSince = r.blankSince && isBlank
		r.lines.end(isBlank)
		r.cur.In.SkipLine()
	}
}

// opens reports whether an object with a name in quotes, or a list of such objects,
// begins at the unread byte i. It waits for another line only if the line ends before that
// is known.
func (r *reader) opens(i int, c byte) bool {
	next, ok := r.cur.In.NextAfter(i + 1)
	if ok && c == '[' && next >= 0 && r.cur.In.Unread()[next] == '{' {
		next, ok = r.cur.In.NextAfter(next + 1)
	} else if c == '[' {
		return false
	}
	if !ok {
		return false
	}
	q := r.cur.In.Unread()[next]
	return q == '"' || q == '\''
}

// assignment matches the end of a text before a value of a program.
var assignment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:=|\breturn|\byield)\s*$`) })

// named matches the end of a text before a value that Python prints with its name.
var named = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|\s|:)[\pL_][\w.]*=$`) })

// maxAssignment is how many bytes before a value show that it is one of a program.
const maxAssignment = 256

// place notes what precedes the value on its line. A record may follow a text that ends
// in whitespace or a colon.
func (r *reader) place(before []byte) {
	words := bytes.TrimSpace(before)
	end, _ := utf8.DecodeLastRune(before)
	near := before[max(0, len(before)-maxAssignment):]
	isPrefix := (unicode.IsSpace(end) || end == ':') && !assignment().Match(near)
	r.isPrinted = end == '=' && !r.cur.Options.IsDocument() && named().Match(near)
	r.inPlace = len(words) == 0 || isPrefix
	r.isBare = len(words) == 0 && r.after == nil
	r.prefix = string(r.after)
	if r.after == nil {
		r.prefix = withoutDigits(string(words))
	}
	r.before = append(r.before[:0], before...)
}

// withoutDigits replaces each number in a prefix, as a time or a count differs from line
// to line.
func withoutDigits(prefix string) string {
	if strings.IndexFunc(prefix, unicode.IsDigit) < 0 {
		return prefix
	}
	var b strings.Builder
	wasDigit := false
	for _, c := range prefix {
		isDigit := unicode.IsDigit(c)
		switch {
		case !isDigit:
			b.WriteRune(c)
		case !wasDigit:
			b.WriteByte('0')
		}
		wasDigit = isDigit
	}
	return b.String()
}

// value reads the value that the cursor is at, and returns its first record, or nil
// if it has none.
func (r *reader) value() *source.Record {
	r.onLine = false
	p := r.read()
	if p.Root == nil {
		rec := r.damage(p)
		r.endLine()
		return rec
	}
	r.inPlace = r.inPlace || r.isPrinted && r.cur.Scan.Python && r.endsLine(p.End)
	in := &r.cur.In
	data := in.Unread()[:p.End:p.End]
	var found content
	switch {
	case !r.inPlace:
	case p.Root.Kind == value.Object:
		found = decideObject(p.Root, r.cur.Options.Meaning)
	default:
		found = decideList(p.Root, r.cur.Options.Meaning)
	}
	goesOn := found.shape == single && r.mayGoOn()
	if found.isWeak && (!goesOn || found.isOld && !r.lastIsOld) && (found.shape != envelope || r.isBare) {
		found = content{}
	}
	r.wasRead, r.readsMore = true, found.shape != foreign
	var rec *source.Record
	isRecord := found.shape != foreign && !found.isRequest
	if isRecord {
		r.hold()
		r.lines.hold(data)
		r.blankSince = true
		switch {
		case found.shape != single || r.prefix == "" || r.after != nil:
		case r.lines.prefix == "":
			at := bytes.LastIndexFunc(r.before, unicode.IsDigit) + 1 // what follows the last number is the same on each line
			r.lines.prefix = r.prefix
			r.lines.after = string(bytes.TrimLeftFunc(r.before[at:], func(c rune) bool { return !unicode.IsLetter(c) }))
		default:
			r.lines.isMixed = r.lines.isMixed || r.lines.prefix != r.prefix
		}
		rec = r.record(data, p.Result, &found, goesOn)
	}
	if !isRecord {
		r.lines.skip(r.cur, data, r.isHeld)
	}
	if rec == nil && r.inPlace && found.shape == foreign {
		r.lines.noteOther(r.cur, data, p.Result)
	}
	in.Skip(p.End)
	return rec
}

// mayGoOn reports whether a single record at the cursor continues the last one.
func (r *reader) mayGoOn() bool {
	return r.hasLast && r.prefix == r.last && (!r.isBare || r.blankSince)
}

// endsLine reports whether nothing follows a value on its line.
func (r *reader) endsLine(size int) bool {
	r.cur.LineAt(size)
	line, _, _ := bytes.Cut(r.cur.In.Unread()[size:], []byte{'\n'})
	return len(bytes.TrimSpace(line)) == 0
}

// record returns the first record of a value, or nil if nextOfValue will return it.
func (r *reader) record(data []byte, v value.Result, found *content, goesOn bool) *source.Record {
	if found.shape == envelope {
		v.Faults = value.SortFaults(append(slices.Clip(v.Faults), source.SecondLists(v.Root.Children, found.key)...))
	}
	whole := r.cur.NewValue(data, v)
	if found.shape != single {
		return r.list(whole, found.records)
	}
	r.last, r.hasLast, r.lastIsOld = r.prefix, true, found.isOld
	rec, left := whole, (*source.Record)(nil)
	if inner := found.records[0]; inner != v.Root {
		left = whole.WithoutValues(inner)
		rec = whole.TakeValue(inner, &r.part)
	}
	rec.SetIndex(r.cur.Index)
	r.cur.Index++
	if !goesOn {
		r.fragments++
	}
	rec.Fragment = r.fragments
	r.cur.ReportPython(rec)
	if left != nil {
		r.pending = rec
		return left
	}
	return rec
}

// list begins the conversation of a list, and returns a gap with the problems around
// its records, or nil.
func (r *reader) list(whole *source.Record, records []*value.Node) *source.Record {
	left := whole.WithoutValues(records...)
	if left != nil {
		left.Conversation = r.lists
	}
	r.lists++
	r.whole, r.values, r.listed = whole, records, 0
	r.part.Begin(whole)
	return left
}

// finishValue moves from the end of a value to the next one on its line, or to the
// next line.
func (r *reader) finishValue() {
	r.wasRead = false
	in := &r.cur.In
	if r.readsMore {
		line := r.cur.LineAt(0)
		i := len(line) - len(bytes.TrimLeft(line, " \t,"))
		if i < len(line) && (line[i] == '{' || line[i] == '[') && r.opens(i, line[i]) {
			in.Skip(i)
			r.onLine = true
			return
		}
		if i < len(line) {
			r.blankSince = r.blankSince && !isSentence(bytes.TrimSpace(line[i:]))
		}
	}
	r.endLine()
}

// isSentence reports whether the text after a record on its line is a sentence, as in
// documentation that was copied without its line breaks. Other text there, such as a size
// and a time in the network panel of a browser, belongs to the record.
func isSentence(rest []byte) bool {
	return len(rest) > 0 && value.IsLetter(rest[0]) && bytes.Count(rest, []byte{' '}) > 2 && bytes.IndexByte([]byte(".:?!"), rest[len(rest)-1]) >= 0
}

// endLine ends the line of the last value.
func (r *reader) endLine() {
	r.blankSince = r.blankSince && r.isHeld
	r.lines.end(r.isHeld)
	r.cur.In.SkipLine()
}

// hold notes that the line has a record.
func (r *reader) hold() {
	if !r.isHeld {
		r.isHeld = true
		r.lines.held++
	}
}
