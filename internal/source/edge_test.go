package source_test

import (
	"strings"
	"testing"
	"testing/iotest"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"

	"github.com/stretchr/testify/require"
)

// Wherever the end of a buffer falls, a record is what is in the input.
func TestBufferEdges(t *testing.T) {
	const buffer = 64 << 10
	for _, seed := range readerSeeds {
		if seed == "" || !strings.ContainsRune(" {[\"x-01.", rune(seed[0])) {
			continue // after whitespace, it would not be what it was
		}
		plain := outcomeOf(strings.NewReader(seed), auto)
		for before := range min(len(seed)+2, 30) {
			if before%5 > 1 && !exhaustive.Enabled() {
				continue
			}
			text := strings.Repeat("\n", buffer-before) + seed
			padded := outcomeOf(strings.NewReader(text), auto)
			require.Len(t, padded.Lines, len(plain.Lines), "%q behind %d", seed, before)
			requirePlacesOf(t, iotest.HalfReader(strings.NewReader(text)), []byte(text), auto)
		}
	}
}
