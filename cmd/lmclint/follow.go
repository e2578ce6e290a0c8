package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/follow"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
	"github.com/lmclint/lmclint/lint"
)

// followed returns the only input of a run with --follow, which need not exist.
func followed(operands []string) ([]walk.Input, error) {
	path := operands[0]
	switch {
	case len(operands) > 1 || path == walk.Stdin:
		return nil, usagef("--follow takes one file")
	case strings.HasSuffix(path, ".gz") || strings.HasSuffix(path, ".zst"):
		return nil, usagef("--follow cannot read %s: it is compressed", path)
	}
	return []walk.Input{{Path: path, Named: true}}, nil
}

// followInput opens the input of a run with --follow.
func (r *checkRun) followInput(ctx context.Context, path string) input {
	r.following = follow.NewReader(ctx, path, func(reason string) {
		r.command.printError(fmt.Errorf("%s: the file was %s; following its new content", path, reason))
	})
	return input{ReadCloser: r.following, live: true}
}

// relocated returns a function that emits findings with their places in the
// file as it is now: a file that was replaced begins at line 1 again.
func (r *checkRun) relocated(emit func(lint.Finding) error) func(lint.Finding) error {
	return func(f lint.Finding) error {
		segments := r.following.Segments()
		current := relocate(&f.Place, segments)
		f.Fix = nil // its edits count from the start of all that was read
		for i := range f.Related {
			if f.Related[i].Path == "" && relocate(&f.Related[i].Place, segments) != current {
				f.Related[i].Path = f.Path + " (before it was replaced)"
			}
		}
		return emit(f)
	}
}

// relocate changes a place in all that was read to one in its segment, and
// returns the number of that.
func relocate(p *source.Place, segments []follow.Segment) int {
	number := len(segments) - 1
	for number > 0 && segments[number].Offset > p.Span.Start.Offset {
		number--
	}
	begin := segments[number]
	for _, at := range []*value.Position{&p.Span.Start, &p.Span.End} {
		at.Line -= begin.Lines
		at.Offset -= begin.Offset
	}
	return number
}

// ended returns the error of an input, nil if --follow was ended by a signal.
func (r *checkRun) ended(err error) error {
	if _, interrupted := interruption(err); interrupted && r.flags.follow {
		return nil
	}
	return err
}
