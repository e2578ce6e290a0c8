package protocol

import (
	"github.com/lmclint/lmclint/internal/agreement"
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// Skim follows the records that it recognises.
func (s *session) StepFast(stretch source.Window, wanted lint.Mask, emit func(lint.Mask, any) bool) lint.FastResult {
	if s.state.session {
		return lint.FastResult{} // what a frame means hangs on who sent it
	}
	s.emitSkimmed, s.found = emit, false
	s.follower.SetWanted(lmc.Kind(wanted) | s.wants())
	defer func() {
		s.emitSkimmed = nil
		s.follower.SetWanted(^lmc.Kind(0))
	}()
	if stretch.Lines {
		return s.skimLines(stretch)
	}
	return s.skimElements(stretch)
}

// wants are the events that the session itself needs.
func (s *session) wants() lmc.Kind {
	if s.agreement != nil {
		return lmc.Confirmation | agreement.Wants
	}
	return lmc.Confirmation
}

// skimLines follows lines, while they are found by somebody who is ahead.
func (s *session) skimLines(stretch source.Window) lint.FastResult {
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
	done := lint.FastResult{Records: stretch.Number - first, Behind: stretch.At}
	if done.Records > 0 {
		s.follower.Last(s.last) // its text may be gone when the stream ends
	}
	return done
}

// mayGoOn reports whether so many more records may be followed before anything
// else is done.
func (s *session) mayGoOn(records int) bool {
	return !s.found && (s.state.DialectFixed || s.records+records < maxUndecidedRecords)
}

// skimLine follows the line at the start of a stretch, and moves over it.
func (s *session) skimLine(k *cachedTemplate, stretch *source.Window, hole source.Placeholder, size int) {
	s.skim(k, stretch, hole)
	stretch.Advance(size, 1)
}

// skimRun follows the lines of a run one by one.
func (s *session) skimRun(k *cachedTemplate, stretch *source.Window, lines int) {
	for ; lines > 0 && s.mayGoOn(1); lines-- {
		hole, size, _ := k.sample.Layout.MatchAnyOrder(stretch.Text)
		s.skimLine(k, stretch, hole, size+stretch.Behind(stretch.Text[size:]))
	}
}

// repeat follows all lines of a run at once, if the follower can do that.
func (s *session) repeat(k *cachedTemplate, stretch *source.Window, run source.LineRun) bool {
	follower, ok := s.follower.(repeater)
	layout := &k.sample.Layout
	if !ok || !s.mayGoOn(run.Lines) || !follower.Repeat(k.record, run.Lines, layout.Texts(stretch, run)) {
		return false
	}
	s.records += run.Lines
	stretch.Advance(run.Last, run.Lines-1)
	s.last = k.sample.Fill(stretch, run.Hole)
	stretch.Advance(run.Size-run.Last, 1)
	return true
}

// skimElements follows the elements of an array.
func (s *session) skimElements(stretch source.Window) (done lint.FastResult) {
	first := stretch.Number
	s.memory.resume(&stretch)
	for s.mayGoOn(1) {
		k, hole, size, cut := s.memory.find(stretch.Text, stretch.Python)
		if k == nil {
			if lacks := s.memory.lacks(&stretch); cut && done.Records == 0 {
				done.Lacks = lacks
			}
			break
		}
		s.memory.half.known = nil
		s.skim(k, &stretch, hole)
		stretch.PassElement(&k.sample.Layout, hole, size)
		done = lint.FastResult{Records: stretch.Number - first, Behind: stretch.At}
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
func (s *session) skim(k *cachedTemplate, stretch *source.Window, hole source.Placeholder) {
	s.last = k.sample.Fill(stretch, hole)
	s.records++
	s.follower.Follow(k.record)
}
