package source

import (
	"bytes"
	"fmt"

	"github.com/lmclint/lmclint/internal/source/value"
)

// comments counts the comments between the records of data. People paste the examples of
// the documentation, which have one above each record: all are one mistake.
type comments struct {
	count int
	first Record // a gap with the first one
}

// skipsComment skips a comment that the unread text begins with, whose first byte is c,
// up to the end of its line, and reports whether there was one.
func (cur *Cursor) skipsComment(c byte) bool {
	line := cur.In.Line()
	if c != '#' && (c != '/' || string(line.Load(len("//"))) != "//") {
		return false
	}
	if cur.comments.count == 0 {
		text := line.Load(2 * ExcerptWidth)
		cur.comments.first = cur.GapAt(bytes.Clone(value.TrimRight(text[:value.PartialRune(text)])), line.Pos)
	}
	cur.comments.count++
	line.Discard()
	return true
}

// report returns a gap that reports the comments, or nil if there are none.
func (c *comments) report(cur *Cursor) *Record {
	if c.count == 0 {
		return nil
	}
	found := "found a comment, which JSON does not have"
	if c.count > 1 {
		found = fmt.Sprintf("found %d comments, which JSON does not have; this is the first of them", c.count)
	}
	c.count = 0
	rec := cur.NewGap(nil, cur.In.Pos)
	rec.Problems = []Problem{{Kind: Comments, Place: c.first.placeAt(0, 1, ""), Detail: found}}
	return rec
}
