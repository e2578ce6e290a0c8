package reduce

import (
	"bytes"
	"regexp"
	"sort"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// part is a part of a text, with the parts in it.
type part struct {
	start, end int
	kind       partKind
	parts      []*part // in their order
	gone       bool

	copied *part // the part that it repeats, and without which it goes, or nil
	drawn  *rest // the last text that it is in
}

// partKind is how parts are in the part around them.
type partKind uint8

const (
	fixed  partKind = iota // they cannot be removed, but what is in them can
	lines                  // nothing is between them, such as lines, or pieces of a text
	listed                 // commas are between them
)

// rest is what is left of a text.
type rest struct {
	from []byte
	text []byte
	runs []run
}

// run is text that is the same in both: from these offsets on.
type run struct{ at, from int }

// restOf returns what is left of a text. All is the part that is the whole text.
func restOf(text []byte, all *part) *rest {
	r := &rest{from: text}
	r.add(all)
	return r
}

func (r *rest) add(p *part) {
	p.drawn = r
	at, hasLeft := p.start, false
	for i, c := range p.parts {
		isLeft := !c.gone && (c.copied == nil || c.copied.drawn == r)
		if p.kind != listed || i == 0 || isLeft && hasLeft { // a comma is before each but the first that is left
			r.copy(at, c.start)
		}
		if isLeft {
			r.add(c)
			hasLeft = true
		}
		at = c.end
	}
	r.copy(at, p.end)
}

func (r *rest) copy(from, to int) {
	if from < to {
		r.runs = append(r.runs, run{len(r.text), from})
		r.text = append(r.text, r.from[from:to]...)
	}
}

// origin returns the offset in the original text of a byte that is left.
func (r *rest) origin(at int) int {
	i := sort.Search(len(r.runs), func(i int) bool { return r.runs[i].at > at }) - 1
	if i < 0 {
		return 0
	}
	return r.runs[i].from + at - r.runs[i].at
}

// at returns the offset in the text of a byte of what is decoded from it.
type at func(offset int) int

// divide returns the whole text as a part.
func (r *recording) divide() *part {
	return r.lines(r.text, func(offset int) int { return offset })
}

// lines returns the part of a text, or of one in a string: its lines, each with the value
// that begins on it. One on several lines belongs to the first. A second one on a line
// begins another part.
func (r *recording) lines(data []byte, at at) *part {
	all := &part{start: at(0), end: at(len(data)), kind: lines}
	line := &part{start: all.start}
	end := func(offset int) {
		if line.end = at(offset); line.start == line.end {
			return
		}
		if r.isDeep && len(line.parts) == 0 && r.hasRecord(line.start, line.end) { // it cannot be read
			line.parts = []*part{r.pieces(line.start, line.end)}
		}
		all.parts = append(all.parts, line)
		line = &part{start: line.end}
	}
	for offset := 0; offset < len(data); {
		next := bytes.IndexAny(data[offset:], "{[\r\n")
		if next < 0 {
			break
		}
		switch offset += next; data[offset] {
		case '\r', '\n':
			offset += len(data[offset:]) - len(bytes.TrimLeft(data[offset:], "\r\n"))
			end(offset)
		default:
			p, size := r.scan(data[offset:], func(inside int) int { return at(offset + inside) })
			if p != nil && len(line.parts) > 0 {
				end(offset)
			}
			if p != nil && !r.hasRecord(line.start, p.start) { // else it is in one that cannot be read
				line.parts = []*part{p}
			}
			offset += size
		}
	}
	end(len(data))
	return all
}

// scan returns the part of the value that a text begins with, and its size. Of one that
// cannot be read, the part is that up to the mistake, or nil if it has no records.
func (r *recording) scan(data []byte, at at) (p *part, size int) {
	v := (&value.Scanner{MaxDepth: value.MaxDepth}).Scan(data, true)
	if v.Stop != nil {
		python := (&value.Scanner{MaxDepth: value.MaxDepth, Python: true}).Scan(data, true)
		if python.Stop == nil || python.Stop.Start > v.Stop.Start {
			v = python
		}
	}
	if v.Stop == nil {
		return r.value(v.Root, at), v.End
	}
	size = closeAt(v.Partial, max(1, v.Stop.Start))
	if r.hasRecord(at(1), at(size)) {
		return r.value(v.Partial, at), size
	}
	return nil, size
}

// closeAt ends what a mistake at an offset cut off, and returns the end. It is behind all
// that ended, as bytes that are not UTF-8 are found last.
func closeAt(n *value.Node, offset int) int {
	if n.End == 0 {
		n.End = offset
		if last := len(n.Children) - 1; last >= 0 {
			n.End = max(offset, closeAt(&n.Children[last], offset))
		}
	}
	return n.End
}

// value returns the part of a value.
func (r *recording) value(n *value.Node, at at) *part {
	p := &part{start: at(n.Start), end: at(n.End)}
	switch {
	case !r.isDeep && !r.hasRecord(p.start+1, p.end):
	case n.Kind == value.Array || n.Kind == value.Object:
		if r.isDeep || n.Kind == value.Array {
			p.kind = listed
		}
		for i := range n.Children {
			inner := r.value(&n.Children[i], at)
			p.parts = append(p.parts, &part{start: at(n.Children[i].StartWithName()), end: inner.end, parts: []*part{inner}})
		}
	case n.Kind != value.String || n.Name == "role" || n.Name == "type" || n.Name == "format":
	case r.hasRecord(p.start, p.end):
		text := source.NewTextMap(n.Bytes(), n.RawContent(), value.Position{}, n.Units())
		p.parts = []*part{r.lines(text.Text, func(offset int) int {
			raw, _ := text.RawRange(offset, offset)
			return at(n.Start + 1 + raw)
		})}
	default:
		text := r.pieces(at(n.Start+1), at(n.End-1))
		if p.parts = []*part{text}; n.Name == "content" {
			r.contents = append(r.contents, text.parts...)
		}
	}
	return p
}

// maxPieces is into how many pieces a text is divided at a time.
const maxPieces = 8

// unit matches what cannot be divided in a text: a character, or an escape, however often
// it is escaped.
var unit = regexp.MustCompile(`(?s)^(?:\\+u[0-9a-fA-F]{4}|\\+.|.)`)

// pieces returns the part of a text, in pieces. One that repeats the contents before it, as
// a confirmation repeats the code, has the pieces of these.
func (r *recording) pieces(start, end int) *part {
	text := &part{start: start, end: end, kind: lines}
	at, size := start, max(1, (end-start+maxPieces-1)/maxPieces)
	repeated, left := len(r.contents), r.text[start:end]
	for repeated > 0 && len(left) > 0 {
		var isRepeated bool
		if left, isRepeated = bytes.CutSuffix(left, r.text[r.contents[repeated-1].start:r.contents[repeated-1].end]); !isRepeated {
			break
		}
		repeated--
	}
	if len(left) == 0 {
		for _, p := range r.contents[repeated:] {
			next := at + p.end - p.start
			text.parts = append(text.parts, &part{start: at, end: next, copied: p})
			at = next
		}
	}
	for at < end {
		next := at
		for next < end && next < at+size {
			if next++; r.text[next-1] == '\\' || r.text[next-1] >= utf8.RuneSelf {
				next += len(unit.Find(r.text[next-1:end])) - 1
			}
		}
		text.parts = append(text.parts, &part{start: at, end: next})
		at = next
	}
	return text
}

// from returns the number of the first record that begins at an offset or after it.
func (r *recording) from(at int) int {
	return sort.Search(len(r.records), func(i int) bool { return r.records[i].start >= at })
}

// hasRecord reports whether a record begins between two offsets.
func (r *recording) hasRecord(start, end int) bool { return r.from(start) < r.from(end) }
