// Command addcase writes what the linter finds in a new case of the conformance
// suite into the expectation beside it, and the manifest:
//
//	go run ./internal/dev/addcase -note "a lost end" testdata/core/bad/lmc202_new.jsonl
//
// Run it in the root of the checkout. It prints the findings, which specify what
// every checker must report from then on: read them, and the difference, before
// you commit it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/verify/suite"
	"github.com/lmclint/lmclint/internal/verify/suite/author"
)

func main() {
	if err := run(context.Background(), ".", os.Args[1:], os.Stdout, os.Stderr); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintf(os.Stderr, "addcase: %v\n", err)
		}
		os.Exit(2) //nolint:forbidigo // this is main
	}
}

// run adds the cases that args name to the suite of the checkout at root.
func run(ctx context.Context, root string, args []string, stdout, stderr io.Writer) error {
	var wanted suite.Expectation
	flags := flag.NewFlagSet("addcase", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		_, _ = fmt.Fprintln(stderr, "Usage: go run ./internal/dev/addcase [flags] testdata/FOLDER/{ok,bad}/NAME...")
		flags.PrintDefaults()
	}
	o := &wanted.Options
	flags.StringVar(&wanted.Note, "note", "", "what the case shows, in a few words")
	requirements := flags.String("requirements", "", "ids of requirements that it shows besides those of its rules, with commas between them")
	flags.StringVar(&o.Protocol, "protocol", "", "lmc or workbench")
	flags.StringVar(&o.Dialect, "dialect", "", "what the checker is told about the input: its dialect,")
	flags.StringVar(&o.Kind, "kind", "", "its kind,")
	flags.StringVar(&o.Form, "form", "", "its form")
	flags.StringVar(&o.Against, "against", "", "name of a stored conversation beside it, to compare it with")
	flags.BoolVar(&o.AutoRun, "auto-run", false, "the recording has no confirmations")
	flags.BoolVar(&o.AllowEmpty, "allow-empty", false, "an input without records is right")
	flags.BoolVar(&o.Partial, "partial", false, "messages are missing on purpose")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		flags.Usage()
		return flag.ErrHelp
	}
	if *requirements != "" {
		wanted.Requirements = strings.Split(*requirements, ",")
	}
	a := author.New(root)
	for _, operand := range flags.Args() {
		if err := addCase(ctx, a, operand, wanted, stdout); err != nil {
			return err
		}
	}
	if err := a.WriteManifest(ctx); err != nil {
		return err
	}
	_, err := fmt.Fprintln(stdout, "Wrote testdata/"+suite.ManifestName+". Read the findings and the difference before you commit them.")
	return err
}

// addCase writes the expectation of an input. One that exists keeps its note,
// requirements and options, unless there are others.
func addCase(ctx context.Context, a *author.Author, operand string, wanted suite.Expectation, stdout io.Writer) error {
	input, found := strings.CutPrefix(filepath.ToSlash(filepath.Clean(operand)), "testdata/")
	if !found || !suite.IsInput(input) {
		return fmt.Errorf("%s is not an input of a case: name a file in testdata/core, forms, detect, recorded or workbench", operand)
	}
	e := wanted
	switch old, err := a.Expectation(input); {
	case err == nil:
		e = *old
		if wanted.Note != "" {
			e.Note = wanted.Note
		}
		if wanted.Requirements != nil {
			e.Requirements = wanted.Requirements
		}
		if wanted.Options != (suite.Options{}) {
			e.Options = wanted.Options
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	verdict, err := a.Judge(ctx, input, e.Options)
	if err != nil {
		return err
	}
	e.Findings, e.Foreign = verdict.Findings, verdict.Foreign
	if err := author.CheckName(input, &e); err != nil {
		return err
	}
	if _, err := io.WriteString(stdout, operand+": "+describe(verdict)); err != nil {
		return err
	}
	return a.WriteExpectation(input, &e)
}

// describe says what the linter finds in an input.
func describe(v author.Verdict) string {
	if v.Foreign {
		return "foreign\n"
	}
	d := v.Detected
	words := slices.DeleteFunc([]string{d.Protocol, d.Kind, d.Form, d.Dialect}, func(word string) bool { return word == "" })
	text := strings.Join(words, ", ") + "\n"
	for _, f := range v.Findings {
		text += fmt.Sprintf("  %d:%d %s %s", f.Line, f.Column, f.Severity, f.Rule)
		if f.Pointer != "" {
			text += " at " + f.Pointer
		}
		if f.Path != "" {
			text += " in " + f.Path
		}
		text += "\n"
	}
	if len(v.Findings) == 0 {
		text += "  no findings\n"
	}
	return text
}
