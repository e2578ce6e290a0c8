package main

import (
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/progress"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
)

// colorModes are the values of --color, the default first.
func colorModes() []string { return []string{"auto", "always", "never"} }

// colorFor reports whether to paint what goes to a writer. The flag says it,
// or else FORCE_COLOR, NO_COLOR, TERM, and last whether the writer is a
// terminal.
func (c *Command) colorFor(mode string, w io.Writer) bool {
	switch force := c.env("FORCE_COLOR"); {
	case mode != "auto":
		return mode == "always"
	case force == "0", force == "false":
		return false
	case force != "":
		return true
	case c.env("NO_COLOR") != "", c.env("TERM") == "dumb":
		return false
	}
	_, ok := terminal(w)
	return ok
}

// terminal returns the file descriptor of a writer that is a terminal.
func terminal(w io.Writer) (int, bool) {
	f, ok := w.(*os.File)
	if !ok {
		return 0, false
	}
	fd := int(f.Fd())
	return fd, term.IsTerminal(fd)
}

// widthOf returns the columns of a terminal, 0 for any other writer.
func widthOf(w io.Writer) int {
	fd, ok := terminal(w)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(fd)
	if err != nil {
		return 0
	}
	return width
}

const (
	beat      = 100 * time.Millisecond // how often what is known is shown
	showAfter = time.Second            // how long a run may take before it says how far it is
)

// watch follows a run from beside.
type watch struct {
	begun  time.Time
	inputs []walk.Input
	line   *progress.Line
	meter  progress.Meter
	total  int64 // bytes to read, 0 if not known; -1 before somebody asks
}

func newWatch(begun time.Time, inputs []walk.Input, line *progress.Line) *watch {
	return &watch{begun: begun, inputs: inputs, line: line, total: -1}
}

// begin calls flush at each beat, and shows how far the run is, until the
// function that it returns is called. A run that is over before the first beat
// pays for no goroutine.
func (w *watch) begin(flush func() error, stop func(error)) (end func()) {
	var mu sync.Mutex
	var timer *time.Timer
	ended := false
	update := func() (err error) {
		defer recoverPanic(&err)
		err = flush()
		w.show()
		return err
	}
	tick := func() {
		mu.Lock()
		defer mu.Unlock()
		if ended {
			return
		}
		if err := update(); err != nil {
			stop(err)
			return
		}
		timer.Reset(beat)
	}
	mu.Lock()
	defer mu.Unlock()
	timer = time.AfterFunc(beat, tick)
	return func() {
		mu.Lock()
		defer mu.Unlock()
		ended = true
		timer.Stop()
		w.line.Erase()
	}
}

func (w *watch) show() {
	elapsed := time.Since(w.begun)
	if elapsed < showAfter || !w.line.Visible() {
		return
	}
	if w.total < 0 {
		w.total = bytesOf(w.inputs)
	}
	w.line.Show(w.meter.Text(elapsed, w.total))
}

// bytesOf returns how many bytes there are to read, 0 if an input does not
// say.
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

// progressLine is a line on standard error if somebody sits there and looks.
func (c *Command) progressLine(o *checkFlags) *progress.Line {
	_, ok := terminal(c.Stderr)
	if !ok || o.quiet || c.env("CI") != "" || c.env("TERM") == "dumb" {
		return &progress.Line{}
	}
	return progress.NewLine(c.Stderr, func() int { return widthOf(c.Stderr) })
}

// beside returns the same program, whose messages do not run into the line.
func (c *Command) withProgressLine(line *progress.Line) *Command {
	beside := *c
	beside.Stderr = line.Guard(c.Stderr)
	return &beside
}
