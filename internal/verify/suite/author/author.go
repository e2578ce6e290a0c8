// Package author makes what the conformance suite says of itself: the
// expectations of its cases and the manifest. It needs the linter, and a checkout; a
// runner of the suite in an archive needs neither.
package author

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/lmclint/lmclint/internal/base/plainjson"
	"github.com/lmclint/lmclint/internal/verify/suite"
	"github.com/lmclint/lmclint/internal/verify/suite/caselint"
	"github.com/lmclint/lmclint/lint"
)

// Author works on the suite in a checkout. It is safe for concurrent use.
type Author struct {
	root  string // of the checkout
	cases *caselint.Suite
}

// New returns an author for the checkout with the given root.
func New(root string) *Author {
	return &Author{root, &caselint.Suite{Files: os.DirFS(filepath.Join(root, "testdata"))}}
}

// Path returns the path of a file of the suite, which is named from the
// manifest.
func (a *Author) Path(file string) string {
	return filepath.Join(a.root, "testdata", filepath.FromSlash(file))
}

// Inputs lists the inputs of all cases that have an expectation, sorted.
func (a *Author) Inputs() ([]string, error) {
	var inputs []string
	err := fs.WalkDir(a.cases.Files, ".", func(file string, entry fs.DirEntry, err error) error {
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
func (a *Author) Judge(ctx context.Context, input string, o suite.Options) (Verdict, error) {
	v := Verdict{Findings: []suite.Finding{}}
	result, err := a.cases.Run(ctx, input, o, func(f lint.Finding) error {
		v.Findings = append(v.Findings, caselint.FindingOf(&f, input))
		return nil
	})
	if unknown := new(lint.UnknownInputError); errors.As(err, &unknown) {
		return Verdict{Findings: []suite.Finding{}, Foreign: true}, nil
	}
	if err != nil {
		return v, fmt.Errorf("judge %s: %w", input, err)
	}
	slices.SortFunc(v.Findings, suite.Compare)
	v.Detected = suite.Detected{Protocol: result.Protocol, Kind: result.Kind, Form: result.Form, Dialect: result.Dialect}
	return v, nil
}

// Expectation reads the expectation of an input.
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
	text, err := plainjson.MarshalIndent(e)
	if err != nil {
		return err
	}
	return os.WriteFile(a.Path(input+suite.ExpectationExt), text, 0o644)
}
