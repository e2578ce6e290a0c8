package recognise

import (
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// Run is consecutive records that match one template, and have a string that
// varies and is not empty.
type Run struct {
	Records int
	Text    []byte // their strings, decoded and joined, if these were asked for; valid until the next run

	size  int   // bytes of the records with their separators
	last  int   // where the last record begins
	match Match // of the last record
}

// maxRunText is after how many bytes of joined text a run ends.
const maxRunText = 256 << 10

// Run finds the records that a window of lines begins with and that match a
// template, but not more than most.
func (m *Matcher) Run(w *source.Window, t *Template, most int, joined bool) Run {
	run := Run{}
	if t.kind != value.String {
		return run
	}
	text := m.text[:0]
	for run.Records < most && len(text) <= maxRunText {
		line := w.Text[run.size:]
		match, separator := m.matchLine(w, t, line)
		if separator == 0 || match.From == match.To {
			break
		}
		if joined {
			text = t.appendDecoded(text, line[match.From:match.To], match.Escaped)
		}
		run.last, run.match = run.size, match
		run.size += match.Size + separator
		run.Records++
	}
	m.text, run.Text = text, text
	return run
}

// matchLine matches a record of a template with a separator after it, whose size
// it returns, or 0.
func (m *Matcher) matchLine(w *source.Window, t *Template, line []byte) (match Match, separator int) {
	ok := false
	if m.reordered > 0 {
		match, ok = t.matchAnyOrder(line)
	} else {
		match, ok = t.match(line)
	}
	if !ok || match.Size > w.Limit {
		return match, 0
	}
	return match, w.SeparatorSize(line[match.Size:])
}

// SkipRun moves the window over a run, and returns its last record.
func (t *Template) SkipRun(w *source.Window, run Run) *source.Record {
	w.Advance(run.last, run.Records-1)
	r := t.Fill(w, run.match)
	w.Advance(run.size-run.last, 1)
	return r
}
