// Package recognise recognizes records by their bytes. A valid stream repeats a
// few dozen record shapes, and most records differ from an earlier one in one
// text only. Such a record need not be parsed, nor validated again.
//
// A [Template] is the bytes of a record that was found valid, and the place of
// the one value in it that may vary. A [Matcher] has the templates of a
// session. Its Next says which template the record matches that a [source.Window]
// begins with; the template's Record then gives the record, with a tree that is
// right for it. Which value may vary, and which records are templates, is for
// the caller to say: the package knows no protocol.
//
// Invariants:
//
//   - The package accepts only. What it does not match says nothing; the caller
//     reads it in full, which gives the same findings and is slower.
//   - A match is exact: every byte of the record is that of the template, but
//     for the value that varies. A record with its members in another order has
//     a template of its own.
//   - The value that varies is a string or a positive whole number, whichever
//     the template has. A string that matches is valid, and plain (see
//     [value.Node.Plain]): nothing in it, as bytes or as an escape, is a control
//     character or half a surrogate pair. A number has nine digits at most.
//   - A match ends within the window: in a window of lines the record has its
//     line end after it, and it is not larger than the window's limit.
//   - The index finds a candidate only. It is compared with the record in full,
//     so that a collision of hashes costs time and nothing else.
//   - Memory is bounded by the limits in this package, not by the input.
//   - A matcher, its templates and their records belong to one goroutine. A record
//     is valid until the next record of its template, and as long as the window.
package recognise

import (
	"bytes"
	"hash/maphash"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// Limits of a matcher. Records beyond them do not become templates.
const (
	maxTemplates = 4096
	maxFixed     = 512     // bytes of a template without the value that varies
	maxRecord    = 1 << 20 // bytes of the record that a template is made of
)

// successors is how many of the templates that followed a template are tried
// first.
const successors = 8

// Matcher matches records with the templates of a session. It is not safe for
// concurrent use.
type Matcher struct {
	variable string // name of the member whose value may vary
	seed     maphash.Seed
	index    map[uint64]*Template // by the key of their outline

	start         Template  // predecessor of the first record of an input; only its successors are used
	last          *Template // of the last record; nil if that did not match
	text, decoded []byte    // buffers for Run
}

// New makes a matcher without templates. Variable is the name of the member whose
// value may vary; it may be nested in an object of the same name.
func New(variable string) *Matcher {
	m := &Matcher{variable: variable, seed: maphash.MakeSeed(), index: map[uint64]*Template{}}
	m.last = &m.start
	return m
}

// Restart prepares the matcher for the start of another input. It keeps the
// templates.
func (m *Matcher) Restart() { m.last = &m.start }

// Next matches the record at the start of a window. T is nil if no template
// matches; isCut then reports that the window ends within the record, so that a
// template may match with more text.
func (m *Matcher) Next(w *source.Window) (t *Template, match Match, isCut bool) {
	before := m.last
	if before != nil {
		t, match, isCut = before.nextSuccessor(w)
	}
	if t == nil && !isCut {
		o := outline{text: w.Text, variable: m.variable, seed: m.seed}
		if isWhole := o.object(); isWhole {
			t = m.index[o.key()]
		} else {
			isCut = o.at >= len(o.text)
		}
		if t != nil {
			var ok bool
			if match, ok = t.match(w); !ok {
				t = nil
			}
		}
		if t != nil && before != nil {
			copy(before.successors[1:], before.successors[:])
			before.successors[0] = t
		}
	}
	switch {
	case t != nil:
		m.last = t
	case !isCut:
		m.last = nil
	}
	return t, match, isCut
}

// nextSuccessor is Next for the templates that followed t. It moves the match to the
// front.
func (t *Template) nextSuccessor(w *source.Window) (next *Template, match Match, isCut bool) {
	for i, next := range t.successors[:] { // an array would be copied
		if next == nil {
			break
		}
		match, ok := next.match(w)
		if ok {
			t.successors[0], t.successors[i] = next, t.successors[0]
			return next, match, false
		}
		if match.To == len(w.Text) {
			return nil, match, true
		}
	}
	return nil, match, false
}

// Skip moves the window over its first record.
func (t *Template) Skip(w *source.Window, match Match) {
	w.ShowsJSON = w.ShowsJSON || t.showsJSON
	if w.HasWholeRecords {
		w.Advance(match.Size+source.LineEndSize(w.Text[match.Size:]), 1)
	} else {
		w.AdvanceElement(match.Size, t.ascii && !match.Has(HasNonASCII))
	}
}

// Add makes a template of a valid record. All records that differ from it only
// in the value varies must be valid, too, with the same meaning; varies may be
// nil. Add returns nil if the template exists, a limit is reached, or the record is not
// JSON.
func (m *Matcher) Add(r *source.Record, varies *value.Node) *Template {
	fixed := len(r.Data)
	if varies != nil {
		fixed -= len(varies.Raw())
	}
	if r.Python || len(m.index) == maxTemplates || fixed > maxFixed || len(r.Data) > maxRecord {
		return nil
	}
	o := outline{text: r.Data, variable: m.variable, seed: m.seed}
	if !o.object() || o.at != len(r.Data) {
		return nil
	}
	at := -1
	switch {
	case varies == nil && o.kind == 0:
	case varies != nil && o.kind == varies.Kind && o.from == varies.Start+varies.QuoteSize():
		at = varies.Start
	default: // the outline has another variable value
		return nil
	}
	if m.index[o.key()] != nil {
		return nil
	}
	t := newTemplate(r.Clone(), at)
	t.ID = len(m.index)
	m.index[o.key()] = t
	return t
}

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
			joined = append(joined, text...)
		}
		run.last, run.match = run.size, match
		run.size += match.Size + end
		run.Records++
	}
	m.text, run.Text = joined, joined
	return run
}

// SkipRun moves the window over a run, and returns its last record.
func (t *Template) SkipRun(w *source.Window, run Run) *source.Record {
	w.Advance(run.last, run.Records-1)
	r := t.Fill(w, run.match)
	w.Advance(run.size-run.last, 1)
	return r
}
