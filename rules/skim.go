package rules

import (
	"slices"

	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/lmc"
	"github.com/lmclint/lmclint/schema"
	"github.com/lmclint/lmclint/source"
)

// Limits on what a session recognises. Beyond them records are read, which is
// as right and slower.
const (
	maxKnown  = 1024    // layouts
	maxLayout = 512     // bytes of a layout
	maxSample = 1 << 20 // bytes of the record that a layout is taken from
)

// known is a layout of sound records, with the record that stands for them.
type known struct {
	sample *source.Sample
	record *lmc.Record
	after  [4]*known // what came after it, the latest first
	opens  []opening // of the inputs that were known for what they are when such a record came first

	takesText bool // of runs: see lmc.Record.TakesText
}

// memory is what a session recognises records by.
type memory struct {
	dialect *schema.Dialect // in which the records are sound
	known   *source.Layouts[*known]
	luck    int    // how well what comes next can be told, below 0 not at all
	last    *known // the layout of the last record, if that was recognised
	start   known  // stands for the start of a conversation: it has no layout, only what came after it
	ahead   match  // of the next record, if that was found before it was asked for
	finding finding
}

// match is a record of a layout.
type match struct {
	known *known
	hole  source.Hole
	size  int // bytes
}

func newMemory(dialect *schema.Dialect) *memory {
	m := &memory{dialect: dialect, known: source.NewLayouts[*known]()}
	m.last = &m.start
	return m
}

// Skim follows the records that it recognises.
func (s *session) Skim(stretch source.Stretch, wanted lint.Mask, emit func(lint.Mask, any) bool) lint.Skimmed {
	if s.state.session {
		return lint.Skimmed{} // what a frame means hangs on who sent it
	}
	s.emitSkimmed, s.found = emit, false
	s.follower.Want(lmc.Kind(wanted) | s.wants())
	defer func() {
		s.emitSkimmed = nil
		s.follower.Want(^lmc.Kind(0))
	}()
	if stretch.Lines {
		return s.skimLines(stretch)
	}
	return s.skimElements(stretch)
}

// wants are the events that the session itself needs.
func (s *session) wants() lmc.Kind {
	if s.agreement != nil {
		return lmc.Confirmation | lmc.Wants
	}
	return lmc.Confirmation
}

// skimLines follows lines, while they are found by somebody who is ahead.
func (s *session) skimLines(stretch source.Stretch) lint.Skimmed {
	first := stretch.Number
	f := s.memory.findLines(&stretch)
	defer f.stop()
	for s.mayGoOn(1) {
		line := f.next()
		if line == nil {
			break
		}
		s.skimLine(line.known, &stretch, line.hole, line.size)
		if line.more.Lines > 0 && !s.repeat(line.known, &stretch, line.more) {
			s.skimRun(line.known, &stretch, line.more.Lines)
		}
	}
	done := lint.Skimmed{Records: stretch.Number - first, Behind: stretch.At}
	if done.Records > 0 {
		s.follower.Last(s.last) // its text may be gone when the stream ends
	}
	return done
}

// mayGoOn reports whether so many more records may be followed before anything
// else is done.
func (s *session) mayGoOn(records int) bool {
	return !s.found && (s.state.settled || s.records+records < patience)
}

// skimLine follows the line at the start of a stretch, and moves over it.
func (s *session) skimLine(k *known, stretch *source.Stretch, hole source.Hole, size int) {
	s.skim(k, stretch, hole)
	stretch.Pass(size, 1)
}

// skimRun follows the lines of a run one by one.
func (s *session) skimRun(k *known, stretch *source.Stretch, lines int) {
	for ; lines > 0 && s.mayGoOn(1); lines-- {
		hole, size, _ := k.sample.Layout.Match(stretch.Text)
		s.skimLine(k, stretch, hole, size+stretch.Behind(stretch.Text[size:]))
	}
}

// repeat follows all lines of a run at once, if the follower can do that.
func (s *session) repeat(k *known, stretch *source.Stretch, run source.Run) bool {
	follower, ok := s.follower.(repeater)
	layout := &k.sample.Layout
	if !ok || !s.mayGoOn(run.Lines) || !follower.Repeat(k.record, run.Lines, layout.Texts(stretch, run)) {
		return false
	}
	s.records += run.Lines
	stretch.Pass(run.Last, run.Lines-1)
	s.last = k.sample.Fit(stretch, run.Hole)
	stretch.Pass(run.Size-run.Last, 1)
	return true
}

// skimElements follows the elements of an array.
func (s *session) skimElements(stretch source.Stretch) (done lint.Skimmed) {
	first := stretch.Number
	for s.mayGoOn(1) {
		k, hole, size, cut := s.memory.find(stretch.Text, stretch.Python)
		if k == nil {
			done.Short = cut && done.Records == 0
			break
		}
		s.skim(k, &stretch, hole)
		stretch.PassElement(&k.sample.Layout, hole, size)
		done = lint.Skimmed{Records: stretch.Number - first, Behind: stretch.At}
		if !stretch.NextElement() {
			break
		}
	}
	if done.Records > 0 {
		s.follower.Last(s.last)
	}
	return done
}

// skim follows the record at the start of a stretch.
func (s *session) skim(k *known, stretch *source.Stretch, hole source.Hole) {
	s.last = k.sample.Fit(stretch, hole)
	s.records++
	s.follower.Follow(k.record)
}

// find finds the layout of the record that a text begins with: mostly one that
// came after the last one's before. Cut says that more text might help.
func (m *memory) find(text []byte, python bool) (k *known, hole source.Hole, size int, cut bool) {
	if next := m.ahead; next.known != nil {
		m.ahead = match{}
		return next.known, next.hole, next.size, false
	}
	if m.last != nil && m.luck >= 0 {
		for i, next := range m.last.after {
			if next == nil {
				break
			}
			hole, size, cut := next.sample.Layout.Match(text)
			if size > 0 {
				if i > 0 {
					m.last.after[0], m.last.after[i] = next, m.last.after[0]
				}
				m.last = next
				m.tried(true)
				return next, hole, size, false
			}
			if cut {
				return nil, hole, 0, true
			}
		}
	}
	return m.search(text, python)
}

// search looks among all layouts.
func (m *memory) search(text []byte, python bool) (k *known, hole source.Hole, size int, cut bool) {
	k, hole, size, cut = m.known.Find(text, python)
	if k != nil && m.last != nil {
		m.tried(m.last.noteAfter(k))
	}
	m.last = k
	return k, hole, size, cut
}

// tried notes whether a record was of a layout that was to be expected. If
// most are not it is not worth trying.
func (m *memory) tried(expected bool) {
	if expected {
		m.luck = min(m.luck+1, 20)
	} else {
		m.luck = max(m.luck-2, -20)
	}
}

// noteAfter notes what came after a record of the layout, and reports whether
// that was one of the latest to do so.
func (k *known) noteAfter(next *known) (again bool) {
	at := slices.Index(k.after[:], next)
	again = at >= 0
	if !again {
		at = len(k.after) - 1
	}
	copy(k.after[1:at+1], k.after[:at])
	k.after[0] = next
	return again
}

// Learn remembers the layout of a sound record, if others may have it.
func (s *session) Learn(src *source.Record) {
	layout, hole, ok := s.layoutOf(src)
	if !ok || s.memory.known.Len() == maxKnown {
		return
	}
	if _, known := s.memory.known.Get(&layout); known {
		return // it was not recognised because of what its open text holds, or not asked for
	}
	sample := source.NewSample(src, hole)
	k := &known{sample: sample, record: lmc.NewRecord(sample.Record)}
	k.record.Known, k.record.Language = true, s.record.Language
	k.takesText = k.record.TakesText()
	s.memory.known.Add(&sample.Layout, k)
}

// layoutOf returns the layout of the record that was judged last, and the value
// that it leaves open, if others may have the layout and are then sound.
func (s *session) layoutOf(src *source.Record) (layout source.Layout, hole *source.Node, ok bool) {
	if s.state.session || src.Between || src.Decoded() || src.Root == nil || len(src.Problems) > 0 || len(src.Data) > maxSample {
		return layout, nil, false
	}
	r := s.record
	if r == nil || r.Source != src || r.Doubt != 0 || !s.state.quiet(r) {
		return layout, nil, false
	}
	hole, ok = s.openText(r)
	if !ok || hasPrefix(hole) {
		return layout, nil, false
	}
	layout = source.NewLayout(src, hole)
	return layout, hole, layout.Size() <= maxLayout
}

// hasPrefix reports whether a value is a string with letters before its quote,
// as only Python has it.
func hasPrefix(n *source.Node) bool {
	return n != nil && n.Kind == source.String && n.Raw()[0] != '"' && n.Raw()[0] != '\''
}

// openText returns the string of a record that may differ from one record of
// its kind to the next, nil if there is none. It reports false for a record
// that has no other of its kind.
func (s *session) openText(r *lmc.Record) (n *source.Node, ok bool) {
	for i := range r.Source.Root.Children {
		if !common[r.Source.Root.Children[i].Name] {
			return nil, false
		}
	}
	switch {
	case r.Flag():
		return nil, r.Content == nil
	case r.Type == "confirmation":
		n = r.Content.Member("content")
	case r.Format == "active_line":
		return countOf(r.Content)
	case r.Content != nil && r.Content.Kind == source.String:
		n = r.Content
	}
	return n, n != nil && n.Kind == source.String
}

// countOf returns an active_line that is a positive number, of which any other
// is as good. Others are judged by their value.
func countOf(n *source.Node) (open *source.Node, ok bool) {
	switch {
	case n != nil && n.Kind == source.Null:
		return nil, true
	case n != nil && n.Kind == source.Number && isCount(n.Raw()):
		return n, true
	}
	return nil, false
}

// isCount reports whether a number is written with digits alone.
func isCount(raw []byte) bool {
	for _, c := range raw {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// common are the keys whose values come again and again.
var common = map[string]bool{
	"role": true, "type": true, "format": true, "content": true, "start": true, "end": true, "recipient": true,
}

// quiet reports whether the rules that go by a record's shape alone have
// nothing to say about it. LMC116 and its like speak only when a block closes.
func (s *state) quiet(r *lmc.Record) bool {
	if s.transcript && stored(r) {
		return false
	}
	_, spelled, _ := s.dialect.Language(r.Format)
	return len(s.usualRoles(r)) == 0 && (r.Type != "code" || spelled || s.dialect.Note(r.Format))
}
