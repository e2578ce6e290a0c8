package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/assemble"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/show/coverage"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/text"
	"github.com/lmclint/lmclint/internal/verify/conformance"
	"github.com/lmclint/lmclint/internal/verify/suite"
	"github.com/lmclint/lmclint/internal/verify/suite/author"
	"github.com/lmclint/lmclint/internal/verify/suite/caselint"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
	"github.com/lmclint/lmclint/rules"
	"github.com/lmclint/lmclint/schema"
)

func (c *Command) suiteCommand() *cobra.Command {
	return withSubcommands(&cobra.Command{
		Use:   "suite run [flags]",
		Short: "run the conformance suite against another program",
		Long: `run  run the suite against a checker, a consumer or a producer

The suite is the directory testdata of a checkout, or the archive of a release.
A checkout without manifest.json gets one.`,
		Example: name + " suite run --consumer 'python3 consumer.py'",
	}, c.suiteRunCommand())
}

func (c *Command) suiteRunCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "run [flags]",
		Short: "run the conformance suite against another program",
		Long: `CMD reads standard input and answers on standard output:

  checker   gets an input, answers with findings
  consumer  gets a stream, answers with the transcript
  producer  gets a transcript, answers with a stream

CMD is not run by a shell. Environment variables and placeholders describe the
input; docs/conformance.md lists them and the expected answers.

Exit status: 0 all passed, 1 some failed, 2 the run failed.`,
		Example: name + " suite run --checker '" + name + " check --isolated --format json {flags} -'\n" +
			name + " suite run --consumer 'python3 consumer.py' --without dialect:server\n" +
			name + " suite run --checker ./checker --level should --badge badge.svg --format junit",
		Args: operands(0, 0, "suite run takes no operands: quote the command"),
	}
	flags := command.Flags()
	o := &suiteFlags{
		flags: flags, commands: map[conformance.Kind]*string{},
		timeout: number{value: 10, least: 1, most: 3600, shown: "SECONDS", expected: "a whole number of seconds, 1 to 3600"},
		jobs:    number{least: 1, most: 1024, shown: "N", expected: "a whole number, 1 to 1024"},
	}
	for _, kind := range conformance.Kinds() {
		o.commands[kind] = flags.String(string(kind), "", "`CMD` that is a "+string(kind))
	}
	flags.StringVar(&o.folder, "suite", "", "`DIR` with manifest.json (default testdata or .)")
	flags.StringSliceVar(&o.profiles, "profile", []string{string(suite.Core)}, "`PROFILES`: core, dialects, forms, sessions, workbench, or all")
	o.level = choiceFlag(flags, "level", "LEVEL", "one, must (a mistake may be told twice), should (warnings, too) or may (notes, too)", []string{"one", "must", "should", "may"})
	flags.StringSliceVar(&o.runner.IDs, "id", nil, "only cases whose id matches these `GLOBS`, such as core/bad/lmc2*")
	flags.StringSliceVar(&o.cases, "case", nil, "only the case with this `NAME`: its id, or the name of its input")
	flags.StringSliceVar(&o.runner.Features, "feature", nil, "CMD has only these `FEATURES`")
	flags.StringSliceVar(&o.runner.Without, "without", nil, "CMD does not have these `FEATURES`")
	flags.BoolVar(&o.runner.FailFast, "fail-fast", false, "start no case after one that failed")
	flags.StringVar(&o.expected, "expected-failures", "", "`FILE` of cases that are known to fail: an id per line")
	flags.StringVar(&o.writeTo, "write-expected-failures", "", "write the cases that fail to `FILE`")
	flags.BoolVar(&o.runner.Strict, "strict", false, "compare columns, pointers and severities, too")
	flags.Var(&o.timeout, "timeout", "time for each case")
	flags.Var(&o.jobs, "jobs", "cases at a time (default all cores)")
	flags.BoolVar(&o.list, "list", false, "list the cases; run nothing")
	o.format = choiceFlag(flags, "format", "FORMAT", "text, json or junit", []string{"text", "json", "junit"})
	flags.StringVarP(&o.output, "output", "o", "", "write the report to `FILE`, atomically")
	flags.StringVar(&o.badge, "badge", "", "write a badge to `FILE`: .svg, or .json for shields.io")
	flags.BoolVarP(&o.quiet, "quiet", "q", false, "omit the summary")
	flags.BoolVarP(&o.verbose, "verbose", "v", false, "also show the results by requirement, and what the cases exercise")
	command.RunE = interruptible(func(ctx context.Context, _ []string) error { return c.runSuite(ctx, o) })
	return command
}

// suiteFlags are the flags of suite run.
type suiteFlags struct {
	flags             *pflag.FlagSet
	runner            conformance.Runner // some of its fields are flags
	folder            string
	commands          map[conformance.Kind]*string
	level, format     *choice
	cases, profiles   []string
	expected, writeTo string
	output, badge     string
	timeout, jobs     number
	list              bool
	quiet, verbose    bool
}

// runSuite runs the suite against a subject, or lists its cases.
func (c *Command) runSuite(ctx context.Context, o *suiteFlags) error {
	runner := &o.runner
	command, err := o.complete(ctx)
	if err != nil {
		return err
	}
	plan, err := runner.Plan()
	if err != nil {
		return err
	}
	if o.expected != "" && o.writeTo != "" {
		return usagef("pass --expected-failures or --write-expected-failures, not both")
	}
	if err := replacesNone([]string{o.expected}, []string{o.output, o.badge}); err != nil {
		return err
	}
	if o.list {
		var b strings.Builder
		for i := range plan {
			r := &plan[i]
			fmt.Fprintf(&b, "%s  %s  %s", report.EscapeControls(r.Case.ID), r.Case.Level, strings.Join(r.Case.Features, ","))
			if r.Outcome == conformance.Skipped {
				fmt.Fprintf(&b, "  (skipped: %s)", report.EscapeControls(r.Reasons[0]))
			}
			b.WriteString("\n")
		}
		return c.print(b.String())
	}
	err = runner.Run(ctx, plan)
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%w: the run is incomplete, and has no report", context.Cause(ctx))
	case err != nil:
		return err
	}
	var covered *coverage.Table
	if o.verbose {
		covered = suiteCoverage(ctx, runner.Files, plan)
	}
	return c.reportSuite(o, runner.NewReport(command, plan), covered)
}

// complete completes the run that the flags ask for, and returns the command of its
// subject.
func (o *suiteFlags) complete(ctx context.Context) (command string, err error) {
	runner := &o.runner
	var named []conformance.Kind
	for _, kind := range conformance.Kinds() {
		if o.flags.Changed(string(kind)) {
			named = append(named, kind)
			command = *o.commands[kind]
		}
	}
	switch {
	case len(named) == 0 && o.list: // none is needed
		named = []conformance.Kind{conformance.Checker}
	case len(named) != 1:
		return "", usagef("pass one of --checker, --consumer and --producer")
	}
	runner.Kind, runner.Reference, runner.Level, runner.Jobs = named[0], reference{}, suite.Level(o.level.value), int(o.jobs.value)
	if runner.Profiles, err = profilesOf(o.profiles); err != nil {
		return "", err
	}
	for _, name := range o.cases {
		if !strings.Contains(name, "/") {
			name = "**/" + name + "{,.*}" // an input by its name
		}
		runner.IDs = append(runner.IDs, name)
	}
	if runner.Jobs == 0 {
		runner.Jobs = runtime.GOMAXPROCS(0)
	}
	if command != "" {
		words, err := conformance.Split(command)
		if err != nil {
			return "", invalidValue(string(runner.Kind), command, err)
		}
		runner.Subject = conformance.Subject{Words: words, Env: os.Environ(), Timeout: time.Duration(o.timeout.value) * time.Second}
	}
	if b := filepath.Ext(o.badge); o.badge != "" && b != ".svg" && b != ".json" {
		return "", invalidValue("badge", o.badge, errors.New("expected a name that ends in .svg or .json"))
	}
	if runner.Root, err = o.root(ctx); err != nil {
		return "", err
	}
	runner.Files = os.DirFS(runner.Root)
	if runner.Manifest, err = suite.ReadDir(runner.Files); err != nil {
		return "", fmt.Errorf("%s: %w", filepath.Join(runner.Root, suite.ManifestName), err)
	}
	if o.expected != "" {
		runner.Expected, err = readExpected(o.expected)
	}
	return command, err
}

// profilesOf returns the profiles with these names, in their order.
func profilesOf(names []string) ([]suite.Profile, error) {
	all := suite.Profiles()
	if slices.Contains(names, "all") {
		return all, nil
	}
	for _, name := range names {
		if !slices.Contains(all, suite.Profile(name)) {
			return nil, invalidValue("profile", name, errors.New("expected core, dialects, forms, sessions, workbench or all"))
		}
	}
	return slices.DeleteFunc(all, func(p suite.Profile) bool { return !slices.Contains(names, string(p)) }), nil
}

// root returns the absolute path of the suite. In a new checkout it writes the manifest.
func (o *suiteFlags) root(ctx context.Context) (string, error) {
	candidates := []string{o.folder}
	if o.folder == "" {
		candidates = []string{"testdata", "."}
	}
	for _, folder := range candidates {
		root, err := filepath.Abs(folder)
		if err != nil || exists(filepath.Join(root, suite.ManifestName)) {
			return root, err
		}
		if checkout := filepath.Dir(root); exists(filepath.Join(root, "VERSION")) && exists(filepath.Join(checkout, "docs", "protocol.md")) {
			if err := author.New(checkout).WriteManifest(ctx); err != nil {
				return "", fmt.Errorf("write the manifest of %s: %w", folder, err)
			}
			return root, nil
		}
	}
	if o.folder != "" {
		return "", fmt.Errorf("%s: not a conformance suite: it has no %s", o.folder, suite.ManifestName)
	}
	return "", usagef("no conformance suite found: pass --suite DIR, the unpacked archive of a release or the testdata of a checkout")
}

// readExpected reads a list of cases that are known to fail: an id on each line,
// and after a space what the reader wants to know. Empty lines and those that begin
// with # are comments.
func readExpected(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, trimPathError(err))
	}
	var ids []string
	for line := range strings.Lines(string(text)) {
		id, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if id != "" && !strings.HasPrefix(id, "#") {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// reportSuite writes the report and the badge.
func (c *Command) reportSuite(o *suiteFlags, done *conformance.Report, covered *coverage.Table) error {
	var text []byte
	var err error
	switch o.format.value {
	case "json":
		text, err = done.JSON()
	case "junit":
		text, err = done.JUnit(report.EscapeControls)
	default:
		text = []byte(done.Text(report.EscapeControls, o.verbose))
	}
	if err == nil {
		err = c.write(o.output, text)
	}
	if err == nil && o.badge != "" {
		badge := done.BadgeSVG()
		if filepath.Ext(o.badge) == ".json" {
			badge, err = done.BadgeJSON()
		}
		if err == nil {
			err = c.write(o.badge, badge)
		}
	}
	if err != nil {
		return err
	}
	if !o.quiet {
		c.printStderr(done.Summary())
		if o.verbose {
			c.printCoverage(covered)
		}
	}
	total := done.Total()
	switch {
	case total.Run() == 0:
		c.printError(fmt.Errorf("nothing was run: all %s were skipped", english.Plural(total.Skipped, "case", "")))
		return statusError(exitTrouble)
	case o.writeTo != "":
		failures := fmt.Sprintf("# Cases of the conformance suite %s that this %s fails at level %s.\n", done.Suite, done.Kind, done.Level)
		for i := range done.Results {
			if done.Results[i].Outcome == conformance.Failed {
				failures += done.Results[i].Case.ID + "\n"
			}
		}
		return c.write(o.writeTo, []byte(failures)) // as readExpected reads it
	case total.Failed > 0:
		return statusError(exitFindings)
	}
	return nil
}

// suiteCoverage says what the cases that were run exercise.
func suiteCoverage(ctx context.Context, files fs.FS, results []conformance.Result) *coverage.Table {
	covered := coverage.New(rules.All())
	cases := caselint.Suite{Files: files}
	for _, r := range results {
		if r.Outcome == conformance.Skipped {
			continue
		}
		// An input that cannot be read to its end counts as far as it was read.
		result, _ := cases.Run(ctx, r.Case.File, r.Case.Options, func(lint.Finding) error { return nil })
		covered.Add(result.Coverage, nil)
	}
	return covered.Table()
}

// printCoverage writes what was looked at to standard error, unless that was not wanted.
func (c *Command) printCoverage(table *coverage.Table) {
	if table == nil {
		return
	}
	for _, line := range table.Lines() {
		c.printStderr(wrapTo(report.EscapeControls(line), "", "  ", helpColumns))
	}
}

// reference is what suite run compares consumers and producers with: the linter,
// and its assembler without what only Open Interpreter does, such as truncated
// output and rewritten code. It implements [conformance.Reference].
type reference struct{}

// each passes the records of a stream as JSON Lines to do.
func (reference) each(ctx context.Context, stream []byte, do func(*source.Record)) error {
	reader := text.NewReader(bytes.NewReader(stream), source.Options{Form: source.FormJSONL, Detect: protocol.MeaningOf})
	for {
		record, err := reader.Next()
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		do(record)
	}
}

// Records implements [conformance.Reference].
func (r reference) Records(ctx context.Context, stream []byte) (records []conformance.Record, err error) {
	err = r.each(ctx, stream, func(record *source.Record) {
		if data := bytes.Trim(record.Data, conformance.Blanks); len(data) > 0 {
			records = append(records, conformance.Record{Data: bytes.Clone(data), Line: record.Start.Line, Column: record.Start.Column})
		}
	})
	return records, err
}

// Assemble implements [conformance.Reference].
func (r reference) Assemble(ctx context.Context, dialectName string, autoRun bool, stream []byte) (transcript []byte, faithful bool, err error) {
	dialect, ok := schema.Lookup(dialectName)
	if !ok {
		return nil, false, fmt.Errorf("unknown dialect %q", dialectName)
	}
	options := assemble.Options{As: assemble.Interpreter, AutoRun: autoRun, ContinueAfterCrash: true}
	if dialect.ServerFrames {
		options.As = assemble.Server
	}
	var messages [][]byte
	faithful = true
	a := assemble.New(options, func(message []byte) {
		messages = append(messages, bytes.Clone(message))
	}, func(assemble.Deviation) { faithful = false })
	err = r.each(ctx, stream, func(record *source.Record) {
		if len(record.Problems) > 0 || record.IsGap {
			faithful = false
			return
		}
		a.Add(lmc.NewRecord(record))
	})
	a.Finish()
	return fmt.Appendf(nil, "[%s]", bytes.Join(messages, []byte(", "))), faithful, err
}

// Check implements [conformance.Reference].
func (reference) Check(ctx context.Context, dialect string, autoRun bool, stream []byte) ([]suite.Finding, error) {
	linter, err := lint.New(rules.All(), lint.WithConfig(lint.Config{Protocol: "lmc", Kind: "stream", Form: "jsonl", Dialect: dialect, AutoRun: autoRun}))
	if err != nil {
		return nil, err
	}
	var findings []suite.Finding
	_, err = linter.Run(ctx, "answer", bytes.NewReader(stream), func(f lint.Finding) error {
		found := caselint.FindingOf(&f, f.Path)
		found.Level = suite.LevelOf(found.Severity)
		findings = append(findings, found)
		return nil
	})
	if unknown, ok := errors.AsType[*lint.UnknownInputError](err); ok {
		return nil, errors.New(unknown.Looks)
	}
	return findings, err
}
