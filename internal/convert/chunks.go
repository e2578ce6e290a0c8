package convert

import (
	"github.com/lmclint/lmclint/internal/source"
)

type streamer struct {
	c    *conversion
	next step
}

func newStreamer(c *conversion, next step) *streamer { return &streamer{c, next} }

func (s *streamer) add(r *source.Record) error { return s.next.add(r) }
func (s *streamer) finish() error              { return s.next.finish() }
