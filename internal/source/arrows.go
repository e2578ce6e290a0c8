package source

import (
	"regexp"
	"sync"

	"github.com/lmclint/lmclint/internal/source/value"
)

// A connection as wscat prints it (github.com/websockets/wscat) is a sequence of frames: a
// line each, after `>` if it was sent and `<` if it was received.

var (
	// arrowFrame matches the start of a line with a frame.
	arrowFrame = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[<>] ?\{[ \t]*["'}]`) })
	// arrowStatus matches the lines that wscat prints between frames, and its prompt.
	arrowStatus = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:Connected \(press CTRL\+C to quit\)|Disconnected \(code: \d+.*|>?)\s*$`)
	})
)

// detectArrows detects such an input: its first line, after those of the status, is a
// frame.
func (d *detector) detectArrows() RecordReader {
	if d.Options.Form != FormAuto && d.Options.Form != FormSessionLog || d.In.IsNested {
		return nil
	}
	for i := 0; i < SniffWindow; {
		if c, _ := d.all().Peek(); i == 0 && BeginsValue(c) {
			return nil
		}
		line := d.LineAt(i)
		switch {
		case arrowFrame().Match(line):
			if next, found := d.In.NextAfter(i + len(line)); found && BeginsValue(d.In.Unread()[next]) {
				return nil // an arrow is before the first of several records
			}
			d.Form = FormSessionLog
			return &sequence{segment: d.line(), hasArrows: true}
		case !arrowStatus().Match(line):
			return nil
		}
		next, found := d.In.NextAfter(i + len(line))
		if !found {
			return nil
		}
		i = next
	}
	return nil
}

// frame reads the line of a frame, which begins with c. It returns nil, nil for a line
// without one.
func (s *sequence) frame(c byte) (*Record, error) {
	direction := directionWords[string(c)]
	switch {
	case arrowStatus().Match(s.LineAt(0)):
		s.Discard()
		return nil, nil
	case direction == Undirected:
		line := s.Load(contextBytes)
		end, _ := value.Describe(line, 0)
		rec := s.NewRecord(value.TrimRight(line), "", value.Result{Stop: &value.Fault{
			Kind: InvalidForm, End: end, Detail: "found no direction before the frame, expected `>` or `<`",
		}})
		s.discardAfter(rec)
		return rec, nil
	}
	s.Skip(1)
	c, ok := s.Peek()
	if !ok {
		return nil, nil
	}
	rec, err := s.value(c)
	if rec != nil {
		rec.Direction = direction
	}
	return rec, err
}
