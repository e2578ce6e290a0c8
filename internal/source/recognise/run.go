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

	size  int   // bytes of the records with their separators
	last  int   // where the last record begins
	match Match // of the last record
}

// maxRunText is the size of the joined text in bytes at which a run ends.
const maxRunText = 256 << 10

// Run matches the records at the start of a window of lines with one template,
// at most most of them. Joined asks for their text.
func (m *Matcher) Run(w *source.Window, t *Template, most int, joined bool, stop string) Run {
	run := Run{}
	if t.kind != value.String {
		return run
	}
	text, begins := m.text[:0], false
	for run.Records < most && len(text) <= maxRunText {
		line := w.Text[run.size:]
		var match Match
		var separator int
		if m.reordered > 0 {
			separator = matchReordered(w, t, line, &match)
		} else {
			separator, begins = matchLine(w, t, line, begins, &match)
		}
		if separator == 0 || match.From == match.To {
			break
		}
		if stop != "" && bytes.Contains(line[match.From:match.To], []byte(stop)) {
			break
		}
		if joined {
			text = t.appendDecoded(text, line[match.From:match.To], match.HasEscapes)
		}
		run.last, run.match = run.size, match
		run.size += match.Size + separator
		run.Records++
	}
	m.text, run.Text = text, text
	return run
}

// matchLine matches a record in the order of the template, and returns the size
// of its separator, or 0 if it does not match. Begins says that the line is
// known to start with the head of the template; next returns that for the next
// line.
func matchLine(w *source.Window, t *Template, line []byte, begins bool, match *Match) (separator int, next bool) {
	if !begins && !bytes.HasPrefix(line, t.head) || !t.fill(line, len(t.head), match) {
		return 0, false
	}
	match.Size = match.To + len(t.tail)
	switch rest := line[match.To:]; {
	case match.Size > w.Limit:
	case bytes.HasPrefix(rest, t.next) && w.SeparatorSize(rest[len(t.tail):]) == len(lineFeed):
		return len(lineFeed), true
	case bytes.HasPrefix(rest, t.tail):
		separator = w.SeparatorSize(rest[len(t.tail):])
	}
	return separator, false
}

// matchReordered is matchLine for members in any order.
func matchReordered(w *source.Window, t *Template, line []byte, match *Match) (separator int) {
	m, ok := t.matchAnyOrder(line)
	*match = m
	if !ok || match.Size > w.Limit {
		return 0
	}
	return w.SeparatorSize(line[match.Size:])
}

// SkipRun moves the window over a run, and returns its last record.
func (t *Template) SkipRun(w *source.Window, run Run) *source.Record {
	w.Advance(run.last, run.Records-1)
	r := t.Fill(w, run.match)
	w.Advance(run.size-run.last, 1)
	return r
}
