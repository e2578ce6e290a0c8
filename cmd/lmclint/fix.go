package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/dustin/go-humanize/english"
	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/interrupt"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/atomicfile"
	"github.com/lmclint/lmclint/internal/fix/apply"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

func (c *Command) fixCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "fix " + checkOperands,
		Short: "fix mistakes in transcripts and streams",
		Long: `Fix changes files in place. It applies only safe fixes: those after which
consumers get the same data as before, or what was clearly intended. The rest is
unchanged, byte for byte. Compressed files are compressed again; archives are
not changed. With -, standard input is fixed and written to standard output.

Exit status: 0 no findings at or above --fail-on remain, 1 some remain, 2 an
input could not be fixed. With --diff and --check: 1 something would change.
To a terminal, --diff shows each change in its record; else it prints a patch.`,
		Example: name + " fix --diff recordings/\n" +
			name + " fix --select LMC120,LMC008 stream.jsonl",
		Args: fixable,
	}
	o := defineFixFlags(command.Flags())
	command.RunE = func(_ *cobra.Command, operands []string) error { return c.fix(o, operands) }
	return command
}

// fixable fails without operands.
func fixable(_ *cobra.Command, operands []string) error {
	if len(operands) == 0 {
		return usagef("nothing to fix: name a file, a directory, or - for standard input")
	}
	return nil
}

// fixFlags are the flags of fix: those of check that say what the inputs are and
// which rules are on, and its own.
type fixFlags struct {
	*checkFlags
	unsafe, diff, check bool
}

func defineFixFlags(flags *pflag.FlagSet) *fixFlags {
	o := &fixFlags{}
	flags.BoolVar(&o.unsafe, "unsafe", false, "also apply fixes that may guess wrong")
	flags.BoolVar(&o.diff, "diff", false, "print what would change; change nothing")
	flags.BoolVar(&o.check, "check", false, "only report whether something would change")
	o.checkFlags = defineCheckFlagsBut(flags,
		"against", "write-baseline", "prune-baseline", "format", "for", "coverage", "max-findings", "max-repeats", "hyperlinks", "width",
		"timing", "statistics", "fail-fast", "tee", "stop-on", "stop-hard", "acknowledge", "rendered")
	flags.Lookup("quiet").Usage = "omit the summary"
	flags.Lookup("verbose").Usage = "list inputs and skips, with reasons"
	flags.Lookup("fail-on").Usage = "fail if SEVERITY or above remains"
	flags.Lookup("jobs").Usage = "inputs fixed in parallel (default all cores)"
	group(flags, "Fixes", []string{"unsafe", "diff", "check", "quiet"}, []string{"verbose", "fail-on", "color", "jobs"})
	return o
}

// fix fixes the inputs that the operands name.
func (c *Command) fix(o *fixFlags, operands []string) error {
	ctx, stop := interrupt.Context(context.Background())
	defer stop()
	run, err := c.prepareFix(o, operands)
	isStdin := func(in walk.Input) bool { return in.Path == walk.Stdin }
	if o.changes() && slices.Contains(operands, walk.Stdin) && (err != nil || !slices.ContainsFunc(run.inputs, isStdin)) {
		if err := c.copyStdin(ctx); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	return run.all(ctx)
}

// prepareFix plans a fix of the inputs that the operands name.
func (c *Command) prepareFix(o *fixFlags, operands []string) (*fixRun, error) {
	plans, err := c.newPlans(o.checkFlags)
	if err != nil {
		return nil, err
	}
	inputs, err := plans.inputs(operands, nil, c.details(o.verbose))
	if err != nil {
		return nil, err
	}
	run := &fixRun{inputRun: newInputRun(c, o.checkFlags, inputs), flags: o, fixed: map[*lint.Rule]int{}, linters: map[linterKey]apply.Linters{}}
	run.regularOnly = true
	run.plans, err = plans.all(run.inputs)
	return run, err
}

// copyStdin copies standard input that is not fixed: an editor replaces its text
// with the output.
func (c *Command) copyStdin(ctx context.Context) error {
	in, _, err := c.open(ctx, walk.Input{Path: walk.Stdin})
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	if _, err := io.Copy(c.Stdout, in); err != nil && !isClosedPipe(err) {
		return c.stdout().word(err)
	}
	return nil
}

// changes reports whether fix changes files.
func (o *fixFlags) changes() bool { return !o.diff && !o.check }

// fixRun is one run of fix over its inputs.
type fixRun struct {
	inputRun
	flags *fixFlags
	plans []*plan // by input

	mu      sync.Mutex
	linters map[linterKey]apply.Linters // made when they are needed

	changed   int                // inputs with fixes
	fixed     map[*lint.Rule]int // fixes by rule
	left      report.Summary     // of all inputs that were read: the findings that remain
	named     int                // lines that said what is not fixed
	failed    bool               // a finding at or above --fail-on remains
	unwritten bool               // a fixed file was not written
}

// linterKey is what the linters of an input depend on.
type linterKey struct {
	plan     *plan
	searched bool
}

// fixResult is the result of fixing one input.
type fixResult struct {
	path    string
	fixed   *apply.Result // nil if there was nothing to fix
	left    lint.Result
	mayFix  bool      // a rule with fixes found something
	unfixed []unfixed // what remains, and why
	failed  bool      // a finding at or above --fail-on remains
	output  []byte    // for standard output
}

// all fixes the inputs and returns how the run ended.
func (r *fixRun) all(ctx context.Context) error {
	if err := each(ctx, &r.inputRun, r.input, r.done); err != nil && !isClosedPipe(err) {
		return err
	}
	return r.conclude(ctx)
}

// input fixes one input.
func (r *fixRun) input(ctx context.Context, in *opened) (*fixResult, error) {
	f := &fixResult{path: in.name}
	raw, content, err := r.read(in)
	if in.in.Path == walk.Stdin && r.flags.changes() {
		f.output = raw // unless it is fixed
	}
	if err == nil {
		text := content.Text
		if err = r.lint(ctx, in, text, f); err == nil && f.mayFix {
			if err = r.fix(ctx, in, text, f); err == nil {
				text = f.fixed.Text
			}
		}
		if failed := r.finish(in.in, raw, content, text, f); failed != nil {
			err = failed
		}
	}
	return f, err
}

// read reads an input to its end.
func (r *fixRun) read(in *opened) ([]byte, apply.Content, error) {
	raw, content, err := apply.Read(in.reader)
	if errors.Is(err, apply.ErrTooLarge) && in.in.Path == walk.Stdin && r.flags.changes() {
		// Nothing else is written to standard output, so it need not be kept.
		_, failed := io.Copy(r.command.Stdout, io.MultiReader(bytes.NewReader(raw), in.reader))
		return nil, content, errors.Join(err, failed)
	}
	return raw, content, err
}

// errMayFix ends the check of an input in which there may be something to fix.
var errMayFix = errors.New("something to fix")

// lint finds out whether there may be something to fix; if not, what remains.
func (r *fixRun) lint(ctx context.Context, in *opened, text []byte, f *fixResult) error {
	plan, wanted := r.plans[in.number], lint.SafeFixes
	if r.flags.unsafe {
		wanted |= lint.UnsafeFixes
	}
	var err error
	f.left, err = plan.linterOf(r.skips(in.in)).Run(ctx, f.path, bytes.NewReader(text), func(found lint.Finding) error {
		f.failed = f.failed || found.Severity >= plan.failOn
		if f.mayFix = found.Rule.Fixes.Has(wanted); f.mayFix {
			return errMayFix
		}
		f.addUnfixed(&found, r.whyUnfixed(&found))
		return nil
	})
	if f.mayFix {
		return nil
	}
	return err
}

func (r *fixRun) fix(ctx context.Context, in *opened, text []byte, f *fixResult) error {
	plan := r.plans[in.number]
	linters, err := r.lintersOf(plan, r.skips(in.in))
	if err != nil {
		return err
	}
	fixed, err := apply.Text(ctx, linters, f.path, text, r.flags.unsafe)
	if err != nil {
		return err
	}
	f.fixed, f.left, f.unfixed = fixed, fixed.Summary, nil
	for i := range fixed.Left {
		found := &fixed.Left[i]
		f.addUnfixed(found, cmp.Or(fixed.Why[found.Fix], r.whyUnfixed(found)))
	}
	f.failed = slices.ContainsFunc(fixed.Left, func(found lint.Finding) bool { return found.Severity >= plan.failOn })
	return nil
}

// lintersOf returns the linters that fix inputs with a plan, which share them.
func (r *fixRun) lintersOf(p *plan, searched bool) (made apply.Linters, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	made, known := r.linters[linterKey{p, searched}]
	if !known {
		if made.Fixing, err = p.newLinter(searched, lint.WithFixes()); err != nil {
			return made, err
		}
		made.Judging, err = p.judging(searched)
		r.linters[linterKey{p, searched}] = made
	}
	return made, err
}

// finish writes the text of an input, or what changes in it.
func (r *fixRun) finish(in walk.Input, raw []byte, content apply.Content, text []byte, f *fixResult) error {
	isChanged := f.fixed != nil && f.fixed.Changed()
	switch {
	case r.flags.diff && isChanged:
		f.output = r.changesOf(f, content.Text, text)
	case isChanged && r.flags.changes():
		packed, err := content.Pack(text)
		switch {
		case err != nil:
			return err
		case in.Path == walk.Stdin:
			f.output = packed
		default:
			if err := replaceFile(in.Path, raw, packed); err != nil {
				return &unwrittenError{trimPathError(err).Error()}
			}
		}
	}
	return nil
}

// unwrittenError says why a file that was checked and fixed was not written.
type unwrittenError struct{ why string }

func (e *unwrittenError) Error() string { return "the fixed file was not written: " + e.why }

// changesOf returns what changes in an input: as a patch, or for a terminal each
// change in its record.
func (r *fixRun) changesOf(f *fixResult, before, after []byte) []byte {
	color := r.command.colorFor(r.flags.color.value, r.command.Stdout)
	if _, ok := terminal(r.command.Stdout); ok {
		return report.Fixes(f.fixed.Applied, report.Options{Color: color, Width: r.command.widthFor(autoWidth, r.command.Stdout, false)})
	}
	return ink{color}.patch(unifiedDiff(f.path, before, after))
}

// unifiedDiff returns what changes in a file, as patch and git apply read it.
func unifiedDiff(path string, before, after []byte) []byte {
	name := filepath.ToSlash(path)
	switch {
	case strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' }):
		name = strconv.Quote(name)
	case strings.Contains(name, " "):
		name += "\t" // ends the name
	}
	_, changes, _ := bytes.Cut(diff.Diff(name, before, name, after), []byte("\n")) // without the command
	return changes
}

// replaceFile replaces the content of a file, unless that is not the old one any
// more.
func replaceFile(path string, old, content []byte) error {
	out, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	if _, err := out.Write(content); err != nil {
		return errors.Join(err, out.Discard())
	}
	now, err := os.ReadFile(path)
	switch {
	case err != nil:
		return errors.Join(err, out.Discard())
	case !bytes.Equal(now, old):
		return errors.Join(errors.New("the file changed in the meantime; it was not fixed"), out.Discard())
	}
	if err := out.Sync(); err != nil { // it may be the only copy: a power failure must not leave an empty file
		return errors.Join(err, out.Discard())
	}
	return out.Commit()
}

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
			if failed := (*unwrittenError)(nil); errors.As(o.err, &failed) {
				r.unwritten = true
			}
			r.command.printFailure(o.path, o.err)
		}
		return nil
	}
	r.details.input(r.plans[o.number], f.left)
	r.details.explainAutoRun(r.flags.checkFlags, r.plans[o.number], f.left)
	r.trouble = r.trouble || f.left.Empty && !r.plans[o.number].input.AllowEmpty
	r.add(f)
	return nil
}

// add counts the result of an input, and names it if it was changed.
func (r *fixRun) add(f *fixResult) {
	r.failed = r.failed || f.failed
	r.left.Add(report.File{Result: f.left})
	r.printUnfixed(f)
	if f.fixed == nil || !f.fixed.Changed() {
		return
	}
	r.changed++
	for rule, count := range f.fixed.Fixed {
		r.fixed[rule] += count
	}
	if !r.flags.quiet && !r.flags.diff {
		r.command.printLine("%s %s: %s", r.verb(), f.path, english.Plural(f.fixed.Count(), "finding", ""))
	}
}

// printUnfixed names what remains in an input, and says why: the first finding of each
// rule for each reason.
func (r *fixRun) printUnfixed(f *fixResult) {
	if r.flags.quiet {
		return
	}
	for _, each := range f.unfixed {
		if r.named++; r.named > maxNamedUnfixed {
			continue // the summary counts them
		}
		more := ""
		if each.count > 1 {
			more = fmt.Sprintf(" (%s)", english.Plural(each.count, "finding", ""))
		}
		r.command.printAt(f.path, each.at, "%s is not fixed: %s%s", each.rule, each.why, more)
	}
}

// maxNamedUnfixed is how many lines of a run say what is not fixed.
const maxNamedUnfixed = 20

// unfixed is the findings of a rule that remain for the same reason.
type unfixed struct {
	rule, why string
	at        source.Position // of the first
	count     int
}

// addUnfixed adds a finding that remains.
func (f *fixResult) addUnfixed(found *lint.Finding, why string) {
	i := slices.IndexFunc(f.unfixed, func(u unfixed) bool { return u.rule == found.Rule.ID && u.why == why })
	if i < 0 {
		i = len(f.unfixed)
		f.unfixed = append(f.unfixed, unfixed{rule: found.Rule.ID, why: why, at: found.Place.Span.Start})
	}
	f.unfixed[i].count++
}

// whyUnfixed says why a finding remains whose fix was not tried.
func (r *fixRun) whyUnfixed(found *lint.Finding) string {
	switch {
	case found.Fix != nil && !found.Fix.Safe && !r.flags.unsafe:
		return "its fix is unsafe, pass --unsafe"
	case found.Rule.Fixes != 0:
		return "the records around it leave more than one fix, or none"
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
		r.command.printStderr(r.summary())
	}
	switch {
	case interrupted:
		return status
	case r.trouble:
		return statusError(exitTrouble)
	case r.flags.changes() && r.failed, !r.flags.changes() && r.changed > 0:
		return statusError(exitFindings)
	}
	return nil
}

// remain returns the verb for a number of findings.
func remain(findings int) string {
	if findings == 1 {
		return "remains"
	}
	return "remain"
}

// summary says what was fixed, by rule, and what remains.
func (r *fixRun) summary() string {
	var b strings.Builder
	total := statistics{}
	count := 0
	for rule, n := range r.fixed {
		total[rule] = &ruleCount{n, rule.Severity}
		count += n
	}
	files := english.Plural(r.left.Files, "file", "")
	if r.left.Files != 1 {
		files = fmt.Sprintf("%d of %s", r.changed, files)
	}
	switch {
	case r.left.Files == 0:
		what := "checked"
		if r.unwritten {
			what = "fixed"
		}
		b.WriteString("nothing was " + what + "\n")
	case count == 0:
		b.WriteString("nothing to fix in " + english.Plural(r.left.Files, "file", "") + "\n")
	default:
		b.WriteString(r.verb() + " " + english.Plural(count, "finding", "") + " in " + files + "\n" + total.String())
	}
	if rest := r.left.Findings(); rest != "" {
		b.WriteString(rest + " " + remain(r.left.Errors+r.left.Warnings+r.left.Notes))
		if more := r.left.FixableUnsafely; more > 0 && !r.flags.unsafe {
			b.WriteString(", " + report.Summary{FixableUnsafely: more}.Fixes(name))
		}
		b.WriteString("\n")
	}
	return b.String()
}
