package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/lmclint/lmclint/internal/change/apply"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

// done writes the output of an input, and reports its result.
func (r *fixRun) done(o outcome[*fixResult]) error {
	f := o.result
	if f != nil && len(f.output) > 0 {
		if _, err := r.command.Stdout.Write(f.output); err != nil {
			if isClosedPipe(err) && o.err == nil {
				r.add(f) // the status is that of what was found up to here
			}
			return r.command.stdout().word(err)
		}
	}
	if o.err != nil {
		if _, interrupted := interruption(o.err); !interrupted { // that is printed once, at the end of the run
			r.trouble = true
			_, unwritten := errors.AsType[*unwrittenError](o.err)
			r.unwritten = r.unwritten || unwritten || errors.Is(o.err, apply.ErrBinary) || errors.Is(o.err, apply.ErrFramed)
			r.failures++
			r.command.printFailure(o.path, o.err)
		}
		return nil
	}
	r.explainInput(r.plans[o.number], f.left)
	r.explainAutoRun(r.plans[o.number], f.left)
	r.add(f)
	if r.plans[o.number].lacksRecords(f.left) {
		r.trouble = true
		r.command.printFailure(o.path, errNoRecords)
	}
	return nil
}

// add counts the result of an input, and names it if it was changed. It says what remains
// and why: the first finding of each rule for each reason.
func (r *fixRun) add(f *fixResult) {
	r.failed = r.failed || f.failed
	r.left.Add(report.File{Result: f.left})
	for _, each := range f.unfixed {
		if r.named++; r.flags.quiet || r.named > maxNamedUnfixed {
			continue // the summary counts them
		}
		more := ""
		if each.count > 1 {
			more = fmt.Sprintf(" (%s)", english.Plural(each.count, "place", ""))
		}
		r.command.printAt(f.path, each.at, "%s is not fixed: %s%s", each.rule, each.why, more)
	}
	if f.fixed == nil || !f.fixed.Changed() {
		return
	}
	r.changed++
	if f.unpatched != "" {
		r.command.printLine("%s: its changes are not in the patch: %s", f.path, f.unpatched)
	}
	for _, found := range f.fixed.Applied {
		r.fixed.add(found.Rule, found.Severity, 1)
	}
	if !r.flags.quiet && !r.flags.diff {
		r.command.printLine("%s %s: %s", r.verb(), f.path, english.Plural(f.fixed.Count(), "finding", ""))
	}
}

// maxNamedUnfixed is how many lines of a run say what is not fixed.
const maxNamedUnfixed = 20

// unfixed is the findings of a rule that remain for the same reason.
type unfixed struct {
	rule, why string
	at        source.Position // of the first
	count     int             // of places
}

// addUnfixed adds a finding that remains, with the number of its places.
func (f *fixResult) addUnfixed(rule *lint.Rule, at source.Position, count int, why string) {
	i := slices.IndexFunc(f.unfixed, func(u unfixed) bool { return u.rule == rule.ID && u.why == why })
	if i < 0 {
		i = len(f.unfixed)
		f.unfixed = append(f.unfixed, unfixed{rule: rule.ID, why: why, at: at})
	}
	f.unfixed[i].count += count
}

// whyUnfixed says why a finding remains whose fix was not tried.
func (r *fixRun) whyUnfixed(rule *lint.Rule, fix *lint.Fix) string {
	switch {
	case fix != nil && !fix.Safe && !r.flags.unsafe:
		return "its fix is unsafe, pass --unsafe"
	case rule.Fixes != 0:
		return "the record cannot be changed there, or it is not certain how"
	}
	return "its rule has no fix"
}

// verb says what is done with a file.
func (r *fixRun) verb() string {
	if r.flags.changes() {
		return "fixed"
	}
	return "would fix"
}

// conclude prints the summary and returns the exit status.
func (r *fixRun) conclude(ctx context.Context) error {
	status, interrupted := r.interrupted(ctx, "some inputs are not fixed")
	if !interrupted {
		r.printEmptyRoots()
	}
	if !r.flags.quiet {
		if more := r.named - maxNamedUnfixed; more > 0 {
			r.command.printLine("%d more lines say what is not fixed; %s check shows all findings", more, name)
		}
		r.command.printStderr(r.summary() + r.unread())
	}
	if interrupted {
		return status
	}
	return exitStatus(r.trouble, r.flags.changes() && r.failed || !r.flags.changes() && r.changed > 0)
}

// summary says what was fixed, by rule, and what remains.
func (r *fixRun) summary() string {
	var b strings.Builder
	count := 0
	for _, fixed := range r.fixed {
		count += fixed.findings
	}
	files := english.Plural(r.left.Files+r.failures, "file", "")
	if r.left.Files+r.failures != 1 {
		files = fmt.Sprintf("%d of %s", r.changed, files)
	}
	switch {
	case r.left.Files == 0 && r.unwritten:
		b.WriteString("nothing was fixed\n")
	case r.left.Files == 0:
		b.WriteString("nothing was checked\n")
	case count == 0:
		b.WriteString("nothing to fix in " + english.Plural(r.left.Files, "file", "") + "\n")
	default:
		b.WriteString(r.verb() + " " + english.Plural(count, "finding", "") + " in " + files + "\n" + r.fixed.String())
	}
	if rest := r.left.Findings(); rest != "" {
		b.WriteString(rest + " " + english.PluralWord(r.left.Errors+r.left.Warnings+r.left.Notes, "remains", "remain"))
		if more := r.left.FixableUnsafely; more > 0 && !r.flags.unsafe {
			b.WriteString(", " + report.Summary{FixableUnsafely: more}.Fixes(name))
		}
		b.WriteString("\n")
	}
	return b.String()
}
