// Package progress shows the progress of a run on a terminal.
package progress

import (
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
)

// Line is a line at the bottom of a terminal that is overwritten repeatedly.
// The zero value has no terminal and shows nothing. It is safe for concurrent
// use.
type Line struct {
	terminal io.Writer
	width    func() int

	mu    sync.Mutex
	shown string
}

// NewLine returns a line of a terminal. Width returns its columns, 0 if they
// are not known.
func NewLine(terminal io.Writer, width func() int) *Line {
	return &Line{terminal: terminal, width: width}
}

// Visible reports whether there is a terminal.
func (l *Line) Visible() bool { return l.terminal != nil }

// Show replaces the line's text, which must be printable ASCII. A text that
// does not fit is truncated: a line that wraps cannot be erased.
func (l *Line) Show(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.terminal == nil {
		return
	}
	if width := l.width(); width > 0 {
		text = text[:min(len(text), width-1)]
	}
	if text != l.shown {
		l.write("\r" + text + strings.Repeat(" ", max(0, len(l.shown)-len(text))))
		l.shown = text
	}
}

// Erase erases the line.
func (l *Line) Erase() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.erase()
}

func (l *Line) erase() {
	if l.shown != "" {
		l.write("\r" + strings.Repeat(" ", len(l.shown)) + "\r")
		l.shown = ""
	}
}

// write writes to the terminal. A failure cannot be reported.
func (l *Line) write(text string) { _, _ = io.WriteString(l.terminal, text) }

// Guard returns a writer to w that erases the line first: w may be the same
// terminal.
func (l *Line) Guard(w io.Writer) io.Writer {
	if l.terminal == nil {
		return w
	}
	return &guarded{l, w}
}

type guarded struct {
	line *Line
	out  io.Writer
}

func (g *guarded) Write(p []byte) (int, error) {
	g.line.mu.Lock()
	defer g.line.mu.Unlock()
	g.line.erase()
	return g.out.Write(p)
}

// Meter counts what was read and found. It is safe for concurrent use.
type Meter struct {
	Bytes, Records, Findings atomic.Int64
}

// AddRecords counts records.
func (m *Meter) AddRecords(records int) { m.Records.Add(int64(records)) }

// Reader returns a reader of r that counts the bytes read.
func (m *Meter) Reader(r io.Reader) io.Reader { return &metered{r, m} }

type metered struct {
	io.Reader
	meter *Meter
}

func (r *metered) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.meter.Bytes.Add(int64(n))
	return n, err
}

// Text returns the progress after a time in one line, with an estimate of the
// rest if total, the number of bytes to read, is not 0.
func (m *Meter) Text(elapsed time.Duration, total int64) string {
	done := m.Bytes.Load()
	text := humanize.Bytes(uint64(done))
	if total >= done && done > 0 {
		text += " of " + humanize.Bytes(uint64(total))
	}
	text += ", " + english.Plural(int(m.Records.Load()), "record", "") + ", " + english.Plural(int(m.Findings.Load()), "finding", "")
	if total >= done && done > 0 {
		left := elapsed.Seconds() / float64(done) * float64(total-done)
		text += ", " + duration(left) + " left"
	}
	return text
}

// duration returns seconds in the largest unit of which there are at least two.
func duration(seconds float64) string {
	switch {
	case seconds < 120:
		return fmt.Sprintf("%.0f s", math.Ceil(seconds))
	case seconds < 2*3600:
		return fmt.Sprintf("%.0f min", seconds/60)
	}
	return fmt.Sprintf("%.0f h", seconds/3600)
}
