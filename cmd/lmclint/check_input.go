package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/inorder"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

// checked is how the check of one input went.
type checked struct {
	result lint.Result
	err    error
}

// checkTask is the check of one input, at work.
type checkTask = inorder.Task[lint.Finding, checked]

// check opens an input and passes its findings on as they come.
func (r *checkRun) check(ctx context.Context, task *checkTask) (c checked) {
	in := r.inputs[task.Number]
	path := r.flags.nameOf(in)
	c.result.Path = path
	defer recoverPanic(&c.err)
	if in.Err != nil {
		return checked{lint.Result{Path: path}, in.Err}
	}
	if r.passesOver(in) && isEmptyText(in.Path) {
		return checked{lint.Result{Path: path}, &lint.UnknownInputError{Looks: "it is empty"}}
	}
	opened, err := r.command.open(ctx, in)
	if err != nil {
		return checked{lint.Result{Path: path}, err}
	}
	defer func() { _ = opened.Close() }()
	return r.checkInside(ctx, task, path, opened)
}

// checkInside checks an input, or what is in it if that is an archive.
func (r *checkRun) checkInside(ctx context.Context, task *checkTask, path string, opened input) checked {
	reader := r.watch.meter.Reader(opened)
	if opened.live {
		reader = &flushingReader{reader, task.Pause}
	}
	inside, reader, err := openArchive(opened, reader)
	switch {
	case err != nil:
		return checked{lint.Result{Path: path}, err}
	case inside == nil:
		return r.lint(ctx, task, path, reader)
	}
	defer func() { _ = inside.Close() }()
	return r.lint(ctx, task, path+"!"+inside.name, r.watch.meter.Reader(inside))
}

// lint passes on what is found in an input.
func (r *checkRun) lint(ctx context.Context, task *checkTask, path string, reader io.Reader) checked {
	run := r.plans[task.Number].linterOf(r.passesOver(r.inputs[task.Number])).Run
	if r.flags.tee {
		run = r.teeing(run)
	}
	result, err := run(ctx, path, reader, func(f lint.Finding) error {
		if err := task.Emit(f); err != nil {
			return err
		}
		return context.Cause(ctx)
	})
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return checked{result, err}
}

// few is how many bytes a file without text has at most.
const maxBlankBytes = 16

// isEmptyText reports whether a file is blank, and by its name not even a
// recording that was lost: every program writes such logs and texts.
func isEmptyText(path string) bool {
	if extension := strings.ToLower(filepath.Ext(path)); extension != ".txt" && extension != ".log" {
		return false
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxBlankBytes {
		return false
	}
	text, err := os.ReadFile(path)
	return err == nil && len(bytes.TrimSpace(text)) == 0
}

// passesOver reports whether an input of no known protocol is no mistake.
func (r *checkRun) passesOver(in walk.Input) bool { return !in.Named || r.flags.skipUnknown }

// Done implements [inorder.Output]: it reports how an input ended.
func (r *checkRun) Done(task int, c checked) (err error) {
	defer recoverPanic(&err)
	in := r.inputs[task]
	r.turn, r.begun = task+1, failFastStop{}
	if r.stopped != nil {
		if task != r.stopped.task {
			return nil // it was at work beside the input with the error
		}
		c = r.stopped.result(c)
	}
	if c.err != nil && r.passesOver(in) {
		var unknown *lint.UnknownInputError
		if errors.As(c.err, &unknown) {
			r.summary.Skipped++
			r.details.left(c.result.Path, "left out, of no known protocol: "+unknown.Looks)
			return nil
		}
	}
	if in.Root != "" {
		r.roots[in.Root] = true
	}
	if c.err != nil {
		// What was found before the trouble is to stand before it.
		if err := r.out.flush(); err != nil {
			return err
		}
	}
	if c.err == nil {
		c.err = r.compared(in, c.result)
	}
	if err := r.limit.release(r.out.Finding); err != nil {
		return err
	}
	r.details.input(r.plans[task], c.result)
	r.ignores.note(r, r.plans[task], c.result)
	r.broken = r.broken || c.err != nil
	if c.err == nil {
		r.settleBaseline(r.plans[task], c.result)
	}
	f := report.File{Result: c.result, Err: r.judge(task, c.result, c.err), FailOn: r.plans[task].failOn}
	r.summary.Add(f)
	return r.out.File(f)
}

// patient is a reader of what may keep it waiting, and says so before it reads.
type flushingReader struct {
	io.Reader
	pause func() error
}

// Ready implements [source.Ready].
func (p *flushingReader) Ready() int { return source.AvailableBytes(p.Reader) }

func (p *flushingReader) Read(b []byte) (int, error) {
	if err := p.pause(); err != nil {
		return 0, err
	}
	return p.Reader.Read(b)
}
