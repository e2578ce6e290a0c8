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
	if c, _ := d.all().Peek(); BeginsValue(c) {
		return nil
	}
	for i, found := 0, true; found && i < SniffWindow; {
		line := d.LineAt(i)
		isFrame := arrowFrame().Match(line)
		if !isFrame && !arrowStatus().Match(line) {
			return nil
		}
		i, found = d.In.NextAfter(i + len(line))
		switch {
		case isFrame && found && BeginsValue(d.In.Unread()[i]): // an arrow is before the first of several records
			return nil
		case isFrame:
			d.Form = FormSessionLog
			return &sequence{segment: d.line(), hasArrows: true}
		}
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
