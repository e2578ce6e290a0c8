// Package fix applies the fixes of findings to the text of an input.
//
// The fixes of one pass do not touch the same record; those that do take turns.
// After each pass the text is linted again, until no fix is left. A fix that
// makes records unreadable, or that returns to an earlier text, is an error of
// its rule, and nothing is changed.
package fix

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/lint"
)

// maxPasses is how often a text is linted at most. Fixes of one record need a
// pass each; to join n fragments needs log2(n) passes.
const maxPasses = 100

// Result is a text after its fixes.
type Result struct {
	Text    []byte
	Fixed   map[*lint.Rule]int // number of fixes by rule
	Passes  int                // passes that changed the text
	Left    []lint.Finding     // that remain
	Summary lint.Result        // of the last pass

	// Impossible are the findings that remain because their fix would insert or
	// remove records where the form of the input does not allow it.
	Impossible []lint.Finding
}

// Changed reports whether the text differs from the original.
func (r *Result) Changed() bool { return len(r.Fixed) > 0 }

// Count returns the number of fixes.
func (r *Result) Count() (n int) {
	for _, count := range r.Fixed {
		n += count
	}
	return n
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
// unsafe is set. The linter must be made with [lint.WithFixes]. An error is that
// of the linter, or a [*RuleError]; the text is unchanged then.
func Text(ctx context.Context, linter *lint.Linter, name string, text []byte, unsafe bool) (*Result, error) {
	p := pass{linter: linter, name: name, unsafe: unsafe}
	r := &Result{Text: text, Fixed: map[*lint.Rule]int{}}
	lost := -1 // unreadable records before the last pass
	seen := map[[sha256.Size]byte]bool{sha256.Sum256(text): true}
	var last []*lint.Rule // rules of the last pass
	for ; ; r.Passes++ {
		if err := p.lint(ctx, r.Text); err != nil {
			return nil, err
		}
		if lost >= 0 && p.unreadable() > lost {
			return nil, &RuleError{idsOf(last), "make records unreadable"}
		}
		lost = p.unreadable()
		next, applied := p.apply()
		if len(applied) == 0 {
			r.Left, r.Summary, r.Impossible = p.findings, p.result, p.impossible
			return r, nil
		}
		last = applied
		sum := sha256.Sum256(next)
		switch {
		case seen[sum]:
			return nil, &RuleError{idsOf(last), "undo each other"}
		case r.Passes == maxPasses:
			return nil, &RuleError{idsOf(last), fmt.Sprintf("do not end after %d passes", maxPasses)}
		}
		seen[sum] = true
		for _, rule := range applied {
			r.Fixed[rule]++
		}
		r.Text = next
	}
}

// idsOf returns the ids of rules, each once and sorted.
func idsOf(rules []*lint.Rule) []string {
	var ids []string
	for _, rule := range rules {
		ids = append(ids, rule.ID)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// pass is one check of the text, and the fixes of what it found.
type pass struct {
	linter *lint.Linter
	name   string
	unsafe bool

	text     []byte
	findings []lint.Finding
	result   lint.Result
	layout   layout

	impossible []lint.Finding // whose fixes cannot be made in this form
}

func (p *pass) lint(ctx context.Context, text []byte) error {
	p.text, p.findings, p.impossible = text, nil, nil
	var err error
	p.result, err = p.linter.Run(ctx, p.name, bytes.NewReader(text), func(f lint.Finding) error {
		p.findings = append(p.findings, f)
		return nil
	})
	p.layout = newLayout(text, &p.result)
	return err
}

// unreadable counts the unreadable records.
func (p *pass) unreadable() (n int) {
	for _, s := range p.result.Spans {
		if s.Unreadable {
			n++
		}
	}
	return n
}

// candidate is a fix whose changes are all changes of bytes.
type candidate struct {
	rule    *lint.Rule
	changes []change
}

// apply applies the fixes that do not touch the same records, and returns the
// new text and the rule of each fix.
func (p *pass) apply() (text []byte, applied []*lint.Rule) {
	var changes []change
	taken := ranges{}
	for _, c := range p.candidates() {
		if !taken.add(c.changes) {
			continue
		}
		changes = append(changes, c.changes...)
		applied = append(applied, c.rule)
	}
	return rewrite(p.text, changes), applied
}

// candidates returns the fixes to apply, in the order of their places.
func (p *pass) candidates() []candidate {
	var list []candidate
	for i := range p.findings {
		f := &p.findings[i]
		if f.Fix == nil || f.Path != p.name || !f.Fix.Safe && !p.unsafe {
			continue
		}
		switch changes, ok := p.layout.changes(f.Fix.Edits); {
		case ok:
			list = append(list, candidate{f.Rule, changes})
		case len(f.Fix.Edits) > 0:
			p.impossible = append(p.impossible, *f)
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.changes[0].start, b.changes[0].start), cmp.Compare(a.rule.ID, b.rule.ID))
	})
	return list
}

// rewrite returns the text with changes, which do not overlap.
func rewrite(text []byte, changes []change) []byte {
	if len(changes) == 0 {
		return text
	}
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
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
