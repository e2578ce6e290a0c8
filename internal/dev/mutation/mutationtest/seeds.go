package mutationtest

import (
	"math/rand/v2"
	"testing"

	"github.com/lmclint/lmclint/internal/dev/mutation"
)

// Seed is a mutant that is made when it is needed.
type Seed struct {
	Recording *mutation.Recording
	Kind      mutation.Kind
	Number    uint64
}

// Data returns the text of the mutant.
func (s Seed) Data() []byte { return s.Kind.Seed(s.Recording, s.Number).Data }

// Seeds returns a number of mutants, spread evenly over kinds and recordings, and
// always the same.
func Seeds(recordings []*mutation.Recording, count int) []Seed {
	var pairs []Seed
	for _, kind := range mutation.Kinds() {
		for _, r := range recordings {
			if kind.Transcripts == r.Transcript {
				pairs = append(pairs, Seed{Recording: r, Kind: kind})
			}
		}
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	var seeds []Seed
	for number := uint64(0); len(seeds) < count; number++ {
		before := len(seeds)
		for _, s := range pairs {
			s.Number = number
			if len(seeds) < count && s.Kind.Seed(s.Recording, number) != nil {
				seeds = append(seeds, s)
			}
		}
		if len(seeds) == before {
			break
		}
	}
	return seeds
}

// EachKind calls do for each kind of mistakes with its number, each in a subtest of its own.
// These run in parallel; it returns when all have ended.
func EachKind(t *testing.T, do func(t *testing.T, number int, kind mutation.Kind)) {
	t.Helper()
	t.Run("kinds", func(t *testing.T) {
		for number, kind := range mutation.Kinds() {
			t.Run(kind.Name, func(t *testing.T) {
				t.Parallel()
				do(t, number, kind)
			})
		}
	})
}
