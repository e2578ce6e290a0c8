package text

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// read scans the value that the unread text begins with, as JSON or as a Python
// literal. It has no Root if it is neither; the result is of the language in which more of
// it is valid then.
func (r *reader) read() source.RawValue {
	cur := r.cur
	text := cur.In.Unread()
	cur.Scan.Python = text[bytes.IndexAny(text, `"'`)] == '\''
	p := cur.ScanValue()
	if cur.Scan.Python || p.Root != nil || r.isFaultOfJSON(p.Stop) {
		return p
	}
	stop := *p.Stop
	cur.Scan.Python = true
	if q := cur.ScanValue(); q.Root != nil || q.Stop.Start > stop.Start || q.Stop.Truncated && !stop.Truncated {
		return q
	}
	cur.Scan.Python = false
	return cur.ScanValue()
}

// isFaultOfJSON reports whether a fault is a mistake in JSON, although a Python literal may
// have it: a character or an escape that a string of JSON must not contain, or a comma
// before a closing bracket on the first line of a log's record, which print never writes.
// Source code, in a document or over several lines, may have such a comma.
func (r *reader) isFaultOfJSON(stop *value.Fault) bool {
	before, rest := r.cur.In.Unread()[:stop.Start], r.cur.In.Unread()[stop.Start:]
	switch {
	case len(rest) == 0:
		return false
	case rest[0] == ',':
		return !r.cur.Options.IsDocument() && bytes.IndexByte(before, '\n') < 0
	}
	return rest[0] == '\\' || rest[0] < ' '
}

// damage returns the record of a text that begins as a value and is not one, or nil if
// it is not known to be meant as a record.
func (r *reader) damage(p source.RawValue) *source.Record {
	in := &r.cur.In
	limit := int(r.cur.Options.MaxRecordBytes)
	if !r.inPlace && (!r.isPrinted || !r.mayGoOn()) {
		return nil
	}
	r.cur.LineAt(p.Stop.Start) // the record ends with the line of the fault
	isEnd := p.Stop.Truncated || r.cur.EndsInString(p.Stop)
	data := in.Unread()
	data = data[:min(len(data), limit)]
	rest, token := data[p.Stop.Start:], data[p.Stop.Token:]
	isLong := bytes.HasPrefix(token, []byte(`"""`)) || bytes.HasPrefix(token, []byte("'''")) // a string over several lines
	switch {
	case !r.saysRecord(data, &p, isEnd):
		return nil
	case isLong || sourceText().Match(rest) && !literal().Match(rest) && !r.isNextLine(data, p.Stop.Start): // the text omits a record here
		r.fragments++
		r.hasLast = false
		return nil
	}
	stop := *p.Stop
	_, below, _ := bytes.Cut(data, []byte{'\n'})
	switch {
	case p.TooLarge:
		stop = r.cur.TooLarge()
		data = data[:value.RuneStart(data, min(len(data), source.PrefixBytes))]
	case stop.Truncated && in.All().Failure() != nil:
		return nil
	case stop.Truncated && (stop.End < len(data) || bytes.HasPrefix(bytes.TrimLeft(below, " \t\r\n"), []byte("{"))):
		data, stop = firstLine(data)
	case isEnd:
		data = value.TrimRight(data)
		stop = value.Fault{Kind: source.TruncatedRecord, Start: len(data), End: len(data), Detail: value.InputEnds}
	default:
		data, stop = damagedLines(data, stop)
	}
	r.hold()
	rec := r.cur.NewRecord(bytes.Clone(data), "", value.Result{Faults: p.Faults, Stop: &stop})
	return rec
}

// isNextLine reports whether offset i of a damaged value is the start of a line that has the
// prefix of the value: the value lacks its end.
func (r *reader) isNextLine(data []byte, i int) bool {
	before := bytes.TrimRight(data[:i], " \t")
	line, _, _ := bytes.Cut(data[i:], []byte{'\n'})
	return r.prefix != "" && bytes.HasSuffix(before, []byte{'\n'}) && strings.HasPrefix(withoutDigits(string(line)), r.prefix)
}

// damagedLines returns the lines up to that of a fault. A value on one line that the
// next line does not continue lacks its end.
func damagedLines(data []byte, stop value.Fault) ([]byte, value.Fault) {
	before := data[:stop.Start]
	if i := bytes.IndexByte(before, '\n'); i >= 0 && value.SpaceSize(before[i:]) == len(before)-i {
		return firstLine(data)
	}
	end := len(data)
	if i := bytes.IndexByte(data[stop.End:], '\n'); i >= 0 {
		end = stop.End + i
	}
	return data[:max(stop.End, len(value.TrimRight(data[:end])))], stop
}

// firstLine returns the first line of a value that lacks its end, and the fault.
func firstLine(data []byte) ([]byte, value.Fault) {
	line, _, _ := bytes.Cut(data, []byte{'\n'})
	line = value.TrimRight(line)
	return line, value.Fault{Kind: value.InvalidJSON, Start: len(line), End: len(line), Detail: value.NotClosed}
}

// sourceText matches what source code and templates have where a value, a comma or a bracket
// is due: a name, a call or an operator, or an ellipsis, a placeholder or an alternative.
var sourceText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^[\\pL_(+*%.$&`?<|/…]") })

// literal matches the names that are values in JSON or Python.
var literal = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:true|false|null|True|False|None|NaN|Infinity)\b`)
})

// saysRecord reports whether a damaged value says before the damage that it is a
// record, or on one line a list of records: its first object with a role has one of a
// record, and a type or a flag. A role alone is enough where a record would continue the
// last one, and where the input ends in it after another record.
func (r *reader) saysRecord(data []byte, p *source.RawValue, isEnd bool) bool {
	object := withRole(p.Partial)
	if object == nil || object != p.Partial && bytes.IndexByte(data[:p.Stop.Start], '\n') >= 0 {
		return false
	}
	said := value.Node{Kind: value.Object, Children: []value.Node{*object.Member("role")}}
	if object == p.Partial && (r.mayGoOn() || isEnd && r.lines.held > 0) {
		said.Children = append(said.Children, value.Node{Name: "start", Kind: value.Bool})
		return r.cur.Options.Meaning(&said).IsCertain()
	}
	for _, name := range []string{"type", "start", "end"} {
		if n := object.Member(name); n != nil {
			said.Children = append(said.Children, *n)
			break
		}
	}
	return len(said.Children) > 1 && r.cur.Options.Meaning(&said).IsCertain()
}

// withRole returns the first object with a role in a value, or nil.
func withRole(n *value.Node) *value.Node {
	if n.Member("role") != nil {
		return n
	}
	for i := range n.Children {
		if found := withRole(&n.Children[i]); found != nil {
			return found
		}
	}
	return nil
}

// shape is how a value contains records.
type shape uint8

const (
	foreign  shape = iota // not at all
	single                // it is a record, or an object around one
	list                  // it is a list of records
	envelope              // it is an object with such a list
)

// content is the records of a value.
type content struct {
	shape     shape
	isWeak    bool   // its objects are records only beside others
	isOld     bool   // it is a record of an old version of the protocol
	isRequest bool   // it is a request to a language model
	key       string // of the list in an envelope
	records   []*value.Node
}

// decideObject finds the records of an object.
func decideObject(n *value.Node, what source.Detector) content {
	switch m := what(n); m {
	case source.Foreign:
	case source.Other:
		return content{}
	default:
		return content{
			shape: single, isWeak: m == source.Weak || m == source.WeakOld, isOld: m == source.Old || m == source.WeakOld, records: []*value.Node{n},
		}
	}
	for i := range n.Children {
		if c := &n.Children[i]; c.Kind == value.Array && source.IsListName(c.Name) {
			if found := decideList(c, what); found.shape != foreign {
				found.shape, found.key = envelope, c.Name
				found.isRequest = found.isWeak && n.Member("model") != nil
				return found
			}
		}
	}
	inner, count := source.Inner(n, what)
	if count != 1 {
		return content{}
	}
	return content{shape: single, records: []*value.Node{inner}}
}

// decideList finds the records of a list. If one is certain, all objects are read.
func decideList(n *value.Node, what source.Detector) content {
	found := content{shape: list, isWeak: true}
	hasPlain, allWeak := false, true
	for i := range n.Children {
		c := &n.Children[i]
		if c.Kind != value.Object {
			return content{}
		}
		rec := c
		part := decideObject(c, what)
		if part.shape == single {
			rec = part.records[0]
			hasPlain = hasPlain || !part.isWeak
		}
		allWeak = allWeak && part.isWeak && !part.isRequest
		found.records = append(found.records, rec)
	}
	switch {
	case hasPlain:
		found.isWeak = false
	case !allWeak || len(n.Children) == 0:
		return content{}
	}
	return found
}

// lineCount counts the lines of a text that have text, and those with records.
type lineCount struct {
	all, held int
	head      source.Record   // the start of the current line, while it may be among strays
	isKept    bool            // the current line is among strays
	strays    []source.Record // the starts of the first lines without a record: one, or several while no line has a record
	other     *source.Record  // the first object without a record, if no record precedes it
	reported  int             // how many of strays were returned for a text without records, or 1

	prefix  string // of the first record that has one
	after   string // the end of that prefix, which chooses its lines
	isMixed bool   // records follow other prefixes, too
}

// begin counts a line that is not blank and begins at pos.
func (c *lineCount) begin(cur *source.Cursor, line []byte, pos value.Position) {
	c.all++
	c.isKept = false
	if c.mayKeep() {
		head := line[:min(len(line), 2*source.ExcerptWidth)]
		c.head = cur.GapAt(bytes.Clone(value.TrimRight(head[:value.PartialRune(head)])), pos)
	}
}

// end ends the line. It has a record, or need not have one.
func (c *lineCount) end(isHeld bool) {
	if !isHeld && !c.isKept && c.mayKeep() {
		c.strays, c.isKept = append(c.strays, c.head), true
	}
}

// hold counts the lines with text of a record after its first line.
func (c *lineCount) hold(data []byte) {
	_, rest, _ := bytes.Cut(data, []byte{'\n'})
	for line := range bytes.Lines(rest) {
		if len(bytes.TrimSpace(line)) > 0 {
			c.all++
			c.held++
		}
	}
}

// skip counts the lines with text of a value that is not a record, after the value's
// first line. If that line has a record, the next one may be the first without.
func (c *lineCount) skip(cur *source.Cursor, data []byte, isHeld bool) {
	pos := cur.In.Pos
	for line := range bytes.Lines(data) {
		switch {
		case pos == cur.In.Pos || len(bytes.TrimSpace(line)) == 0:
		case isHeld:
			c.begin(cur, line, pos)
			c.end(false)
			isHeld = false
		default:
			c.all++
			c.end(false)
		}
		pos = pos.Advance(line)
	}
}

// mayKeep reports whether the start of another line without a record is kept. Several show
// what a text without records is.
func (c *lineCount) mayKeep() bool {
	return len(c.strays) == 0 || c.held == 0 && len(c.strays) < source.DecisiveValues
}

// noteOther keeps the first object that is not a record. Of a text without records,
// report returns it.
func (c *lineCount) noteOther(cur *source.Cursor, data []byte, v value.Result) {
	if c.held > 0 || c.other != nil || v.Root.Kind != value.Object || len(data) > maxOther {
		return
	}
	other := cur.GapAt(data, cur.In.Pos)
	other.Root = v.Root
	c.other = other.Clone()
}

// maxOther is the maximum size in bytes of an object that is kept.
const maxOther = 64 << 10

// report returns, once, a gap that reports the lines without a record of a text that has
// records, or nil. Of a text without records it returns what shows what the text is:
// gaps without problems.
func (c *lineCount) report(cur *source.Cursor) *source.Record {
	switch {
	case cur.In.All().Failure() != nil:
		return nil
	case c.held == 0 && c.other != nil:
		other := c.other
		c.other = nil
		return other
	case c.held == 0 && c.reported < len(c.strays):
		c.reported++
		return &c.strays[c.reported-1]
	case c.held == 0, c.held == c.all, c.reported > 0:
		return nil
	}
	c.reported = 1
	count := c.all - c.held
	found := fmt.Sprintf("%d of %d lines have no record, this is the first of them", count, c.all)
	if count == 1 {
		found = fmt.Sprintf("1 of %d lines has no record", c.all)
	}
	p := source.Problem{Kind: source.StrayLines, Place: c.strays[0].Place(), Detail: found}
	if c.isMixed {
		p.Prefix = c.after
	}
	rec := cur.NewGap(nil, cur.In.Pos)
	rec.Problems = []source.Problem{p}
	return rec
}
