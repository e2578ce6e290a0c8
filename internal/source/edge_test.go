package source_test

import (
	"strings"
	"testing"
	"testing/iotest"

	"github.com/lmclint/lmclint/internal/exhaustive"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source/sourcetest"
)

// Wherever the end of a buffer falls, a record is what is in the input.
func TestBufferEdges(t *testing.T) {
	const buffer = 64 << 10
	for _, seed := range sourcetest.ReaderSeeds {
		if seed == "" || !strings.ContainsRune(" {[\"x-01.", rune(seed[0])) {
			continue // after whitespace, it would not be what it was
		}
		plain := sourcetest.Read(strings.NewReader(seed), auto)
		for before := range min(len(seed)+2, 30) {
			if before%5 > 1 && !exhaustive.Enabled() {
				continue
			}
			text := strings.Repeat("\n", buffer-before) + seed
			padded := sourcetest.Read(strings.NewReader(text), auto)
			require.Len(t, padded.Lines, len(plain.Lines), "%q behind %d", seed, before)
			sourcetest.RequirePlacesOf(t, iotest.HalfReader(strings.NewReader(text)), []byte(text), auto)
		}
	}
}
