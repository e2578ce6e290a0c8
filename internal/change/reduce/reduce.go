// Package reduce makes a recording smaller, as long as a finding remains.
//
// It removes parts of the text and lints what is left, in memory, again and again: whole
// conversations, then turns, blocks and records, then the members of objects and the
// elements of lists, then text. A part stays if a finding to keep goes with it, is found at
// another record, or if a finding comes that was not there before.
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
	if o.MaxRuns == 0 {
		o.MaxRuns = DefaultMaxRuns
	}
	s := &search{Options: o, ctx: ctx, left: o.MaxRuns}
	var err error
	if s.linter, err = o.New(lint.WithEach()); err != nil {
		return nil, err
	}
	if s.reading, err = o.New(lint.WithEach(), lint.WithObserver(func(string) plugin.Observer { return s.reader })); err != nil {
		return nil, err
	}
	if s.now, err = s.read(text, false); err != nil {
		return nil, err
	}
	result := &Result{Records: [2]int{s.now.result.Records}}
	if result.Kept = s.choose(); len(result.Kept) == 0 {
		return nil, ErrNothing
	}
	s.removeRecords()
	for s.removeValues(); s.rest != nil && s.err == nil; {
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
	found   []found        // sorted
	known   map[key]bool   // of all findings
	kept    map[key]string // of those to keep, with their cause
	places  []int          // the records that these are about, refer to, and were decided by

	python bool
	copies map[int][]int // where texts begin that repeat those of other strings, and where these begin
}

// record is a record of a recording, or a gap with problems.
type record struct {
	start, end int
	begins     level
	isValue    bool  // it can be read
	tree       *part // of its value, if that is wanted and it is in a string
}

// level is what a record begins, as far as that can be removed as a whole.
type level uint8

const (
	conversation level = iota
	turn
	block
	nothing // it continues a block
)

// found is a finding with the offset of the record that decided it.
type found struct {
	lint.Finding
	by int
}

// key identifies a finding: its rule, and the number of its record, -1 between records.
type key struct {
	rule   *lint.Rule
	record int
}

// at returns the number of the record at an offset, or -1.
func (r *recording) at(offset int) int {
	i := sort.Search(len(r.records), func(i int) bool { return r.records[i].start > offset }) - 1
	if i >= 0 && offset <= r.records[i].end {
		return i
	}
	return -1
}

// reader collects the records of a recording. It implements [plugin.Observer].
type reader struct {
	*recording
	isDeep bool
	isOpen bool  // a block is open
	isNew  bool  // a conversation began
	code   []int // where the texts of the last block of code begin
	joined []byte
}

// Begin implements [plugin.Observer].
func (r *reader) Begin(plugin.Conversation) plugin.ConversationObserver {
	r.isNew, r.isOpen = true, false
	return r
}

// Event implements [plugin.ConversationObserver].
func (r *reader) Event(plugin.Mask, any) {}

// Reported implements [plugin.ConversationObserver].
func (r *reader) Reported(uint8, []source.Place) {}

// End implements [plugin.ConversationObserver].
func (r *reader) End(string) {}

// Record implements [plugin.ConversationObserver].
func (r *reader) Record(src *source.Record) {
	span := src.Span()
	rec := record{start: int(span.Start.Offset), end: int(span.End.Offset), begins: block}
	at := func(offset int) int { return rec.start + offset }
	if src.IsDecoded() {
		at = func(offset int) int { return int(src.PositionOf(offset).Offset) }
	}
	r.python = r.python || src.Python
	if rec.isValue = src.Root != nil && src.Root.Kind == source.Object; rec.isValue {
		view := lmc.NewRecord(src)
		if r.isOpen && !view.Start {
			rec.begins = nothing
		} else if view.Role == "user" {
			rec.begins = turn
		}
		r.isOpen = (r.isOpen || view.Start) && !view.End
		if r.isDeep && src.IsDecoded() {
			rec.tree = (&builder{r.recording, true, map[int]*part{}}).value(src.Root, at)
		}
		r.follow(view, at)
	}
	if r.isNew {
		rec.begins, r.isNew = conversation, false
	}
	r.records = append(r.records, rec)
}

// follow notes the text of code, and where a confirmation repeats it. At returns the offset
// in the text of a byte of the record.
func (r *reader) follow(view *lmc.Record, at func(int) int) {
	n := view.Content
	if view.Type == "confirmation" {
		if _, n = lmc.AskedCode(n); n != nil && bytes.Equal(r.joined, r.text[at(n.Start+1):at(n.End-1)]) {
			r.copies[at(n.Start+1)] = slices.Clone(r.code)
		}
	}
	if view.Type != "code" {
		return
	}
	if view.Start {
		r.code, r.joined = nil, nil
	}
	if n != nil && n.Kind == source.String {
		r.code, r.joined = append(r.code, at(n.Start+1)), append(r.joined, r.text[at(n.Start+1):at(n.End-1)]...)
	}
}

// search is the reduction of a recording.
type search struct {
	Options
	ctx     context.Context
	linter  *lint.Linter
	reading *lint.Linter // also for reader
	reader  *reader
	now     *recording
	rest    *rest // the last text with the findings, or nil if that is the one of now
	runs    int
	left    int // runs
	err     error
}

// read lints a text, and reads its records.
func (s *search) read(text []byte, isDeep bool) (*recording, error) {
	r := &recording{text: text, known: map[key]bool{}, kept: map[key]string{}, copies: map[int][]int{}}
	s.reader = &reader{recording: r, isDeep: isDeep}
	var err error
	r.result, err = s.reading.Run(s.ctx, s.Name, bytes.NewReader(text), func(f lint.Finding) error {
		by := 0
		if n := len(r.records); n > 0 {
			by = r.records[n-1].start
		}
		r.found = append(r.found, found{f, by})
		return nil
	})
	slices.SortStableFunc(r.records, func(a, b record) int { return cmp.Compare(a.start, b.start) })
	last := 0
	r.records = slices.DeleteFunc(r.records, func(rec record) bool {
		if rec.start < last || rec.start >= rec.end || rec.end > len(text) { // it is decoded, as from base64
			return true
		}
		last = rec.end
		return false
	})
	slices.SortStableFunc(r.found, func(a, b found) int {
		return cmp.Compare(a.Place.Span.Start.Offset, b.Place.Span.Start.Offset)
	})
	for i := range r.found {
		f := &r.found[i]
		r.known[key{f.Rule, r.at(int(f.Place.Span.Start.Offset))}] = true
	}
	return r, err
}

// choose chooses the findings to keep.
func (s *search) choose() (kept []lint.Finding) {
	seen := map[*lint.Rule]bool{}
	for i := range s.now.found {
		f := &s.now.found[i]
		switch {
		case seen[f.Rule], f.Path != s.Name, s.Keep != nil && !s.Keep(f.Rule), s.Keep == nil && (len(kept) > 0 || f.Severity != lint.SeverityError):
			continue
		}
		seen[f.Rule] = true
		kept = append(kept, f.Finding)
		s.now.keep(f)
	}
	return kept
}

// keep makes a finding one to keep.
func (r *recording) keep(f *found) {
	k := key{f.Rule, r.at(int(f.Place.Span.Start.Offset))}
	r.kept[k] = f.Cause
	r.places = append(r.places, k.record, r.at(f.by))
	for i := range f.Related {
		if f.Related[i].Path == "" {
			r.places = append(r.places, r.at(int(f.Related[i].Place.Span.Start.Offset)))
		}
	}
}

// restart makes what is left the text from which parts are removed.
func (s *search) restart(isDeep bool) {
	before, rest := s.now, s.rest
	if rest == nil {
		rest = restOf(before.text, &part{end: len(before.text)})
	}
	now, err := s.read(rest.text, isDeep)
	if s.err = err; err != nil {
		return
	}
	for i := range now.found {
		f := &now.found[i]
		cause, ok := before.kept[key{f.Rule, before.at(rest.origin(int(f.Place.Span.Start.Offset)))}]
		if ok && cause == f.Cause {
			now.keep(f)
		}
	}
	s.now, s.rest = now, nil
}

// removeRecords removes whole conversations, then turns, blocks and records.
func (s *search) removeRecords() {
	all := (&builder{recording: s.now}).divide()
	units := s.now.units(all)
	if s.narrow(all, s.now.groups(units, block)); s.rest != nil {
		if s.restart(false); s.err != nil {
			return
		}
		all = (&builder{recording: s.now}).divide()
		units = s.now.units(all)
	}
	for begins := conversation; begins <= nothing; begins++ {
		s.minimize(all, s.now.groups(units, begins))
	}
}

// units returns the parts with the records, and with what is between them.
func (r *recording) units(p *part) (units []*part) {
	for _, c := range p.parts {
		inner := []*part(nil)
		if r.from(c.start) < r.from(c.end) {
			inner = r.units(c)
		}
		switch {
		case p.kind == fixed:
			units = append(units, inner...)
		case len(inner) > 0:
			c.of = inner
			units = append(units, inner...)
		default:
			units = append(units, c)
		}
	}
	return units
}

// groups divides parts that are left into groups. Each begins with a record that begins so
// much. A part without records belongs to the group before it.
func (r *recording) groups(units []*part, begins level) (groups [][]*part) {
	for _, p := range units {
		n := r.from(p.start)
		switch {
		case p.gone:
		case len(groups) == 0, n < r.from(p.end) && r.records[n].begins <= begins:
			groups = append(groups, []*part{p})
		default:
			last := &groups[len(groups)-1]
			*last = append(*last, p)
		}
	}
	return groups
}

// narrow removes what is probably far from the findings: all other blocks, or those before
// and after.
func (s *search) narrow(all *part, groups [][]*part) {
	isNear := make([]bool, len(groups))
	first, last := len(groups), 0
	for i, g := range groups {
		for _, p := range g {
			from, to := s.now.from(p.start), s.now.from(p.end)
			if slices.ContainsFunc(s.now.places, func(n int) bool { return from <= n && n < to }) {
				isNear[i], first, last = true, min(first, i), i
			}
		}
	}
	without := func(isLeft func(int) bool) bool {
		var gone []*part
		for i, g := range groups {
			if !isLeft(i) {
				gone = append(gone, g...)
			}
		}
		return s.remove(all, gone)
	}
	if without(func(i int) bool { return isNear[i] }) {
		return
	}
	for n := 1; !without(func(i int) bool { return first-n <= i && i <= last }) && n <= first; n *= 2 {
	}
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

// removeValues removes members, elements and text, those around others first.
func (s *search) removeValues() {
	if s.restart(true); s.err != nil {
		return
	}
	all := (&builder{s.now, true, map[int]*part{}}).divide()
	for depth := 0; s.err == nil; depth++ {
		parts := partsAt(all, depth)
		if len(parts) == 0 {
			break
		}
		groups := make([][]*part, len(parts))
		for i := range parts {
			groups[i] = parts[i : i+1]
		}
		s.minimize(all, groups)
	}
}

// partsAt returns the parts that can be removed, and are in so many others.
func partsAt(p *part, depth int) (parts []*part) {
	for _, c := range p.parts {
		switch {
		case c.gone:
		case p.kind == fixed:
			parts = append(parts, partsAt(c, depth)...)
		case depth == 0:
			parts = append(parts, c)
		default:
			parts = append(parts, partsAt(c, depth-1)...)
		}
	}
	return parts
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
		k := key{f.Rule, s.now.at(rest.origin(int(f.Place.Span.Start.Offset)))}
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
