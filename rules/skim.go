package rules

import (
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/lmc"
	"github.com/lmclint/lmclint/source"
)

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
		hole, size, _ := k.sample.Layout.MatchShuffled(stretch.Text)
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
