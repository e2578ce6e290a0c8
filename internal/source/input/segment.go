package input

import (
	"io"

	"github.com/lmclint/lmclint/internal/source/value"
)

// Segment is the part of the unread input that a value may take: the rest of the line,
// or all of it. It moves with the input.
type Segment struct {
	*Input
	IsLine bool // it ends with the line
}

// Line returns the segment that ends with the line.
func (in *Input) Line() Segment { return Segment{in, true} }

// All returns the segment that ends with the input.
func (in *Input) All() Segment { return Segment{in, false} }

// Rest returns the bytes of the segment that have arrived.
func (s Segment) Rest() []byte {
	unread := s.Unread()
	if s.IsLine {
		if end := s.LineEnd(); end >= 0 {
			return unread[:end]
		}
	}
	return unread
}

// Complete reports whether Rest is the whole segment.
func (s Segment) Complete() bool {
	return s.err != nil || s.IsLine && s.LineEnd() >= 0
}

// More blocks until Rest has grown, and reports whether it has. It returns
// false if Rest is complete.
func (s Segment) More() bool { return !s.Complete() && s.Fetch() }

// Failure returns the error of the source if the segment ended because of it,
// else nil.
func (s Segment) Failure() error {
	if s.err == nil || s.err == io.EOF || s.IsLine && s.LineEnd() >= 0 {
		return nil
	}
	return s.End()
}

// Discard skips the rest of the segment in constant memory. A truncated code
// point at the end of what has arrived is kept until the rest arrives, to count
// columns correctly.
func (s Segment) Discard() {
	for !s.Complete() {
		s.Skip(value.PartialRune(s.Unread()))
		s.Fetch()
	}
	s.Skip(len(s.Rest()))
}

// Load blocks until the segment has n bytes or is complete, and returns its
// first n bytes, or all of it if it is shorter.
func (s Segment) Load(n int) []byte {
	for len(s.Rest()) < n && s.More() {
	}
	rest := s.Rest()
	return rest[:min(n, len(rest))]
}

// Peek skips whitespace and returns the byte after it without skipping it. It
// returns false at the end of the segment.
func (s Segment) Peek() (byte, bool) {
	for {
		rest := s.Rest()
		if len(rest) > 0 && rest[0] > ' ' {
			return rest[0], true
		}
		n := value.SpaceSize(rest)
		s.Skip(n)
		switch {
		case n < len(rest):
			return rest[n], true
		case !s.More():
			return 0, false
		}
	}
}

// FollowedBy returns the first byte of the segment from i on that is not
// whitespace, or 0 if there is none.
func (s Segment) FollowedBy(i int) byte {
	for most := i + maxBlank; i <= most; {
		rest := s.Rest()
		i += value.SpaceSize(rest[i:])
		if i < len(rest) && i <= most {
			return rest[i]
		}
		if i < len(rest) || !s.More() {
			break
		}
	}
	return 0
}
