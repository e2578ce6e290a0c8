// Package author makes what the conformance suite says of itself: the
// expectations of its cases and the manifest. It is for tests and for the command
// addcase; a runner of the suite needs neither the linter nor this package.
package author

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/lmclint/lmclint/internal/agreement"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/suite"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// Author works on the suite in a checkout. It is safe for concurrent use.
type Author struct {
	root     string   // of the checkout
	linters  sync.Map // by suite.Options: making one takes as long as linting many small inputs
	verdicts sync.Map // of Verdict, by input and options
}

// New returns an author for the checkout with the given root.
func New(root string) *Author { return &Author{root: root} }

// Path returns the path of a file of the suite, which is named from the
// manifest.
func (a *Author) Path(file string) string {
	return filepath.Join(a.root, "testdata", filepath.FromSlash(file))
}

// Inputs lists the inputs of all cases, sorted.
func (a *Author) Inputs() ([]string, error) {
	var inputs []string
	err := fs.WalkDir(os.DirFS(a.Path(".")), ".", func(file string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && suite.IsInput(file) {
			inputs = append(inputs, file)
		}
		return err
	})
	slices.Sort(inputs)
	return inputs, err
}

// Verdict is what the linter says about an input.
type Verdict struct {
	Findings []suite.Finding // sorted, without levels
	Foreign  bool
	Detected suite.Detected
}

// Judge lints an input of the suite. It returns an error if the input, or a
// conversation that it is compared with, cannot be read.
func (a *Author) Judge(input string, o suite.Options) (Verdict, error) {
	type question struct {
		input   string
		options suite.Options
	}
	if known, ok := a.verdicts.Load(question{input, o}); ok {
		return known.(Verdict), nil
	}
	verdict, err := a.judge(input, o)
	if err != nil {
		return Verdict{}, fmt.Errorf("judge %s: %w", input, err)
	}
	a.verdicts.Store(question{input, o}, verdict)
	return verdict, nil
}

func (a *Author) judge(input string, o suite.Options) (v Verdict, err error) {
	linter, err := a.linter(input, o)
	if err != nil {
		return v, err
	}
	file, err := os.Open(a.Path(input))
	if err != nil {
		return v, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	v.Findings = []suite.Finding{}
	result, err := linter.Run(context.Background(), input, file, func(f lint.Finding) error {
		v.Findings = append(v.Findings, findingOf(&f, input))
		return nil
	})
	if unknown := new(lint.UnknownInputError); errors.As(err, &unknown) {
		return Verdict{Findings: []suite.Finding{}, Foreign: true}, nil
	}
	slices.SortFunc(v.Findings, suite.Compare)
	v.Detected = suite.Detected{Protocol: result.Protocol, Kind: result.Kind, Form: result.Form, Dialect: result.Dialect}
	return v, err
}

// linter returns a linter with all rules for the options of a case.
func (a *Author) linter(input string, o suite.Options) (*lint.Linter, error) {
	config := lint.Config{
		Protocol: o.Protocol, Dialect: o.Dialect, Kind: o.Kind, Form: o.Form,
		AutoRun: o.AutoRun, AllowEmpty: o.AllowEmpty, Partial: o.Partial,
	}
	if o.Against != "" {
		conversation, err := readConversation(filepath.Join(filepath.Dir(a.Path(input)), o.Against))
		if err != nil {
			return nil, err
		}
		config.Against = conversation
		return lint.New(rules.All(), lint.WithConfig(config))
	}
	if known, ok := a.linters.Load(o); ok {
		return known.(*lint.Linter), nil
	}
	linter, err := lint.New(rules.All(), lint.WithConfig(config))
	if err == nil {
		a.linters.Store(o, linter)
	}
	return linter, err
}

func readConversation(path string) (conversation *agreement.Conversation, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return protocol.ReadConversation(filepath.Base(path), file, source.Options{})
}

func findingOf(f *lint.Finding, input string) suite.Finding {
	start := f.Place.Span.Start
	found := suite.Finding{
		Rule: f.Rule.ID, Severity: f.Severity.String(), Line: start.Line, Column: start.Column, Pointer: f.Place.Pointer,
	}
	if f.Place.Record >= 0 {
		found.Record = &f.Place.Record
	}
	if f.Path != input {
		found.Path = f.Path
	}
	return found
}

// Expectation reads the expectation of an input. The cases of JSONTestSuite have
// none: their names say what they are.
func (a *Author) Expectation(input string) (e *suite.Expectation, err error) {
	file, err := os.Open(a.Path(input + suite.ExpectationExt))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if e, err = suite.ReadExpectation(file); err != nil {
		return nil, fmt.Errorf("%s: %w", input, err)
	}
	return e, nil
}

// WriteExpectation writes the expectation of an input.
func (a *Author) WriteExpectation(input string, e *suite.Expectation) error {
	text, err := e.Encode()
	if err != nil {
		return err
	}
	return os.WriteFile(a.Path(input+suite.ExpectationExt), text, 0o644)
}
