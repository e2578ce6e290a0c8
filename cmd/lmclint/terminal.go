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

// watch shows the progress of a run.
type watch struct {
	begun  time.Time
	inputs []walk.Input
	line   *progress.Line
	meter  progress.Meter
	total  int64 // bytes to read; 0 if not known
}

// begin calls flush and updates the progress line at each beat, until the
// function that it returns is called. An error or a panic is passed to stop.
func (w *watch) begin(flush func() error, stop func(error)) (end func()) {
	if w.line.Visible() {
		w.total = bytesOf(w.inputs)
	}
	update := func() (err error) {
		defer recoverPanic(&err)
		err = flush()
		w.show()
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
		w.line.Erase()
	}
}

func (w *watch) show() {
	elapsed := time.Since(w.begun)
	if elapsed < showAfter || !w.line.Visible() {
		return
	}
	w.line.Show(w.meter.Text(elapsed, w.total))
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
