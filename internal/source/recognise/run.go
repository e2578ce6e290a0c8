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

// maxRunText is the size of the joined text in bytes at which a run ends.
const maxRunText = 256 << 10

// Run matches the records at the start of a window of lines with one template,
// at most most of them. Joined asks for their text. The run ends before a string
// that contains stop, unless that is "".
//
// Most records of a stream come here, so that the end of one and the head of the next are
// compared at once. Both t.next and t.tail begin with the closing quote, so that line[to]
// needs no test.
func (m *Matcher) Run(w *source.Window, t *Template, most int, joined bool, stop string) Run {
	run := Run{Text: m.text[:0]}
	from, longest := len(t.head), w.Limit-len(t.tail)
	begins := t.kind == value.String && bytes.HasPrefix(w.Text, t.head)
	for begins && run.Records < most && len(run.Text) <= maxRunText {
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
		switch {
		case joined && escaped:
			run.Text = value.AppendText(run.Text, text, false, value.DecodeEscape)
		case joined:
			run.Text = append(run.Text, text...)
		}
		run.last, run.match = run.size, match
		run.size += match.Size + end
		run.Records++
	}
	m.text = run.Text
	return run
}

// SkipRun moves the window over a run, and returns its last record.
func (t *Template) SkipRun(w *source.Window, run Run) *source.Record {
	w.Advance(run.last, run.Records-1)
	r := t.Fill(w, run.match)
	w.Advance(run.size-run.last, 1)
	return r
}
