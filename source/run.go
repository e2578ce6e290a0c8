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

	Joined []byte // all texts, decoded, if they were to be joined
}

// maxJoined is how many bytes of text are joined before the last.
const maxJoined = 256 << 10

// MatchRun finds out how many records the text of a stretch goes on with that
// differ in nothing but their text. It finds none for a layout that leaves no
// text open. If join is not nil, the texts of JSON Lines are joined behind what
// it holds; then a run may end before the last of such records.
func (l *Layout) MatchRun(text []byte, in *Stretch, join *[]byte) (run Run) {
	switch {
	case l.open != String:
		return run
	case in.separator.bytes != nil || l.python:
		return l.matchRun(text, in)
	case join == nil:
		run, _ = l.matchLines(text, in.Limit, nil, false)
		return run
	}
	run, joined := l.matchLines(text, in.Limit, *join, true)
	run.Joined, *join = joined[len(*join):], joined
	return run
}

// matchLines is MatchRun for lines of JSON of which the records have no more
// than so many bytes.
func (l *Layout) matchLines(text []byte, limit int, joined []byte, join bool) (Run, []byte) {
	run := Run{}
	longest := limit - len(l.tail)
	for goesOn := bytes.HasPrefix(text, l.head); goesOn; {
		line := text[run.Size:]
		hole := Hole{From: len(l.head), To: shortText(line, len(l.head))}
		if hole.To < 0 {
			hole = l.longText(line)
		}
		size := hole.To + len(l.tail) + 1
		if goesOn = bytes.HasPrefix(line[hole.To:], l.between); !goesOn { // as mostly it does
			size, goesOn = l.sizeOfLine(line, hole.To)
		}
		if size == 0 || hole.To == hole.From || hole.To > longest {
			break
		}
		if join {
			if len(joined) > maxJoined {
				break
			}
			joined = hole.appendTo(joined, line)
		}
		run.Last, run.Hole = run.Size, hole
		run.Size += size
		run.Lines++
	}
	return run, joined
}

// longText finds the text of a line that begins as the layout does. One that
// is not certain to be sound is empty.
func (l *Layout) longText(line []byte) (hole Hole) {
	hole.From = len(l.head)
	var ok bool
	if l.base64 {
		hole, ok = l.fill(line, hole.From)
	} else {
		hole.To, hole.Escaped, hole.Wide, ok = skipText(line, hole.From)
	}
	if !ok {
		hole.To = hole.From
	}
	return hole
}

// sizeOfLine is how many bytes a line has whose text ends at to, 0 if it does
// not go on as the layout does. GoesOn says that another line begins so.
func (l *Layout) sizeOfLine(line []byte, to int) (size int, goesOn bool) {
	if !bytes.HasPrefix(line[to:], l.tail) {
		return 0, false
	}
	size = to + len(l.tail)
	if end := LineEnd(line[size:]); end > 0 {
		size += end
		return size, bytes.HasPrefix(line[size:], l.head)
	}
	return 0, false
}

// appendTo appends the text that stands in the hole of a line, decoded.
func (h *Hole) appendTo(buf, line []byte) []byte {
	if h.Escaped {
		return appendText(buf, line[h.From:h.To], false, decodeEscape)
	}
	return append(buf, line[h.From:h.To]...)
}

const wordBytes = 8

// shortText finds the end of a text of few bytes that are plain ASCII. It
// returns -1 for any other.
func shortText(line []byte, from int) (to int) {
	for to = from; to+wordBytes <= len(line) && to < from+maxShort; to += wordBytes {
		hit := special(binary.LittleEndian.Uint64(line[to:]))
		if hit == 0 {
			continue
		}
		if to += bits.TrailingZeros64(hit) / 8; line[to] != '"' {
			break
		}
		return to
	}
	return -1
}

// maxShort is how many bytes of a text are looked at one word after another.
const maxShort = 6 * wordBytes

// special is notPlain for bytes beyond ASCII, too.
func special(w uint64) uint64 { return notPlain(w) | w&highs }

// Texts are the texts of a run, in turn.
type Texts struct {
	Joined []byte // all of them, if they were joined
	layout *Layout
	lines  []byte
	behind int // bytes of the separator behind the line feed of each line
}

// Texts gives the texts of the run that a stretch begins with.
func (l *Layout) Texts(in *Stretch, run Run) Texts {
	first := bytes.IndexByte(in.separator.bytes, '\n') + 1
	return Texts{run.Joined, l, in.Text[:run.Size], len(in.separator.bytes) - first}
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
	if !l.python {
		if to := shortText(lines, from); to >= 0 {
			if size, _ := l.sizeOfLine(lines, to); size > 0 {
				return lines[from:to], size
			}
		}
	}
	size = bytes.IndexByte(lines, '\n') + 1
	line := bytes.TrimSuffix(lines[:size-1], []byte{'\r'})
	return line[from : len(line)-len(l.tail)], size
}
