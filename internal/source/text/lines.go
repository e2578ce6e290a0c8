package text

import (
	"bytes"
	"fmt"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

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
