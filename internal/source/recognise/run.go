package recognise

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// Run is a sequence of records that match one template and have a variable
// string that is not empty.
type Run struct {
	Records int
	Text    []byte // their strings, decoded and joined, if these were asked for; valid until the next run

	size  int   // bytes of the records with their line ends
	last  int   // where the last record begins
	match Match // of the last record
}

// Recurring describes strings that may repeat what came before them: one like the first,
// and one as long as all of it.
type Recurring struct {
	First   []byte
	Longest int // bytes of all text before the run
}

// maxRunText is the size of the joined text in bytes at which a run ends.
const maxRunText = 256 << 10

// Run matches the records at the start of a window of lines with one template,
// at most most of them. The run ends before a string that contains stop, unless that is "".
// Recurring, if not nil, asks for their text: the run ends before a string that it describes.
//
// Most records of a stream come here, so that the end of one and the head of the next are
// compared at once. Both t.next and t.tail begin with the closing quote, so that line[to]
// needs no test.
func (m *Matcher) Run(w *source.Window, t *Template, most int, stop string, recurring *Recurring) Run {
	var run Run
	joined := m.text[:0]
	from, longest := len(t.head), w.Limit-len(t.tail)
	begins := t.kind == value.String && bytes.HasPrefix(w.Text, t.head)
	for begins && run.Records < most && len(joined) <= maxRunText {
		line := w.Text[run.size:]
		to, escaped, wide := value.SkipString(line, from)
		if to <= from || to > longest || wide && !value.IsPlainText(line[from:to]) {
			break
		}
		match := Match{From: from, To: to, Size: to + len(t.tail), Traits: traitsOf(escaped, wide)}
		end := len(lineFeed)
		if begins = bytes.HasPrefix(line[to:], t.next); !begins {
			if end = 0; bytes.HasPrefix(line[to:], t.tail) {
				end = source.LineEndSize(line[match.Size:])
			}
			if end == 0 {
				break
			}
			begins = bytes.HasPrefix(line[match.Size+end:], t.head)
		}
		text := line[from:to]
		if stop != "" && bytes.Contains(text, []byte(stop)) {
			break
		}
		if recurring != nil {
			if escaped {
				m.decoded = value.AppendText(m.decoded[:0], text, false, value.DecodeEscape)
				text = m.decoded
			}
			if len(text)-len(joined) >= recurring.Longest || len(text) == len(recurring.First) && bytes.Equal(text, recurring.First) {
				break
			}
			if escaped {
				joined = append(joined, text...)
			} else {
				joined = appendPiece(joined, line, from, to)
			}
		}
		run.last, run.match = run.size, match
		run.size += match.Size + end
		run.Records++
	}
	m.text, run.Text = joined, joined
	return run
}

// word is up to how many bytes are copied without asking how many they are. Most pieces of
// text are a word, and a call to copy takes longer to choose how to copy it than to do it.
const word = 16

// appendPiece appends a piece of a line to a text.
func appendPiece(text, line []byte, from, to int) []byte {
	end := len(text) + to - from
	if to-from > word || cap(text)-len(text) < word || len(line)-from < word {
		return append(text, line[from:to]...)
	}
	*(*[word]byte)(text[len(text):cap(text)]) = [word]byte(line[from:])
	return text[:end]
}

// SkipRun moves the window over a run, and returns its last record.
func (t *Template) SkipRun(w *source.Window, run Run) *source.Record {
	w.Advance(run.last, run.Records-1)
	r := t.Fill(w, run.match)
	w.Advance(run.size-run.last, 1)
	return r
}
