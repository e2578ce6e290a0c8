package reduce

import (
	"bytes"
	"regexp"
	"slices"
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

	of     []*part // the parts that can be removed, if it goes with the last of them
	copied *part   // the part that it repeats, and without which it goes, or nil
	drawn  *rest   // the last text that it is in
}

// partKind is how parts are in the part around them.
type partKind uint8

const (
	fixed  partKind = iota // they cannot be removed, but what is in them can
	lines                  // nothing is between them, such as lines, or pieces of a text
	listed                 // commas are between them
)

// isLeft reports whether something of the part is left.
func (p *part) isLeft() bool {
	return !p.gone && (len(p.of) == 0 || slices.ContainsFunc(p.of, (*part).isLeft))
}

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
	at, isFirst := p.start, true
	for _, c := range p.parts {
		switch {
		case !c.isLeft(), c.copied != nil && c.copied.drawn != r:
			if p.kind != listed {
				r.copy(at, c.start)
			}
		case p.kind == listed && isFirst: // what is before the list's first, but no comma
			r.copy(p.start, p.parts[0].start)
			r.add(c)
			isFirst = false
		default:
			r.copy(at, c.start)
			r.add(c)
		}
		at = c.end
	}
	if p.kind == listed && isFirst && len(p.parts) > 0 {
		if p.parts[0].start > p.start { // it has brackets
			r.copy(p.start, p.start+1)
			r.copy(p.end-1, p.end)
		}
		return
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

// builder divides a text into parts.
type builder struct {
	*recording
	isDeep bool          // also records and what is around them: members, elements, text
	texts  map[int]*part // of strings, by where they begin
}

// divide returns the whole text as a part.
func (b *builder) divide() *part {
	form := source.Form(b.result.Form)
	at := len(b.text) - len(bytes.TrimLeft(b.text, "\ufeff \t\r\n"))
	if isObject := at < len(b.text) && b.text[at] == '{'; b.isDeep || form == source.FormHAR || form == source.FormText && isObject {
		if document := b.scan(at, len(b.text)); document != nil && len(bytes.TrimSpace(b.text[document.end:])) == 0 {
			return &part{end: len(b.text), parts: []*part{document}}
		}
	}
	if form == source.FormJSON {
		return &part{end: len(b.text), parts: b.siblings(b.records)}
	}
	return b.lines(0, len(b.text), b.records, lineEnd)
}

// scan returns the part of the value that begins at an offset, or nil if it cannot be read.
func (b *builder) scan(at, end int) *part {
	scanner := value.Scanner{MaxDepth: value.MaxDepth, Python: b.python}
	v := scanner.Scan(b.text[at:end], true)
	if v.Root == nil {
		return nil
	}
	return b.value(v.Root, func(offset int) int { return at + offset })
}

// value returns the part of a value. At returns the offset in the text of a byte of the
// record or document that contains it.
func (b *builder) value(n *value.Node, at func(int) int) *part {
	p := &part{start: at(n.Start), end: at(n.End)}
	inside := b.records[b.from(p.start):b.from(p.end)]
	switch {
	case len(inside) == 0 && !b.isDeep:
	case n.Kind == value.Array || n.Kind == value.Object:
		if b.isDeep || n.Kind == value.Array {
			p.kind = listed
		}
		for i := range n.Children {
			inner := b.value(&n.Children[i], at)
			p.parts = append(p.parts, &part{start: at(n.Children[i].StartWithName()), end: inner.end, parts: []*part{inner}})
		}
	case n.Kind != value.String || n.Name == "role" || n.Name == "type" || n.Name == "format":
	case len(inside) > 0 && inside[len(inside)-1].end < p.end:
		p.parts = []*part{b.lines(at(n.Start+1), at(n.End-1), inside, escapedLineEnd)}
	default:
		p.parts = []*part{b.textOf(at(n.Start+1), at(n.End-1))}
	}
	return p
}

// maxPieces is into how many pieces a text is divided at a time.
const maxPieces = 8

// unit matches what cannot be divided in a text: a character, or an escape, however often
// it is escaped.
var unit = regexp.MustCompile(`(?s)^(?:\\+u[0-9a-fA-F]{4}|\\+.|.)`)

// textOf returns the part of the text of a string, in pieces. The text that a confirmation
// asks about has the pieces of the code.
func (b *builder) textOf(start, end int) *part {
	text := &part{start: start, end: end, kind: lines}
	at, size := start, max(1, (end-start+maxPieces-1)/maxPieces)
	for _, chunk := range b.copies[start] {
		if b.texts[chunk] == nil {
			break
		}
		for _, piece := range b.texts[chunk].parts {
			next := at + piece.end - piece.start
			text.parts = append(text.parts, &part{start: at, end: next, copied: piece})
			at = next
		}
	}
	for at < end {
		next := at
		for next < end && next < at+size {
			if next++; b.text[next-1] == '\\' || b.text[next-1] >= utf8.RuneSelf {
				next += len(unit.Find(b.text[next-1:end])) - 1
			}
		}
		text.parts = append(text.parts, &part{start: at, end: next})
		at = next
	}
	b.texts[start] = text
	return text
}

// record returns the part of a record.
func (b *builder) record(r *record) *part {
	p := &part{start: r.start, end: r.end}
	if !b.isDeep {
		return p
	}
	tree := r.tree
	if tree == nil && r.isValue {
		tree = b.scan(r.start, r.end)
	}
	if tree == nil { // it cannot be read
		tree = b.textOf(r.start, r.end)
	}
	p.parts = []*part{tree}
	return p
}

// comma matches what is between two elements of a list, which may be in a string.
var comma = regexp.MustCompile(`^(?:\s|\\+[nrt])*,(?:\s|\\+[nrt])*$`)

// siblings returns the parts of records: those with only a comma between them are in a list.
func (b *builder) siblings(records []record) (parts []*part) {
	for i := 0; i < len(records); {
		list := &part{start: records[i].start, kind: listed}
		for {
			list.parts = append(list.parts, b.record(&records[i]))
			list.end = records[i].end
			if i++; i == len(records) || !comma.Match(b.text[list.end:records[i].start]) {
				break
			}
		}
		if len(list.parts) == 1 {
			list = list.parts[0]
		}
		parts = append(parts, list)
	}
	return parts
}

// lineEnd matches the ends of a line and of empty ones after it, and escapedLineEnd those of
// lines in a string.
var (
	lineEnd        = regexp.MustCompile(`(?:\r\n?|\n)+`)
	escapedLineEnd = regexp.MustCompile(`(?:\\+[rn])+`)
)

// lines returns the part of lines, each with the records that begin on it.
func (b *builder) lines(start, end int, records []record, lineEnd *regexp.Regexp) *part {
	all := &part{start: start, end: end, kind: lines}
	add := func(p *part) {
		if p.start < p.end {
			all.parts = append(all.parts, p)
		}
	}
	line, at := &part{start: start}, start
	for _, p := range append(b.siblings(records), &part{start: end, end: end}) {
		switch ends := lineEnd.FindAllIndex(b.text[at:p.start], -1); {
		case len(ends) > 0:
			if line.end = at + ends[0][1]; len(line.parts) == 0 { // what is before the first record
				line.end = line.start
			}
			add(b.whole(line))
			next := &part{start: at + ends[len(ends)-1][1]}
			add(&part{start: line.end, end: next.start})
			line = next
		case at > start && comma.Match(append([]byte{','}, b.text[at:p.start]...)): // only space
			line.end = p.start
			add(b.whole(line))
			line = &part{start: p.start}
		}
		line.parts = append(line.parts, p)
		at = p.end
	}
	line.end = end
	add(b.whole(line))
	return all
}

// whole returns the part of a line with records, with the members of what is around them.
func (b *builder) whole(line *part) *part {
	i := bytes.IndexAny(b.text[line.start:line.end], "{[")
	if b.isDeep && i >= 0 && len(line.parts) > 0 && line.start+i < line.parts[0].start && source.Form(b.result.Form) != source.FormText {
		if around := b.scan(line.start+i, line.end); around != nil {
			line.parts = []*part{around}
		}
	}
	return line
}

// from returns the number of the first record that begins at an offset or after it.
func (r *recording) from(at int) int {
	return sort.Search(len(r.records), func(i int) bool { return r.records[i].start >= at })
}
