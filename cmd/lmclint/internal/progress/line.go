// Package progress tells a user who waits how far a run has come.
package progress

import (
	"io"
	"strings"
	"sync"
)

// Line is a line at the bottom of a terminal that is overwritten again and
// again. The zero value has no terminal, and never shows anything. It is safe
// for concurrent use.
type Line struct {
	terminal io.Writer
	width    func() int

	mu    sync.Mutex
	shown string
}

// NewLine makes a line of a terminal, whose columns width asks for; 0 means
// that they are not known.
func NewLine(terminal io.Writer, width func() int) *Line {
	return &Line{terminal: terminal, width: width}
}

// Visible reports whether there is a terminal.
func (l *Line) Visible() bool { return l.terminal != nil }

// Show puts a text, which must be printable ASCII, in the place of the one
// before. A line that does not fit is cut: one that wraps cannot be erased.
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

// Erase leaves the terminal as if nothing had been shown.
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

// write writes to the terminal. When that fails nobody can be told.
func (l *Line) write(text string) { _, _ = io.WriteString(l.terminal, text) }

// Guard returns a writer to w for what may get to the same terminal: it erases
// the line before it writes.
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
