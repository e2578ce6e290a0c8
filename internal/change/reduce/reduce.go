// Package reduce makes a recording smaller, as long as a finding remains.
//
// It removes parts of the text and lints what is left, in memory, again and again: whole
// blocks, then records, then the members of objects and the elements of lists, then text. A
// part stays if a finding to keep goes with it, is found at another record, or if a finding
// comes that was not there before.
package reduce

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sort"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// DefaultMaxRuns is the default of Options.MaxRuns.
const DefaultMaxRuns = 4000

// bytesPerRun is the size of the text of which linting it counts as one more run, so that
// the time is bounded for a large recording, too.
const bytesPerRun = 64 << 10

// Options say how a recording is reduced.
type Options struct {
	Name    string                                     // of the input
	New     func(...lint.Option) (*lint.Linter, error) // makes a linter
	Keep    func(*lint.Rule) bool                      // whether the first finding of a rule stays; nil keeps the first error
	MaxRuns int                                        // of the linter, at most; 0 is DefaultMaxRuns
	Tried   func(runs, size int)                       // called after each run with the size of what is left, or nil
}

// Result is a reduced recording.
type Result struct {
	Text    []byte
	Kept    []lint.Finding // as in the original
	Records [2]int         // before and after
	Runs    int
	Ended   bool // not everything was tried: there were MaxRuns
}

// ErrNothing reports a recording without a finding to keep.
var ErrNothing = errors.New("no such finding")

// Text reduces the decompressed text of a recording. An error is that of a linter, or
// [ErrNothing].
func Text(ctx context.Context, o Options, text []byte) (*Result, error) {
	s := &search{Options: o, ctx: ctx, rest: &rest{text: text}, left: cmp.Or(o.MaxRuns, DefaultMaxRuns)}
	var err error
	if s.linter, err = o.New(lint.WithEach()); err != nil {
		return nil, err
	}
	reader := plugin.Records(func(src *source.Record) { s.now.add(src) })
	if s.reading, err = o.New(lint.WithEach(), lint.WithObserver(func(string) plugin.Observer { return reader })); err != nil {
		return nil, err
	}
	if s.read(false); s.err != nil {
		return nil, s.err
	}
	result := &Result{Records: [2]int{s.now.result.Records}}
	if result.Kept = s.choose(); len(result.Kept) == 0 {
		return nil, ErrNothing
	}
	s.removeRecords()
	for size := 0; s.err == nil && size != len(s.rest.text); {
		size = len(s.rest.text)
		s.removeValues()
	}
	result.Text, result.Records[1], result.Runs, result.Ended = s.now.text, s.now.result.Records, s.runs, s.left <= 0
	return result, s.err
}

// recording is a text with its records and findings.
type recording struct {
	text    []byte
	records []record // sorted
	result  lint.Result
	found   []lint.Finding // sorted
	known   map[key]bool   // of all findings
	kept    map[key]string // of those to keep, with their cause

	isDeep bool // its parts are also members, elements and text, not only records
	isOpen bool // a block is open, where the text was read to

	contents []*part // the pieces of the contents of records, as far as these were divided
}

// record is a record of a recording, or a gap with problems.
type record struct {
	start, end   int
	conversation int
	continues    bool // the block of the record before it
}

// key identifies a finding: its rule, and the number of its record, -1 between records.
type key struct {
	rule   *lint.Rule
	record int
}

// keyOf returns the key of a finding of a rule at an offset.
func (r *recording) keyOf(rule *lint.Rule, offset int) key {
	i := sort.Search(len(r.records), func(i int) bool { return r.records[i].start > offset }) - 1
	if i >= 0 && offset > r.records[i].end {
		i = -1
	}
	return key{rule, i}
}

// add adds a record.
func (r *recording) add(src *source.Record) {
	span := src.Span()
	rec := record{start: int(span.Start.Offset), end: int(span.End.Offset), conversation: src.Conversation}
	if last := len(r.records) - 1; last < 0 || r.records[last].conversation != rec.conversation {
		r.isOpen = false
	}
	if src.Root != nil && src.Root.Kind == source.Object {
		view := lmc.NewRecord(src)
		rec.continues = r.isOpen && !view.Start
		r.isOpen = (r.isOpen || view.Start) && !view.End
	}
	r.records = append(r.records, rec)
}

// search is the reduction of a recording.
type search struct {
	Options
	ctx     context.Context
	linter  *lint.Linter
	reading *lint.Linter // also the records
	now     *recording
	rest    *rest // the last text with the findings, of that of now
	runs    int
	left    int // runs
	err     error
}

// read makes what is left the recording from which parts are removed.
func (s *search) read(isDeep bool) {
	before, r := s.now, &recording{text: s.rest.text, isDeep: isDeep, known: map[key]bool{}, kept: map[key]string{}}
	s.now = r
	r.result, s.err = s.reading.Run(s.ctx, s.Name, bytes.NewReader(r.text), func(f lint.Finding) error {
		r.found = append(r.found, f)
		return nil
	})
	slices.SortStableFunc(r.records, func(a, b record) int { return cmp.Compare(a.start, b.start) })
	last := 0
	r.records = slices.DeleteFunc(r.records, func(rec record) bool {
		if rec.start < last || rec.start >= rec.end || rec.end > len(r.text) { // it is decoded, as from base64
			return true
		}
		last = rec.end
		return false
	})
	slices.SortStableFunc(r.found, func(a, b lint.Finding) int {
		return cmp.Compare(a.Place.Span.Start.Offset, b.Place.Span.Start.Offset)
	})
	for i := range r.found {
		f := &r.found[i]
		offset := int(f.Place.Span.Start.Offset)
		k := r.keyOf(f.Rule, offset)
		r.known[k] = true
		if before == nil {
			continue
		}
		if cause, isKept := before.kept[before.keyOf(f.Rule, s.rest.origin(offset))]; isKept && cause == f.Cause {
			r.kept[k] = cause
		}
	}
	s.rest = restOf(r.text, &part{end: len(r.text)})
}

// choose chooses the findings to keep.
func (s *search) choose() (kept []lint.Finding) {
	seen := map[*lint.Rule]bool{}
	for _, f := range s.now.found {
		isWanted := s.Keep == nil && len(kept) == 0 && f.Severity == lint.SeverityError || s.Keep != nil && s.Keep(f.Rule)
		if !isWanted || seen[f.Rule] || f.Path != s.Name {
			continue
		}
		seen[f.Rule] = true
		kept = append(kept, f)
		s.now.kept[s.now.keyOf(f.Rule, int(f.Place.Span.Start.Offset))] = f.Cause
	}
	return kept
}

// removeRecords removes whole blocks, then records.
func (s *search) removeRecords() {
	all := s.now.divide()
	units := s.now.units(all)
	s.minimize(all, s.now.groups(units, true))
	s.minimize(all, s.now.groups(units, false))
}

// units returns the smallest parts with records, and what is between them.
func (r *recording) units(p *part) (units []*part) {
	for _, c := range p.parts {
		var inner []*part
		if r.hasRecord(c.start, c.end) {
			inner = r.units(c)
		}
		if len(inner) == 0 && p.kind != fixed {
			inner = []*part{c}
		}
		units = append(units, inner...)
	}
	return units
}

// groups divides parts that are left into groups, of a record or a whole block each. A part
// without records belongs to the group before it.
func (r *recording) groups(units []*part, areBlocks bool) (groups [][]*part) {
	for _, p := range units {
		n := r.from(p.start)
		switch {
		case p.gone:
		case len(groups) == 0, n < r.from(p.end) && (!areBlocks || !r.records[n].continues):
			groups = append(groups, []*part{p})
		default:
			last := &groups[len(groups)-1]
			*last = append(*last, p)
		}
	}
	return groups
}

// removeValues removes members, elements and text, those around others first.
func (s *search) removeValues() {
	if s.read(true); s.err != nil {
		return
	}
	all := s.now.divide()
	for level := all.removable(); len(level) > 0 && s.err == nil; {
		groups := make([][]*part, len(level))
		for i := range level {
			groups[i] = level[i : i+1]
		}
		s.minimize(all, groups)
		var next []*part
		for _, p := range level {
			if !p.gone {
				next = append(next, p.removable()...)
			}
		}
		level = next
	}
}

// removable returns the parts in a part that can be removed, and are in no others.
func (p *part) removable() (parts []*part) {
	for _, c := range p.parts {
		if p.kind != fixed {
			parts = append(parts, c)
		} else {
			parts = append(parts, c.removable()...)
		}
	}
	return parts
}

// minimize removes groups of parts: all, then a half, a quarter and so on.
func (s *search) minimize(all *part, groups [][]*part) {
	groups = slices.DeleteFunc(groups, func(g []*part) bool { return slices.ContainsFunc(g, s.isKept) })
	for size := len(groups); size > 0; size /= 2 {
		for i := 0; i < len(groups); {
			end := min(i+size, len(groups))
			if s.remove(all, slices.Concat(groups[i:end]...)) {
				groups = slices.Delete(groups, i, end)
			} else {
				i = end
			}
		}
	}
}

// isKept reports whether a part has a record of a finding to keep.
func (s *search) isKept(p *part) bool {
	for k := range s.now.kept {
		if k.record >= 0 && p.start <= s.now.records[k.record].start && s.now.records[k.record].end <= p.end {
			return true
		}
	}
	return false
}

// errNew ends a run with a finding that was not there before.
var errNew = errors.New("a new finding")

// remove removes parts, and reports whether the findings remain. If not, the parts stay.
func (s *search) remove(all *part, parts []*part) bool {
	if len(parts) == 0 || s.left <= 0 || s.err != nil {
		return false
	}
	for _, p := range parts {
		p.gone = true
	}
	rest := restOf(s.now.text, all)
	s.runs, s.left = s.runs+1, s.left-1-len(rest.text)/bytesPerRun
	missing := maps.Clone(s.now.kept)
	result, err := s.linter.Run(s.ctx, s.Name, bytes.NewReader(rest.text), func(f lint.Finding) error {
		k := s.now.keyOf(f.Rule, rest.origin(int(f.Place.Span.Start.Offset)))
		if !s.now.known[k] {
			return errNew
		}
		if missing[k] == f.Cause {
			delete(missing, k)
		}
		return nil
	})
	isFound := err == nil && len(missing) == 0 && result.Protocol == s.now.result.Protocol && result.Kind == s.now.result.Kind
	if s.err = s.ctx.Err(); isFound {
		s.rest = rest
	} else {
		for _, p := range parts {
			p.gone = false
		}
	}
	if s.Tried != nil {
		s.Tried(s.runs, len(s.now.text))
	}
	return isFound
}
