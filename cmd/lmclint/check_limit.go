package main

import (
	"cmp"
	"errors"
	"slices"

	"github.com/lmclint/lmclint/lint"
)

// limit shows the first findings and counts the others. What it does not show
// counts for the exit status all the same.
type limit struct {
	most   int  // findings to show; 0 is all
	sorted bool // by their place in the input, as documents list them, and not as they are decided

	shown, hidden int
	held          []lint.Finding // of the input at hand, where they are to be sorted
}

// admit shows a finding, or holds it until the input ends.
func (l *limit) admit(f lint.Finding, show func(lint.Finding) error) error {
	switch {
	case l.most == 0:
		return show(f)
	case l.shown == l.most:
		l.hidden++
		return nil
	case !l.sorted:
		l.shown++
		return show(f)
	}
	l.held = append(l.held, f)
	if len(l.held) >= 2*(l.most-l.shown)+64 {
		l.cut()
	}
	return nil
}

// cut lets go of the findings that will not be shown.
func (l *limit) cut() {
	slices.SortStableFunc(l.held, func(a, b lint.Finding) int {
		return cmp.Or(
			cmp.Compare(a.Place.Span.Start.Offset, b.Place.Span.Start.Offset),
			cmp.Compare(a.Rule.ID, b.Rule.ID),
			cmp.Compare(a.Message, b.Message),
		)
	})
	if rest := l.most - l.shown; len(l.held) > rest {
		l.hidden += len(l.held) - rest
		clear(l.held[rest:])
		l.held = l.held[:rest]
	}
}

// release shows what was held of an input.
func (l *limit) release(show func(lint.Finding) error) error {
	if len(l.held) == 0 {
		return nil
	}
	l.cut()
	for _, f := range l.held {
		if err := show(f); err != nil {
			return err
		}
	}
	l.shown += len(l.held)
	l.held = l.held[:0]
	return nil
}

// errFirst ends a run of --fail-fast.
var errFailFast = errors.New("stopped at the first error")

// first is where a run of --fail-fast ended. What later records and inputs
// gave, which were at work already, does not count: it would depend on the
// number of jobs.
type failFastStop struct {
	task    int
	records int // of that input, up to the error
	counts  lint.Result
}

// count counts a finding of the input at hand.
func (f *failFastStop) count(s lint.Severity) {
	switch s {
	case lint.SeverityError:
		f.counts.Errors++
	case lint.SeverityWarning:
		f.counts.Warnings++
	case lint.SeverityNote:
		f.counts.Notes++
	}
}

// result is how the input ended in which the error was.
func (f *failFastStop) result(c checked) checked {
	c.result.Errors, c.result.Warnings, c.result.Notes = f.counts.Errors, f.counts.Warnings, f.counts.Notes
	c.result.Records = f.records
	return checked{c.result, errFailFast}
}
