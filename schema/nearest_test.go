package schema

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDistance compares with the definition, for all that is to be told apart.
func TestDistance(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	word := func() []rune {
		letters := make([]rune, random.IntN(8))
		for i := range letters {
			letters[i] = rune('a' + random.IntN(3))
		}
		return letters
	}
	for range 1_000 {
		a, b := word(), word()
		want := defined(a, b)
		require.LessOrEqual(t, lettersApart(a, b), want, "%q %q", string(a), string(b))
		for most := range 4 {
			got := distance(a, b, most)
			if want <= most {
				require.Equal(t, want, got, "%q %q", string(a), string(b))
			} else {
				require.Greater(t, got, most, "%q %q", string(a), string(b))
			}
		}
	}
}

// defined is the distance of optimal string alignment by its definition.
func defined(a, b []rune) int {
	if len(a) == 0 || len(b) == 0 {
		return len(a) + len(b)
	}
	m, n := len(a)-1, len(b)-1
	cost := 1
	if a[m] == b[n] {
		cost = 0
	}
	least := min(defined(a[:m], b)+1, defined(a, b[:n])+1, defined(a[:m], b[:n])+cost)
	if m > 0 && n > 0 && a[m] == b[n-1] && a[m-1] == b[n] {
		least = min(least, defined(a[:m-1], b[:n-1])+1)
	}
	return least
}
