package compare

import (
	"bytes"
	"hash/fnv"
)

// sketch estimates how similar two texts are, in constant memory: for each of some
// groups of words, the least hash of a word in it. Texts that share most of their
// words have most of these in common.
type sketch [sketchGroups]uint32

const (
	sketchGroups = 16
	sketchText   = 64 << 10 // bytes of a text that are looked at
	sketchWord   = 32       // bytes of a word, at most
)

// sketchOf returns the sketch of a text. Of a long one it looks at the beginning.
func sketchOf(text []byte) (s sketch) {
	for i := range s {
		s[i] = ^uint32(0)
	}
	text = text[:min(len(text), sketchText)]
	for word := range bytes.FieldsSeq(text) {
		for len(word) > 0 {
			part := word[:min(len(word), sketchWord)]
			word = word[len(part):]
			sum := fnv.New64a()
			_, _ = sum.Write(part) // never fails
			h := uint32(sum.Sum64() ^ sum.Sum64()>>32)
			group := h % sketchGroups
			s[group] = min(s[group], h/sketchGroups)
		}
	}
	return s
}

// similarity is how many of a hundred parts two texts share, by their sketches.
func (s *sketch) similarity(o *sketch) int {
	same, all := 0, 0
	for i := range s {
		if s[i] == ^uint32(0) && o[i] == ^uint32(0) {
			continue
		}
		all++
		if s[i] == o[i] {
			same++
		}
	}
	if all == 0 {
		return 0
	}
	return 100 * same / all
}
