package source_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What an input is packed in, and where its records end, hangs on its text
// alone, and not on how much of that has arrived when it is decided.
func TestArrivalDecidesNothing(t *testing.T) {
	for name, input := range map[string]string{
		"an envelope behind a list":            `[{"a": 1}]` + "\n" + `{"messages": [{"b": 2}]}`,
		"an envelope behind a list, not whole": `[{"a": 1}]` + "\n" + `{"messages": [`,
		"an object behind a list":              `[{"a": 1}]` + "\n" + `{"b": 2}` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			want := read(strings.NewReader(input), auto)
			for way, in := range piecewise(input) {
				require.Equal(t, want, read(in, auto), way)
			}
		})
	}
}
