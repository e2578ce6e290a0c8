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

// divide returns the whole text as a part.
func (r *recording) divide() *part {
	form, at := source.Form(r.result.Form), len(r.text)-len(bytes.TrimLeft(r.text, "\ufeff \t\r\n"))
	isObject := at < len(r.text) && r.text[at] == '{'
	if r.isDeep || form == source.FormHAR || form == source.FormText && isObject {
		if document := r.scan(at, len(r.text)); document != nil && len(bytes.TrimSpace(r.text[document.end:])) == 0 {
			return &part{end: len(r.text), parts: []*part{document}}
		}
	}
	if form == source.FormJSON {
		return &part{end: len(r.text), parts: r.siblings(r.records)}
	}
	return r.lines(0, len(r.text), r.records, lineEnd)
}

// scan returns the part of the value that begins at an offset, or nil if it cannot be read.
func (r *recording) scan(at, end int) *part {
	scanner := value.Scanner{MaxDepth: value.MaxDepth, Python: r.python}
	v := scanner.Scan(r.text[at:end], true)
	if v.Root == nil {
		return nil
	}
	return r.value(v.Root, func(offset int) int { return at + offset })
}

// value returns the part of a value. At returns the offset in the text of a byte of the
// record or document that contains it.
func (r *recording) value(n *value.Node, at func(int) int) *part {
	p := &part{start: at(n.Start), end: at(n.End)}
	inside := r.records[r.from(p.start):r.from(p.end)]
	switch {
	case len(inside) == 0 && !r.isDeep:
	case n.Kind == value.Array || n.Kind == value.Object:
		if r.isDeep || n.Kind == value.Array {
			p.kind = listed
		}
		for i := range n.Children {
			inner := r.value(&n.Children[i], at)
			p.parts = append(p.parts, &part{start: at(n.Children[i].StartWithName()), end: inner.end, parts: []*part{inner}})
		}
	case n.Kind != value.String || n.Name == "role" || n.Name == "type" || n.Name == "format":
	case len(inside) > 0 && inside[len(inside)-1].end < p.end:
		p.parts = []*part{r.lines(at(n.Start+1), at(n.End-1), inside, escapedLineEnd)}
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

// record returns the part of a record.
func (r *recording) record(rec *record) *part {
	p := &part{start: rec.start, end: rec.end}
	if !r.isDeep {
		return p
	}
	tree := rec.tree
	if tree == nil && rec.isValue {
		tree = r.scan(rec.start, rec.end)
	}
	if tree == nil { // it cannot be read
		tree = r.pieces(rec.start, rec.end)
	}
	p.parts = []*part{tree}
	return p
}

// comma matches what is between two elements of a list, which may be in a string.
var comma = regexp.MustCompile(`^(?:\s|\\+[nrt])*,(?:\s|\\+[nrt])*$`)

// siblings returns the parts of records: those with only a comma between them are in a list.
func (r *recording) siblings(records []record) (parts []*part) {
	for len(records) > 0 {
		n := 1
		for n < len(records) && comma.Match(r.text[records[n-1].end:records[n].start]) {
			n++
		}
		list := &part{start: records[0].start, end: records[n-1].end, kind: listed}
		for i := range n {
			list.parts = append(list.parts, r.record(&records[i]))
		}
		if n == 1 {
			list = list.parts[0]
		}
		parts, records = append(parts, list), records[n:]
	}
	return parts
}

// lineEnd matches the ends of a line and of empty ones after it, and escapedLineEnd those of
// lines in a string.
var (
	lineEnd        = regexp.MustCompile(`(?:\r\n?|\n)+`)
	escapedLineEnd = regexp.MustCompile(`(?:\\+[rn])+`)
	blank          = regexp.MustCompile(`^(?:\s|\\+[nrt])*$`)
)

// lines returns the part of lines, each with the records that begin on it.
func (r *recording) lines(start, end int, records []record, lineEnd *regexp.Regexp) *part {
	all := &part{start: start, end: end, kind: lines}
	add := func(p *part) {
		if p.start < p.end {
			all.parts = append(all.parts, p)
		}
	}
	line, at := &part{start: start}, start
	for _, p := range append(r.siblings(records), &part{start: end, end: end}) {
		switch ends := lineEnd.FindAllIndex(r.text[at:p.start], -1); {
		case len(ends) > 0:
			if line.end = at + ends[0][1]; len(line.parts) == 0 { // what is before the first record
				line.end = line.start
			}
			add(r.whole(line))
			next := &part{start: at + ends[len(ends)-1][1]}
			add(&part{start: line.end, end: next.start})
			line = next
		case at > start && blank.Match(r.text[at:p.start]):
			line.end = p.start
			add(r.whole(line))
			line = &part{start: p.start}
		}
		line.parts = append(line.parts, p)
		at = p.end
	}
	line.end = end
	add(r.whole(line))
	return all
}

// whole returns the part of a line with records, with the members of what is around them.
func (r *recording) whole(line *part) *part {
	i := bytes.IndexAny(r.text[line.start:line.end], "{[")
	if r.isDeep && i >= 0 && len(line.parts) > 0 && line.start+i < line.parts[0].start && source.Form(r.result.Form) != source.FormText {
		if around := r.scan(line.start+i, line.end); around != nil {
			line.parts = []*part{around}
		}
	}
	return line
}

// from returns the number of the first record that begins at an offset or after it.
func (r *recording) from(at int) int {
	return sort.Search(len(r.records), func(i int) bool { return r.records[i].start >= at })
}
