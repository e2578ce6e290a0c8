package source

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// Run is lines that come one after another and are records of one layout, each
// with a text in it that is not empty. Offsets are bytes.
type Run struct {
	Lines int
	Size  int  // of all lines, with their line feeds
	Last  int  // where the last line begins
	Hole  Hole // in the last line
}

// MatchRun finds out how many records the text of a stretch goes on with that
// differ in nothing but their text. It finds none for a layout that leaves no
// text open.
func (l *Layout) MatchRun(text []byte, in *Stretch) (run Run) {
	if l.open != String {
		return run
	}
	if in.separator.bytes != nil || l.python {
		return l.matchRun(text, in)
	}
	from, longest := len(l.head), in.Limit-len(l.tail)
	for {
		line := text[run.Size:]
		if len(line) < from+wordBytes || string(line[:from]) != string(l.head) {
			return run
		}
		hole, ok := Hole{From: from, To: from + plainBytes(binary.LittleEndian.Uint64(line[from:]))}, true
		if line[hole.To] != '"' {
			hole, ok = l.fill(line, from)
		}
		size := l.sizeOfLine(line, hole.To)
		if !ok || size == 0 || hole.To == from || hole.To > longest {
			return run
		}
		run.Last, run.Hole = run.Size, hole
		run.Size += size
		run.Lines++
	}
}

const wordBytes = 8

// plainBytes counts the bytes that a word of eight begins with and that mean
// nothing in a string. It may count fewer if they are not all ASCII.
func plainBytes(w uint64) int {
	return min(bits.TrailingZeros64(notPlain(w)|w&highs), 63) / 8
}

// sizeOfLine is how many bytes a line has whose text ends at to, 0 if it does
// not go on as the layout does.
func (l *Layout) sizeOfLine(line []byte, to int) int {
	if bytes.HasPrefix(line[to:], l.ending) {
		return to + len(l.ending)
	}
	end := to + len(l.tail)
	if bytes.HasPrefix(line[to:], l.tail) && bytes.HasPrefix(line[end:], crlf) {
		return end + len(crlf)
	}
	return 0
}

var crlf = []byte("\r\n")

// Texts are the texts of a run, in turn.
type Texts struct {
	layout *Layout
	lines  []byte
	behind int // bytes of the separator behind the line feed of each line
}

// Texts gives the texts of the run that a stretch begins with.
func (l *Layout) Texts(in *Stretch, run Run) Texts {
	first := bytes.IndexByte(in.separator.bytes, '\n') + 1
	return Texts{l, in.Text[:run.Size], len(in.separator.bytes) - first}
}

// Append appends the next text to buf, decoded. It reports false if there is none.
func (t *Texts) Append(buf []byte) ([]byte, bool) {
	if len(t.lines) == 0 {
		return buf, false
	}
	text, size := t.layout.textOf(t.lines)
	t.lines = t.lines[size+t.behind:]
	decode := decodeEscape
	if t.layout.python {
		decode = decodePython
	}
	return appendText(buf, text, false, decode), true
}

// textOf returns the text of the first of several lines of the layout, and the
// size of the line.
func (l *Layout) textOf(lines []byte) (text []byte, size int) {
	from := len(l.head)
	if !l.python && len(lines) >= from+wordBytes {
		to := from + plainBytes(binary.LittleEndian.Uint64(lines[from:]))
		if size := l.sizeOfLine(lines, to); lines[to] == '"' && size > 0 {
			return lines[from:to], size
		}
	}
	size = bytes.IndexByte(lines, '\n') + 1
	line := bytes.TrimSuffix(lines[:size-1], []byte{'\r'})
	return line[from : len(line)-len(l.tail)], size
}
