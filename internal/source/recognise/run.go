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

	joined bool   // the text is asked for
	stop   string // what no string contains; "" if all may

	size  int   // bytes of the records with their line ends
	last  int   // where the last record begins
	match Match // of the last record
}

// maxRunText is the size of the joined text in bytes at which a run ends.
const maxRunText = 256 << 10

// Run matches the records at the start of a window of lines with one template,
// at most most of them. Joined asks for their text. The run ends before a string
// that contains stop, unless that is "".
func (m *Matcher) Run(w *source.Window, t *Template, most int, joined bool, stop string) Run {
	run := Run{Text: m.text[:0], joined: joined, stop: stop}
	if t.kind == value.String {
		run.matchLines(w, t, most)
	}
	m.text = run.Text
	return run
}

// matchLines matches records of lines. Most records of a stream come here, so that the end of one and the head of
// the next are compared at once. Both t.next and t.tail begin with the closing
// quote, so that line[to] needs no test.
func (run *Run) matchLines(w *source.Window, t *Template, most int) {
	from, longest := len(t.head), w.Limit-len(t.tail)
	for begins := bytes.HasPrefix(w.Text, t.head); begins && run.Records < most; {
		line := w.Text[run.size:]
		to, escaped, wide := value.SkipString(line, from)
		if to <= from || to > longest || wide && !value.IsPlainText(line[from:to]) {
			return
		}
		match := Match{From: from, To: to, Size: to + len(t.tail), Traits: traitsOf(escaped, wide)}
		end := len(lineFeed)
		if begins = bytes.HasPrefix(line[to:], t.next); !begins {
			if end = t.lineEndSize(line, match); end == 0 {
				return
			}
			begins = bytes.HasPrefix(line[match.Size+end:], t.head)
		}
		if (run.joined || run.stop != "") && !run.addText(line, match) { // most runs need no call
			return
		}
		run.add(match, end)
	}
}

// lineEndSize returns the size of the line end after a record that matches up
// to the end of its string, or 0 if the rest does not.
func (t *Template) lineEndSize(line []byte, match Match) int {
	if !bytes.HasPrefix(line[match.To:], t.tail) {
		return 0
	}
	return source.LineEndSize(line[match.Size:])
}

// add adds a record.
func (run *Run) add(match Match, end int) {
	run.last, run.match = run.size, match
	run.size += match.Size + end
	run.Records++
}

// addText adds the text of a record, if it is asked for. It reports false if the
// run ends before that record.
func (run *Run) addText(line []byte, match Match) bool {
	text := line[match.From:match.To]
	if len(run.Text) > maxRunText || run.stop != "" && bytes.Contains(text, []byte(run.stop)) {
		return false
	}
	switch {
	case !run.joined:
	case match.Has(HasEscapes):
		run.Text = value.AppendText(run.Text, text, false, value.DecodeEscape)
	default:
		run.Text = append(run.Text, text...)
	}
	return true
}

// SkipRun moves the window over a run, and returns its last record.
func (t *Template) SkipRun(w *source.Window, run Run) *source.Record {
	w.Advance(run.last, run.Records-1)
	r := t.Fill(w, run.match)
	w.Advance(run.size-run.last, 1)
	return r
}
