// Package apply applies the fixes of findings to the text of an input.
//
// The fixes of one pass do not touch the same record; fixes that do are applied in
// different passes. After each pass the text is linted again, until no fix is left.
// Fixes that add a finding are not applied, unless each finding that they fix is more
// severe, or the fixes of what they add leave none of it. A fix that returns to an earlier text is an error of its rule, and nothing is
// changed.
package apply

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

const (
	// maxPasses is how many passes change the text at most. Fixes of one record need
	// a pass each; to join n fragments needs log2(n) passes.
	maxPasses = 100
	// maxTrials is the number of trials that add a finding after which withoutSuspects
	// no longer searches for the fixes that cause it: all fixes of such a trial remain
	// unapplied. It bounds the time.
	maxTrials = 24
	// maxFollowing is how often what fixes add is fixed, too, before it is known that
	// they add something.
	maxFollowing = 3
)

// Linters are how a text is checked. Both must be made with [lint.WithFixes].
type Linters struct {
	Fixing  *lint.Linter // its findings are fixed
	Judging *lint.Linter // no fix may add one of its findings; nil is Fixing
}

// Result is a text after its fixes.
type Result struct {
	Text      []byte
	Fixed     map[*lint.Rule]int   // number of fixes by rule
	Applied   []lint.Finding       // with these fixes; their places are in the text of their pass
	Following []lint.Finding       // that these added, with the fixes that were applied with them
	Passes    int                  // passes that changed the text
	Left      []Left               // that remain, in the order of their places
	Why       map[*lint.Fix]string // of these, why a wanted fix was not applied, as in "its fix would add LMC301"
	Summary   lint.Result          // of the last pass
}

// Left is a finding without what only a report shows of it: there may be one for each byte or two of a text.
type Left struct {
	Rule     *lint.Rule
	Severity lint.Severity
	Message  string
	Cause    string
	At       source.Position
	Fix      *lint.Fix // nil if it has none
	related  int64     // the offset of the place in the text that it refers to, or -1
}

// Changed reports whether the text differs from the original.
func (r *Result) Changed() bool { return len(r.Applied) > 0 }

// Remaining returns Summary with the findings that remain counted by cause, as in a check
// without fixes.
func (r *Result) Remaining() lint.Result {
	all, counted := r.Summary, causes{}
	all.Errors, all.Warnings, all.Notes, all.Fixable, all.FixableUnsafely = 0, 0, 0, 0, 0
	for i := range r.Left {
		if f := &r.Left[i]; counted.isFirst(f.Rule, f.Severity, f.Cause) {
			all.Count(&lint.Finding{Severity: f.Severity, Fix: f.Fix})
		}
	}
	all.ErrorPlaces, all.WarningPlaces, all.NotePlaces = r.Summary.ErrorPlaces, r.Summary.WarningPlaces, r.Summary.NotePlaces
	return all
}

// Count returns the number of fixes.
func (r *Result) Count() int { return len(r.Applied) }

// Causes returns the first finding of each cause of Applied: as many as a check counts.
func (r *Result) Causes() (first []lint.Finding) {
	counted := causes{}
	for i := range r.Applied {
		if f := &r.Applied[i]; counted.isFirst(f.Rule, f.Severity, f.Cause) {
			first = append(first, *f)
		}
	}
	return first
}

// causes are the causes that were counted, which a check tells apart by these.
type causes map[cause]bool

type cause struct {
	rule     *lint.Rule
	severity lint.Severity
	because  string
}

// isFirst reports whether a finding is the first one of its cause.
func (c causes) isFirst(rule *lint.Rule, severity lint.Severity, because string) bool {
	key := cause{rule, severity, because}
	isFirst := !c[key]
	c[key] = true
	return isFirst
}

// RuleError is a mistake in the fixes of rules.
type RuleError struct {
	Rules []string // their ids: one of them is wrong
	What  string   // what the fixes do
}

// Error implements the interface error.
func (e *RuleError) Error() string {
	return fmt.Sprintf("internal error: the fixes of %s %s", strings.Join(e.Rules, ", "), e.What)
}

// Text applies fixes to the decompressed text of an input, only safe ones unless
// unsafe is set. An error is that of a linter, a [*RuleError], [ErrBinary] or [ErrFramed]; the text is
// unchanged then.
func Text(ctx context.Context, linters Linters, name string, text []byte, unsafe bool) (*Result, error) {
	f := fixer{Linters: linters, ctx: ctx, name: name, unsafe: unsafe, left: map[leftFix]string{}}
	now, err := f.check(text)
	if err != nil {
		return nil, err
	}
	r, spans := &Result{Fixed: map[*lint.Rule]int{}}, slices.Clone(now.result.Spans)
	seen := map[[sha256.Size]byte]bool{sha256.Sum256(text): true}
	for ; ; r.Passes++ {
		next, applied, err := f.pass(now)
		if err != nil {
			return nil, err
		}
		if next == nil && f.stale { // what added a finding then may add none now
			f.trials, f.left, f.stale = 0, map[leftFix]string{}, false
			if next, applied, err = f.pass(now); err != nil {
				return nil, err
			}
		}
		if next == nil {
			switch {
			case r.Changed() && isBinary(text, spans):
				return nil, ErrBinary
			case r.Changed() && isFramed(text, spans):
				return nil, ErrFramed
			}
			r.Text, r.Left, r.Summary, r.Why = now.text, now.found, now.result, map[*lint.Fix]string{}
			for i := range now.fixable {
				c, ok := f.candidate(now, &now.fixable[i])
				switch {
				case !ok:
				case len(c.changes) == 0:
					r.Why[c.finding.Fix] = "records cannot be inserted or removed there"
				default:
					r.Why[c.finding.Fix] = f.left[c.key()]
				}
			}
			return r, nil
		}
		sum := sha256.Sum256(next.text)
		switch {
		case seen[sum]:
			return nil, &RuleError{idsOf(applied), "undo each other"}
		case r.Passes == maxPasses:
			return nil, &RuleError{idsOf(applied), fmt.Sprintf("do not end after %d passes", maxPasses)}
		}
		seen[sum] = true
		for _, c := range applied {
			if c.isFollowing {
				r.Following = append(r.Following, *c.finding)
				continue
			}
			r.Fixed[c.finding.Rule]++
			r.Applied = append(r.Applied, *c.finding)
		}
		now, f.stale = next, f.stale || f.trials > 0 || len(f.left) > 0
	}
}

// idsOf returns the ids of the rules of fixes, each once and sorted.
func idsOf(applied []candidate) []string {
	var ids []string
	for _, c := range applied {
		ids = append(ids, c.finding.Rule.ID)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// checked is a text and what the linters found in it.
type checked struct {
	text    []byte
	fixable []lint.Finding // with fixes
	found   []Left         // all
	judged  []Left         // of the judging linter
	result  lint.Result
	layout  layout
}

// unreadable counts the unreadable records.
func (c *checked) unreadable() (n int) {
	for _, s := range c.result.Spans {
		if s.Unreadable {
			n++
		}
	}
	return n
}

// fixer fixes one text.
type fixer struct {
	Linters
	ctx    context.Context
	name   string
	unsafe bool
	trials int                // that added a finding
	left   map[leftFix]string // fixes that are not applied, and why
	stale  bool               // whether trials and left are in part those of an earlier text
}

// leftFix is a fix that is not applied: its rule, and where its first change is.
type leftFix struct {
	rule *lint.Rule
	at   int64
}

func (f *fixer) check(text []byte) (*checked, error) {
	c := &checked{text: text}
	texts := map[string]string{} // most are the same
	kept := func(text string) string {
		if _, known := texts[text]; !known {
			text = strings.Clone(text)
			texts[text] = text
		}
		return texts[text]
	}
	keep := func(list *[]Left, found *lint.Finding) {
		left := Left{found.Rule, found.Severity, kept(found.Message), kept(found.Cause), found.Place.Span.Start, found.Fix, -1}
		if len(found.Related) > 0 && found.Related[0].Path == "" {
			left.related = found.Related[0].Place.Span.Start.Offset
		}
		*list = append(*list, left)
	}
	var err error
	c.result, err = f.Fixing.Run(f.ctx, f.name, bytes.NewReader(text), func(found lint.Finding) error {
		keep(&c.found, &found)
		if found.Fix != nil {
			c.fixable = append(c.fixable, found)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(c.found, func(a, b Left) int { return cmp.Compare(a.At.Offset, b.At.Offset) }) // those with fixes came last
	spans := slices.Clone(c.result.Spans)
	slices.SortStableFunc(spans, func(a, b lint.RecordSpan) int { return cmp.Compare(a.Start, b.Start) })
	c.layout = layout{text, source.Form(c.result.Form), spans, lineEndOf(text)}
	if c.judged = c.found; f.Judging != nil {
		c.judged = nil
		_, err = f.Judging.Run(f.ctx, f.name, bytes.NewReader(text), func(found lint.Finding) error {
			keep(&c.judged, &found)
			return nil
		})
	}
	return c, err
}

// candidate is a fix whose changes are all changes of bytes.
type candidate struct {
	finding     *lint.Finding
	changes     []change
	isFollowing bool // the finding was added by other fixes
}

// key returns what identifies the fix.
func (c *candidate) key() leftFix { return leftFix{c.finding.Rule, c.changes[0].start} }

// pass applies the fixes that do not touch the same records and add no finding, but for
// less severe ones. It returns nil if there are none. Those that together add one are tried
// again in the next pass, without the others.
func (f *fixer) pass(now *checked) (next *checked, applied []candidate, err error) {
	for {
		tried := f.candidates(now)
		for len(tried) > 0 {
			next, by, err := f.apply(now, tried)
			if err != nil {
				return nil, nil, err
			}
			if next == nil { // such as of Python literals that other records hold back
				for _, c := range tried {
					f.left[c.key()] = "its fix changes nothing here"
				}
				break
			}
			m, parts, applied := moves{by}, suspectsOf(tried), tried
			find := func() []addition {
				return slices.DeleteFunc(addedTo(now, next, m), func(a addition) bool { return a.isPrice(tried, parts) })
			}
			added := find()
			for len(added) > 0 && len(m) <= maxFollowing { // the fixes of what was added
				more := f.following(next, tried, parts, added)
				after, by, err := f.apply(next, more)
				if err != nil {
					return nil, nil, err
				}
				if after == nil {
					break
				}
				next, m, applied = after, append(m, by), append(slices.Clip(applied), more...)
				added = find()
			}
			if len(added) == 0 {
				moved := make(map[leftFix]string, len(f.left))
				for key, why := range f.left {
					moved[leftFix{key.rule, m.forward(key.at)}] = why
				}
				f.left = moved
				return next, applied, nil
			}
			tried = f.withoutSuspects(tried, parts, added)
		}
		if len(f.candidates(now)) == 0 {
			return nil, nil, nil
		}
	}
}

// apply returns the text after fixes, or nil if they change nothing.
func (f *fixer) apply(now *checked, fixes []candidate) (next *checked, by move, err error) {
	var changes []change
	for _, c := range fixes {
		changes = append(changes, c.changes...)
	}
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
	text := rewrite(now.text, changes)
	if bytes.Equal(text, now.text) {
		return nil, nil, nil
	}
	next, err = f.check(text)
	return next, newMove(changes), err
}

// following returns the fixes of findings that other fixes added, such as of the end flag
// of a block whose start flag was missing as well.
func (f *fixer) following(now *checked, tried []candidate, parts []suspect, added []addition) []candidate {
	added = slices.DeleteFunc(slices.Clone(added), func(a addition) bool {
		near, _ := a.suspects(parts)
		return slices.ContainsFunc(near, func(i int) bool { return tried[i].finding.Fix.Alone })
	})
	after := fixer{Linters: f.Linters, name: f.name, unsafe: f.unsafe, left: map[leftFix]string{}}
	var list []candidate
	isCut := func(e lint.Edit) bool { return e.Change == fix.CloseText } // else all broken records go, one by one
	for _, c := range after.candidates(now) {
		if c.finding.Fix.Alone || slices.ContainsFunc(c.finding.Fix.Edits, isCut) {
			continue
		}
		if slices.ContainsFunc(added, func(a addition) bool {
			return a.found.Rule == c.finding.Rule && a.found.At == c.finding.Place.Span.Start
		}) {
			c.isFollowing = true
			list = append(list, c)
		}
	}
	return list
}

// withoutSuspects returns the fixes to try instead of those that added findings. It
// notes those that surely do as left.
func (f *fixer) withoutSuspects(tried []candidate, parts []suspect, added []addition) []candidate {
	f.trials++
	if len(tried) == 1 || f.trials >= maxTrials {
		for i := range tried {
			f.left[tried[i].key()] = wouldAdd(&added[0])
		}
		return nil
	}
	isSuspect := map[int]bool{}
	for i := range added {
		near, touch := added[i].suspects(parts)
		if touch && len(near) == 1 {
			f.left[tried[near[0]].key()] = wouldAdd(&added[i])
		}
		for _, i := range near {
			isSuspect[i] = true
		}
	}
	var others, undecided []candidate
	for i := range tried {
		if !isSuspect[i] {
			others = append(others, tried[i])
		}
		if f.left[tried[i].key()] == "" {
			undecided = append(undecided, tried[i])
		}
	}
	switch {
	case 0 < len(others) && len(others) < len(tried):
		return others
	case len(undecided) < len(tried):
		return undecided
	}
	slices.SortStableFunc(tried, func(a, b candidate) int { return cmp.Compare(b.finding.Severity, a.finding.Severity) })
	return tried[:len(tried)/2]
}

// suspectsOf returns what fixes touch, sorted.
func suspectsOf(tried []candidate) (parts []suspect) {
	for i := range tried {
		for _, c := range tried[i].changes {
			parts = append(parts, suspect{c.touched, i})
		}
	}
	slices.SortStableFunc(parts, func(a, b suspect) int { return cmp.Compare(a.from, b.from) })
	return parts
}

// wouldAdd says why a fix is not applied.
func wouldAdd(a *addition) string { return "its fix would add " + a.what }

// candidates returns the fixes to apply that do not touch the same records, in the
// order of their places.
func (f *fixer) candidates(now *checked) (list []candidate) {
	for i := range now.fixable {
		c, ok := f.candidate(now, &now.fixable[i])
		if !ok || len(c.changes) == 0 {
			continue
		}
		if _, left := f.left[c.key()]; !left {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.changes[0].start, b.changes[0].start), cmp.Compare(a.finding.Rule.ID, b.finding.Rule.ID))
	})
	taken := ranges{}
	return slices.DeleteFunc(list, func(c candidate) bool { return !taken.add(c.changes) })
}

// candidate returns the fix of a finding, without changes if they are impossible in
// this form of input. It returns false if no fix is wanted.
func (f *fixer) candidate(now *checked, found *lint.Finding) (candidate, bool) {
	made := found.Fix
	if made == nil || len(made.Edits) == 0 || found.Path != f.name || !made.Safe && !f.unsafe {
		return candidate{}, false
	}
	changes, ok := now.layout.changes(made.Edits)
	if !ok {
		changes = nil
	}
	c := candidate{finding: found, changes: changes}
	if ok && now.layout.isQuoted(changes) {
		f.left[c.key()] = "another record quotes the word that its fix changes"
	}
	return c, true
}

// rewrite returns the text with changes, which are sorted and do not overlap.
func rewrite(text []byte, changes []change) []byte {
	size := len(text)
	for _, c := range changes {
		size += len(c.text) - int(c.end-c.start)
	}
	out := make([]byte, 0, size)
	at := int64(0)
	for _, c := range changes {
		out = append(append(out, text[at:c.start]...), c.text...)
		at = c.end
	}
	return append(out, text[at:]...)
}

// ranges are parts of the text that fixes touch, sorted.
type ranges []touched

// touched is a part of the text from one offset up to and including another.
type touched struct{ from, to int64 }

// add adds the parts that changes touch, unless one of them is taken.
func (r *ranges) add(changes []change) bool {
	for _, c := range changes {
		i, _ := slices.BinarySearchFunc(*r, c.touched, func(a, b touched) int { return cmp.Compare(a.to, b.from) })
		if i < len(*r) && (*r)[i].from <= c.touched.to {
			return false
		}
	}
	var last touched
	for _, c := range changes {
		if c.touched == last {
			continue // of the same record
		}
		last = c.touched
		i, _ := slices.BinarySearchFunc(*r, last, func(a, b touched) int { return cmp.Compare(a.from, b.from) })
		*r = slices.Insert(*r, i, last)
	}
	return true
}
