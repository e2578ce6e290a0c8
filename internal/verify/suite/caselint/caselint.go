// Package caselint runs the linter on the cases of the conformance suite, which
// package suite describes without knowing it.
package caselint

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"sync"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/verify/suite"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// Config returns the settings of a linter for options, without the conversation to
// compare with.
func Config(o suite.Options) lint.Config {
	return lint.Config{
		Protocol: o.Protocol, Dialect: o.Dialect, Kind: o.Kind, Form: o.Form,
		AutoRun: o.AutoRun, AllowEmpty: o.AllowEmpty, Partial: o.Partial,
	}
}

// Suite runs linters on the cases of a suite. It is safe for concurrent use.
type Suite struct {
	Files fs.FS

	linters sync.Map // by suite.Options: making one takes as long as linting many small inputs
}

// Run lints an input of the suite with all rules, and passes the findings to emit.
func (s *Suite) Run(ctx context.Context, input string, o suite.Options, emit func(lint.Finding) error) (result lint.Result, err error) {
	linter, ok := s.linters.Load(o)
	if !ok || o.Against != "" {
		if linter, err = s.newLinter(input, o); err != nil {
			return result, err
		}
		s.linters.Store(o, linter)
	}
	file, err := s.Files.Open(input)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return linter.(*lint.Linter).Run(ctx, input, file, emit)
}

func (s *Suite) newLinter(input string, o suite.Options) (*lint.Linter, error) {
	config := Config(o)
	config.Coverage = true
	if o.Against != "" {
		file, err := s.Files.Open(path.Join(path.Dir(input), o.Against))
		if err != nil {
			return nil, err
		}
		config.Against, err = protocol.ReadConversation(o.Against, file, source.Options{})
		if err = errors.Join(err, file.Close()); err != nil {
			return nil, err
		}
	}
	return lint.New(rules.All(), lint.WithConfig(config), lint.WithEach())
}

// FindingOf returns a finding in an input as the suite has it, without a level.
func FindingOf(f *lint.Finding, input string) suite.Finding {
	start := f.Place.Span.Start
	found := suite.Finding{
		Rule: f.Rule.ID, Severity: f.Severity.String(), Line: start.Line, Column: start.Column, Pointer: f.Place.Pointer,
		Conversation: max(f.Conversation, 0),
	}
	if f.Place.Record >= 0 {
		found.Record = &f.Place.Record
	}
	if f.Path != input {
		found.Path = f.Path
	}
	return found
}
