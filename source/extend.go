package source

import "bytes"

// Ready is what a source may offer besides Read: it reports whether the next
// Read returns without waiting for whoever writes. Of such a source a [Reader]
// may read ahead of the record at hand; see [Stretch.Extend].
type Ready interface {
	Ready() bool
}

// leastRead is for how many bytes the input must have room to be read ahead.
const leastRead = 32 << 10

// Extend reads on and makes a stretch of lines longer. It returns the lines
// that it added. There are none where reading might have to wait, where there
// is no room for more, and where the input ends: then the stretch has to be
// passed first.
func (s *Stretch) Extend() (lines []byte) {
	in := s.from
	for in != nil && in.readAhead() {
		if end := bytes.LastIndexByte(in.buf[s.end:in.w], '\n'); end >= 0 {
			to := s.end + end + 1
			lines = in.buf[s.end:to:to]
			s.Text = in.buf[s.end-len(s.Text) : to : to]
			s.end = to
			return lines
		}
	}
	return nil
}

// readAhead reads once if that needs no waiting, and moves nothing.
func (in *input) readAhead() bool {
	src, ok := in.src.(Ready)
	return ok && in.err == nil && len(in.buf)-in.w >= leastRead && src.Ready() && in.read()
}
