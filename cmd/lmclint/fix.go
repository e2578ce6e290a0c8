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

	"github.com/dustin/go-humanize/english"
	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/base/atomicfile"
	"github.com/lmclint/lmclint/internal/change/apply"
	"github.com/lmclint/lmclint/internal/show/ink"
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
		Args: operands(1, -1, "nothing to fix: name a file, a directory, or - for standard input"),
	}
	flags := command.Flags()
	o := &fixFlags{}
	flags.BoolVar(&o.unsafe, "unsafe", false, "also apply fixes that may guess wrong")
	flags.BoolVar(&o.diff, "diff", false, "print what would change; change nothing")
	flags.BoolVar(&o.check, "check", false, "only report whether something would change")
	o.checkFlags = shareCheckFlags(flags,
		"protocol", "kind", "form", "dialect", "after", "auto-run", "partial", "allow-empty", "skip-unknown", "stdin-filename", "max-record-bytes",
		"select", "extend-select", "ignore", "config", "isolated", "exclude", "force-exclude", "no-gitignore", "baseline",
		"color", "quiet", "verbose", "fail-on", "jobs", "no-skim")
	flags.Lookup("quiet").Usage = "omit the summary"
	flags.Lookup("verbose").Usage = "list inputs and skips, with reasons"
	flags.Lookup("fail-on").Usage = "fail if SEVERITY or above remains"
	flags.Lookup("jobs").Usage = "inputs fixed in parallel (default all cores)"
	group(flags, "Fixes", []string{"unsafe", "diff", "check", "quiet"}, []string{"verbose", "fail-on", "color", "jobs"})
	command.RunE = interruptible(func(ctx context.Context, operands []string) error { return c.fix(ctx, o, operands) })
	return command
}

// fixFlags are the flags of fix: those of check that say what the inputs are and
// which rules are on, and its own.
type fixFlags struct {
	*checkFlags
	unsafe, diff, check bool
}

// fix fixes the inputs that the operands name.
func (c *Command) fix(ctx context.Context, o *fixFlags, operands []string) error {
	run, err := c.prepareFix(o, operands)
	isStdin := func(in walk.Input) bool { return in.Path == walk.Stdin }
	if o.changes() && slices.Contains(operands, walk.Stdin) && (err != nil || !slices.ContainsFunc(run.inputs, isStdin)) {
		// It is not fixed, but an editor replaces its text with the output.
		in, _, failed := c.open(ctx, walk.Input{Path: walk.Stdin}, false)
		if failed == nil {
			_, failed = io.Copy(c.Stdout, in)
			_ = in.Close()
		}
		if failed != nil && !isClosedPipe(failed) {
			return c.stdout().word(failed)
		}
	}
	if err != nil {
		return err
	}
	if err := each(ctx, &run.inputRun, run.input, run.done); err != nil && !isClosedPipe(err) {
		return err
	}
	return run.conclude(ctx)
}

// prepareFix plans a fix of the inputs that the operands name.
func (c *Command) prepareFix(o *fixFlags, operands []string) (*fixRun, error) {
	plans, inputs, err := c.planInputs(o.checkFlags, operands, nil)
	if err != nil {
		return nil, err
	}
	run := &fixRun{inputRun: newInputRun(c, o.checkFlags, inputs), flags: o, fixed: statistics{}}
	run.regularOnly = true
	run.plans, err = plans.all(run.inputs)
	return run, err
}

// changes reports whether fix changes files.
func (o *fixFlags) changes() bool { return !o.diff && !o.check }

// fixRun is one run of fix over its inputs.
type fixRun struct {
	inputRun
	flags *fixFlags
	plans []*plan // by input

	changed   int            // inputs with fixes
	fixed     statistics     // findings that were fixed
	places    int            // of these
	left      report.Summary // of all inputs that were read: the findings that remain
	unfixed   []unfixed      // what remains, and why
	failures  int            // inputs that were not fixed because of an error
	failed    bool           // a finding at or above --fail-on remains
	unwritten bool           // a fixed file was not written
}

// fixResult is the result of fixing one input.
type fixResult struct {
	path      string
	fixed     *apply.Result // nil if there was nothing to fix
	left      lint.Result
	mayFix    bool      // a rule with fixes found something
	unfixed   []unfixed // what remains, and why
	failed    bool      // a finding at or above --fail-on remains
	output    []byte    // for standard output
	unpatched string    // why its changes are not in the patch
}

// input fixes one input.
func (r *fixRun) input(ctx context.Context, in *opened) (*fixResult, error) {
	f := &fixResult{path: in.name}
	toStdout := in.in.Path == walk.Stdin && r.flags.changes()
	raw, content, err := apply.Read(in.reader)
	if errors.Is(err, apply.ErrTooLarge) && toStdout {
		// Nothing else is written to standard output, so it need not be kept.
		_, failed := io.Copy(r.command.Stdout, io.MultiReader(bytes.NewReader(raw), in.reader))
		return f, errors.Join(err, failed)
	}
	if toStdout {
		f.output = raw // unless it is fixed
	}
	if err == nil {
		err = r.lint(ctx, in, content.Text, f)
	}
	if err == nil && f.mayFix {
		err = r.fix(ctx, in, content.Text, f)
	}
	if _, unknown := errors.AsType[*lint.UnknownInputError](err); unknown && in.skips && toStdout {
		_, failed := r.command.Stdout.Write(raw) // a skipped input has no result
		return f, cmp.Or(failed, err)
	}
	if f.fixed == nil || !f.fixed.Changed() {
		return f, err
	}
	if r.flags.diff {
		f.output, f.unpatched = r.changesOf(f, content.Text, f.fixed.Text, !bytes.Equal(raw, content.Text))
	}
	if !r.flags.changes() {
		return f, err
	}
	packed, failed := content.Pack(f.fixed.Text)
	switch {
	case failed != nil:
		return f, failed
	case toStdout:
		f.output = packed
	default:
		if failed = replaceFile(in.in.Path, raw, packed); failed != nil {
			return f, &unwrittenError{trimPathError(failed).Error()}
		}
	}
	return f, err
}

// errMayFix ends the check of an input in which there may be something to fix.
var errMayFix = errors.New("something to fix")

// lint finds out whether there may be something to fix; if not, what remains.
func (r *fixRun) lint(ctx context.Context, in *opened, text []byte, f *fixResult) error {
	plan, wanted := r.plans[in.number], lint.SafeFixes
	if r.flags.unsafe {
		wanted |= lint.UnsafeFixes
	}
	var left []lint.Finding
	var err error
	f.left, err = plan.linter.Run(ctx, f.path, bytes.NewReader(text), func(found lint.Finding) error {
		f.failed = f.failed || found.Severity >= plan.failOn
		if f.mayFix = found.Rule.Fixes.Has(wanted); f.mayFix {
			return errMayFix
		}
		left = append(left, found)
		return nil
	})
	if f.mayFix {
		return nil
	}
	f.left.Complete(left)
	for i := range left {
		f.addUnfixed(left[i].Rule, left[i].Place.Span.Start, left[i].Count, r.whyUnfixed(left[i].Rule, left[i].Fix))
	}
	return err
}

func (r *fixRun) fix(ctx context.Context, in *opened, text []byte, f *fixResult) error {
	plan := r.plans[in.number]
	linters, err := plan.fixing()
	if err != nil {
		return err
	}
	fixed, err := apply.Text(ctx, linters, f.path, text, r.flags.unsafe)
	if err != nil {
		return err
	}
	f.fixed, f.left, f.unfixed = fixed, fixed.Remaining(), nil
	for i := range fixed.Left {
		found := &fixed.Left[i]
		f.addUnfixed(found.Rule, found.At, 1, cmp.Or(fixed.Why[found.Fix], r.whyUnfixed(found.Rule, found.Fix)))
	}
	f.failed = slices.ContainsFunc(fixed.Left, func(found apply.Left) bool { return found.Severity >= plan.failOn })
	return nil
}

// unwrittenError says why a file that was checked and fixed was not written.
type unwrittenError struct{ why string }

func (e *unwrittenError) Error() string { return "the fixed file was not written: " + e.why }

// changesOf returns what changes in an input: as a patch, or for a terminal each
// change in its record. If a patch cannot have the changes, it says why.
func (r *fixRun) changesOf(f *fixResult, before, after []byte, isCompressed bool) (changes []byte, why string) {
	color := r.command.colorFor(r.flags.color.value, r.command.Stdout)
	if _, ok := terminal(r.command.Stdout); ok {
		return report.Fixes(slices.Concat(f.fixed.Applied, f.fixed.Following), report.Options{Color: color, Width: r.command.widthFor(autoWidth, r.command.Stdout, false)}), ""
	}
	name := filepath.ToSlash(f.path) // as patch and git apply read it
	switch {
	case strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' }):
		name = strconv.Quote(name)
	case strings.Contains(name, " "):
		name += "\t" // ends the name
	}
	_, changes, _ = bytes.Cut(diff.Diff(name, before, name, after), []byte("\n")) // without the command
	switch {
	case isCompressed:
		return nil, "it is compressed"
	case !isPlain(changes):
		return nil, "control characters or commands of CI systems are in them or beside them"
	}
	return patchText(ink.Ink(color), changes), ""
}

// replaceFile replaces the content of a file, unless that is not the old one any
// more.
func replaceFile(path string, old, content []byte) error {
	out, err := atomicfile.Replace(path)
	if err != nil {
		return err
	}
	var now []byte
	if _, err = out.Write(content); err == nil {
		now, err = os.ReadFile(path)
	}
	if err == nil && !bytes.Equal(now, old) {
		err = errors.New("the file changed in the meantime; it was not fixed")
	}
	if err == nil {
		err = out.Sync() // it may be the only copy: a power failure must not leave an empty file
	}
	if err != nil {
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

// add counts the result of an input, and names it if it was changed and is the only one.
func (r *fixRun) add(f *fixResult) {
	r.failed = r.failed || f.failed
	r.left.Add(report.File{Result: f.left})
	for _, each := range f.unfixed {
		r.unfixed = addUnfixed(r.unfixed, each)
	}
	if f.fixed == nil || !f.fixed.Changed() {
		return
	}
	r.changed++
	if f.unpatched != "" {
		r.command.printLine("%s: its changes are not in the patch: %s", f.path, f.unpatched)
	}
	causes := f.fixed.Causes()
	for i := range causes {
		r.fixed.add(causes[i].Rule, causes[i].Severity, 1)
	}
	r.places += f.fixed.Count()
	if !r.flags.quiet && !r.flags.diff && (len(r.inputs) == 1 || r.flags.verbose) {
		r.command.printLine("%s %s: %s", r.verb(), f.path, report.WithPlaces(len(causes), "finding", f.fixed.Count()))
	}
}

// maxNamedUnfixed is how many lines of a run say what is not fixed.
const maxNamedUnfixed = 20

// unfixed is the findings of a rule that remain for the same reason.
type unfixed struct {
	rule, why string
	path      string // of the first
	at        source.Position
	count     int // of places
	files     int
}

// String says what remains, and why.
func (u unfixed) String() string {
	text := u.rule + " is not fixed: " + u.why
	if u.count > 1 {
		text += " (" + english.Plural(u.count, "place", "")
		if u.files > 1 {
			text += " in " + english.Plural(u.files, "file", "")
		}
		text += ")"
	}
	return text
}

// addUnfixed adds a finding that remains, with the number of its places.
func (f *fixResult) addUnfixed(rule *lint.Rule, at source.Position, count int, why string) {
	f.unfixed = addUnfixed(f.unfixed, unfixed{rule: rule.ID, why: why, path: f.path, at: at, count: count, files: 1})
}

// addUnfixed adds to a list what remains, of an input or of another one.
func addUnfixed(list []unfixed, u unfixed) []unfixed {
	for i := range list {
		if l := &list[i]; l.rule == u.rule && l.why == u.why {
			if l.count += u.count; l.path != u.path {
				l.files++
			}
			return list
		}
	}
	return append(list, u)
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
		for _, u := range r.unfixed[:min(len(r.unfixed), maxNamedUnfixed)] {
			r.command.printAt(u.path, u.at, "%s", u)
		}
		if more := len(r.unfixed) - maxNamedUnfixed; more > 0 {
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
		b.WriteString(r.verb() + " " + report.WithPlaces(count, "finding", r.places) + " in " + files + "\n" + r.fixed.String())
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
