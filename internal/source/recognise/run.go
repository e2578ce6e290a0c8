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
// at most most of them. Joined asks for their text. The run ends before a string
// that contains stop, unless that is "".
func (m *Matcher) Run(w *source.Window, t *Template, most int, joined bool, stop string) Run {
	run := Run{}
	if t.kind != value.String {
		return run
	}
	text, marker, begins := m.text[:0], []byte(stop), false
	feeds := w.SeparatorSize([]byte(lineFeed)) > 0
	for run.Records < most && len(text) <= maxRunText {
		line := w.Text[run.size:]
		var match Match
		var separator int
		switch {
		case m.reordered > 0:
			match, separator = matchReordered(w, t, line)
		case begins || bytes.HasPrefix(line, t.head):
			match, separator, begins = matchLine(w, t, line, feeds)
		}
		if separator == 0 || match.From == match.To {
			break
		}
		varies := line[match.From:match.To]
		if len(marker) > 0 && bytes.Contains(varies, marker) {
			break
		}
		if joined {
			text = t.appendDecoded(text, varies, match.Has(HasEscapes))
		}
		run.last, run.match = run.size, match
		run.size += match.Size + separator
		run.Records++
	}
	m.text, run.Text = text, text
	return run
}

// matchLine matches a record that begins with the head of the template, in its
// order, and returns the size of its separator, or 0 if it does not match. Feeds
// says that line feeds separate records; begins reports that the next line is
// known to begin with the head, too.
func matchLine(w *source.Window, t *Template, line []byte, feeds bool) (m Match, separator int, begins bool) {
	m.From = len(t.head)
	var ok bool
	if m.To, m.Traits, ok = t.skipValue(line, m.From); !ok {
		return m, 0, false
	}
	m.Size = m.To + len(t.tail)
	switch rest := line[m.To:]; {
	case m.Size > w.Limit:
	case feeds && bytes.HasPrefix(rest, t.next):
		return m, len(lineFeed), true
	case bytes.HasPrefix(rest, t.tail):
		separator = w.SeparatorSize(rest[len(t.tail):])
	}
	return m, separator, false
}

// matchReordered is matchLine for members in any order.
func matchReordered(w *source.Window, t *Template, line []byte) (m Match, separator int) {
	m, ok := t.matchAnyOrder(line)
	if !ok || m.Size > w.Limit {
		return m, 0
	}
	return m, w.SeparatorSize(line[m.Size:])
}

// SkipRun moves the window over a run, and returns its last record.
func (t *Template) SkipRun(w *source.Window, run Run) *source.Record {
	w.Advance(run.last, run.Records-1)
	r := t.Fill(w, run.match)
	w.Advance(run.size-run.last, 1)
	return r
}
