package main

import (
	"sync"
	"time"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/progress"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
)

const (
	beat      = 100 * time.Millisecond // how often reports are flushed
	showAfter = time.Second            // how long a run takes before it shows its progress
)

// beats flushes the reports and updates the progress line at each beat, until the
// function that it returns is called. An error or a panic is passed to stop.
func (r *checkRun) beats(stop func(error)) (end func()) {
	total := int64(0) // bytes to read; 0 if not known
	if r.line.Visible() {
		total = bytesOf(r.inputs)
	}
	update := func() (err error) {
		defer recoverPanic(&err)
		err = r.out.flush()
		if elapsed := time.Since(r.begun); elapsed >= showAfter && r.line.Visible() {
			r.line.Show(r.meter.Text(elapsed, total))
		}
		return err
	}
	ended := make(chan struct{})
	var beats sync.WaitGroup
	beats.Go(func() {
		ticker := time.NewTicker(beat)
		defer ticker.Stop()
		for {
			select {
			case <-ended:
				return
			case <-ticker.C:
				if err := update(); err != nil {
					stop(err)
					return
				}
			}
		}
	})
	return func() {
		close(ended)
		beats.Wait()
		r.line.Erase()
	}
}

// bytesOf returns how many bytes there are to read, 0 if that is not known.
func bytesOf(inputs []walk.Input) (total int64) {
	for _, in := range inputs {
		if in.Err != nil {
			continue
		}
		info, ok := regularFile(in.Path)
		if !ok {
			return 0
		}
		total += info.Size()
	}
	return total
}

// progressLine returns the progress line; it is invisible unless standard error
// is an interactive terminal.
func (c *Command) progressLine(o *checkFlags) *progress.Line {
	_, ok := terminal(c.Stderr)
	if !ok || o.quiet || c.env("CI") != "" || c.env("TERM") == "dumb" {
		return &progress.Line{}
	}
	return progress.NewLine(c.Stderr, func() int { return widthOf(c.Stderr) })
}

// withProgressLine returns the program with messages that erase the progress
// line first.
func (c *Command) withProgressLine(line *progress.Line) *Command {
	beside := *c
	beside.Stderr = line.Guard(c.Stderr)
	return &beside
}
