package main

import (
	"math/bits"
	"time"
)

// perOctave is how many ranges there are between a delay and its double, so
// that a range is less than one percent wide.
const perOctave = 128

// histogram counts delays in ranges, from nanoseconds to hours. It has a fixed
// size: counting costs little beside what is measured.
type histogram struct {
	counts [48 * perOctave]uint32
	total  uint64
}

func (h *histogram) add(delay time.Duration, count int) {
	n := max(uint64(max(delay, 0)), perOctave)
	shift := bits.Len64(n) - bits.Len64(perOctave)
	h.counts[min(shift*perOctave+int(n>>shift)-perOctave, len(h.counts)-1)] += uint32(count)
	h.total += uint64(count)
}

func (h *histogram) merge(other *histogram) {
	for i, n := range other.counts {
		h.counts[i] += n
	}
	h.total += other.total
}

// quantile returns the delay that a part of all does not exceed.
func (h *histogram) quantile(part float64) time.Duration {
	rest := part * float64(h.total)
	for i, n := range h.counts {
		if rest -= float64(n); rest <= 0 && n > 0 {
			return time.Duration((i%perOctave + perOctave) << (i / perOctave))
		}
	}
	return 0
}
