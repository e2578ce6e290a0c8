package source

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"github.com/lmclint/lmclint/internal/source/value"
)

// Run is lines that come one after another and are records of one layout, each
// with a text in it that is not empty. Offsets are bytes.
type LineRun struct {
	Lines int
	Size  int         // of all lines, with their line feeds
	Last  int         // where the last line begins
	Hole  Placeholder // in the last line

	Joined []byte // all texts, decoded, if they were to be joined

	shuffled bool // the members may come in any order
}

// maxJoined is how many bytes of text are joined before the last.
const maxJoined = 256 << 10

// MatchRun finds out how many records the text of a stretch goes on with that
// differ in nothing but their text. It finds none for a layout that leaves no
// text open. If join is not nil, the texts are joined behind what
// it holds; then a run may end before the last of such records. If shuffled,
// the members of the records may come in any order.
func (l *Template) MatchRun(text []byte, in *Window, shuffled bool, join *[]byte) (run LineRun) {
	switch {
	case l.open != value.String:
		return run
	case shuffled || in.separator.bytes != nil || l.python:
		return l.matchRun(text, in, shuffled, join)
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
func (l *Template) matchLines(text []byte, limit int, joined []byte, join bool) (LineRun, []byte) {
	run := LineRun{}
	from, longest := len(l.head), limit-len(l.tail)
	for goesOn := bytes.HasPrefix(text, l.head); goesOn; {
		line := text[run.Size:]
		hole := Placeholder{From: from}
		if hole.To, hole.Escaped = shortText(line, from); hole.To < 0 {
			hole = l.longText(line)
		}
		to := hole.To
		size := to + len(l.tail) + 1
		if goesOn = bytes.HasPrefix(line[to:], l.between); !goesOn { // as mostly it does
			size, goesOn = l.sizeOfLine(line, to)
		}
		if size == 0 || to == from || to > longest {
			break
		}
		if join {
			if len(joined) > maxJoined {
				break
			}
			joined = l.appendDecoded(joined, line[from:to], hole.Escaped)
		}
		run.Last, run.Hole = run.Size, hole
		run.Size += size
		run.Lines++
	}
	return run, joined
}

// matchRun is MatchRun for records of any kind, with anything between them.
func (l *Template) matchRun(text []byte, in *Window, shuffled bool, join *[]byte) LineRun {
	run, from := LineRun{shuffled: shuffled}, 0
	if join != nil {
		from = len(*join)
	}
	var holes [2]Placeholder // one may be the last
	for join == nil || len(*join)-from <= maxJoined {
		line, hole := text[run.Size:], &holes[run.Lines%2]
		size := l.matchLine(line, in, shuffled, hole)
		if size == 0 || hole.To == hole.From {
			break
		}
		if join != nil {
			*join = l.appendDecoded(*join, line[hole.From:hole.To], hole.Escaped)
		}
		run.Last = run.Size
		run.Size += size
		run.Lines++
	}
	run.Hole = holes[(run.Lines+1)%2]
	if join != nil {
		run.Joined = (*join)[from:]
	}
	return run
}

// matchLine finds out whether text begins with a record of the layout, with its
// hole, and what separates it from the next one. Size is that of both, or 0.
func (l *Template) matchLine(text []byte, in *Window, shuffled bool, hole *Placeholder) (size int) {
	if shuffled && l.members != nil {
		hole.From = 0
		size, hole.Shuffled = l.members.match(l, text, 0, hole)
	} else {
		*hole, size, _ = l.Match(text)
	}
	if size <= 0 || size > in.Limit {
		return 0
	}
	behind := in.Behind(text[size:])
	if behind == 0 {
		return 0
	}
	return size + behind
}

// longText finds the text of a line that begins as the layout does. One that
// is not certain to be sound is empty.
func (l *Template) longText(line []byte) (hole Placeholder) {
	hole.From = len(l.head)
	var ok bool
	if l.base64 {
		hole, ok = l.fill(line, hole.From)
	} else {
		hole.To, hole.Escaped, hole.Wide, ok = value.SkipText(line, hole.From)
	}
	if !ok {
		hole.To = hole.From
	}
	return hole
}

// sizeOfLine is how many bytes a line has whose text ends at to, 0 if it does
// not go on as the layout does. GoesOn says that another line begins so.
func (l *Template) sizeOfLine(line []byte, to int) (size int, goesOn bool) {
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

// appendDecoded appends the text that stands in the hole of a line, decoded.
func (l *Template) appendDecoded(buf, text []byte, escaped bool) []byte {
	switch n := len(buf); {
	case escaped && l.python:
		return value.AppendText(buf, text, false, value.DecodePython)
	case escaped:
		return value.AppendText(buf, text, false, value.DecodeEscape)
	case len(text) <= fewBytes && n+fewBytes <= cap(buf) && fewBytes <= cap(text):
		copy(buf[n:n+fewBytes], text[:fewBytes]) // faster than just as many as there are
		return buf[:n+len(text)]
	}
	return append(buf, text...)
}

// fewBytes is how many bytes are copied at least where there is room.
const fewBytes = 2 * value.WordBytes

// shortText finds the end of a text of few bytes that are ASCII. It returns -1
// for any other, and for one that is not sound.
func shortText(line []byte, from int) (to int, escaped bool) {
	for to = from; to+value.WordBytes <= len(line) && to < from+maxShort; {
		hit := value.Special(binary.LittleEndian.Uint64(line[to:]))
		if hit == 0 {
			to += value.WordBytes
			continue
		}
		to += bits.TrailingZeros64(hit) / 8
		if line[to] == '"' {
			return to, escaped
		}
		if line[to] != '\\' {
			break
		}
		size := value.EscapeSize(line[to:])
		if size == 0 {
			break
		}
		escaped = true
		to += size
	}
	return -1, false
}

// maxShort is how many bytes of a text are looked at one word after another.
const maxShort = 6 * value.WordBytes

// Texts are the texts of a run, in turn.
type RunTexts struct {
	Joined []byte // all of them, if they were joined
	layout *Template
	lines  []byte
	in     *Window

	shuffled bool
}

// Texts gives the texts of the run that a stretch begins with.
func (l *Template) Texts(in *Window, run LineRun) RunTexts {
	return RunTexts{run.Joined, l, in.Text[:run.Size], in, run.shuffled}
}

// Append appends the next text to buf, decoded. It reports false if there is none.
func (t *RunTexts) Append(buf []byte) ([]byte, bool) {
	if len(t.lines) == 0 {
		return buf, false
	}
	var hole Placeholder
	size := t.layout.matchLine(t.lines, t.in, t.shuffled, &hole)
	buf = t.layout.appendDecoded(buf, t.lines[hole.From:hole.To], hole.Escaped)
	t.lines = t.lines[size:]
	return buf, true
}
