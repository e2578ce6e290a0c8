package source

import (
	"bytes"
	"regexp"
	"sync"

	"github.com/lmclint/lmclint/internal/source/value"
)

// arrows reads the frames of a connection as wscat prints them (github.com/websockets/wscat):
// a line each, after `>` if it was sent and `<` if it was received.
type arrows struct {
	segment
	midLine bool
}

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
			return &arrows{segment: d.line()}
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

func (a *arrows) Next() (*Record, error) {
	in := a.Segment
	for {
		c, ok := in.Peek()
		switch {
		case !ok && !in.NextLine():
			return nil, in.End()
		case !ok:
			a.midLine = false
		case a.midLine:
			if rec := a.strayOnLine(); rec != nil {
				return rec, nil
			}
		case arrowStatus().Match(a.LineAt(0)):
			in.Discard()
		default:
			a.midLine = true
			return a.frame(c)
		}
	}
}

// frame returns the frame on a line that begins with c.
func (a *arrows) frame(c byte) (*Record, error) {
	in := a.Segment
	direction := Undirected
	switch c {
	case '<':
		direction = Received
	case '>':
		direction = Sent
	}
	if direction == Undirected {
		line := in.Load(contextBytes)
		end, _ := value.Describe(line, 0)
		rec := a.NewRecord(value.TrimRight(line), "", value.Result{Stop: &value.Fault{
			Kind: InvalidForm, End: end, Detail: "found no direction before the frame, expected `>` or `<`",
		}})
		a.discardAfter(rec)
		return rec, nil
	}
	in.Skip(1)
	if _, ok := in.Peek(); !ok {
		return a.NewGap(bytes.Clone([]byte{c}), in.Pos), nil
	}
	rec, err := a.lineRecord(a.readValue())
	if rec != nil {
		rec.Direction = direction
	}
	return rec, err
}
