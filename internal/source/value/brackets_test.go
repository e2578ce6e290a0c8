package value_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source/value"
)

func TestBracketMatcherFindsEnd(t *testing.T) {
	tests := []struct {
		name, text string
		matcher    value.BracketMatcher
		size       int
		closed     bool
		broken     bool
	}{
		{"object", `{"a": "}"} x`, value.BracketMatcher{}, 10, true, false},
		{"escaped quote", `"a\"b" x`, value.BracketMatcher{}, 6, true, false},
		{"number", `12, `, value.BracketMatcher{}, 2, true, false},
		{"truncated", `{"a": [`, value.BracketMatcher{}, 7, false, false},
		{"wrong bracket", `{"a": ]`, value.BracketMatcher{}, 6, false, true},
		{"Python", "['}', ']'] x", value.BracketMatcher{Python: true}, 10, true, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for step := 1; step <= len(test.text); step++ {
				b := test.matcher
				for end := step; !b.Feed([]byte(test.text[:min(end, len(test.text))])) && end < len(test.text); end += step {
				}
				require.Equal(t, test.size, b.Size(), "parts of %d bytes", step)
				require.Equal(t, test.closed, b.IsClosed(), "parts of %d bytes", step)
				require.Equal(t, test.broken, b.IsBroken(), "parts of %d bytes", step)
			}
		})
	}
}
