package source_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
)

// What an input is packed in, and where its records end, hangs on its text
// alone, and not on how much of that has arrived when it is decided.
func TestArrivalDecidesNothing(t *testing.T) {
	inputs := map[string]string{
		"an envelope behind a list":            `[{"a": 1}]` + "\n" + `{"messages": [{"b": 2}]}`,
		"an envelope behind a list, not whole": `[{"a": 1}]` + "\n" + `{"messages": [`,
		"an object behind a list":              `[{"a": 1}]` + "\n" + `{"b": 2}` + "\n",
		"a comma at the start of a line":       "{'a': 1}\n,\n{'b': 2},\n{'c': 3}\n, {'d': 4}\n,",
	}
	for name, input := range inputs {
		for _, form := range []source.Form{source.FormAuto, source.FormJSONL, source.FormPython} {
			t.Run(name+" "+string(form), func(t *testing.T) {
				options := source.Options{Form: form}
				want := outcomeOf(strings.NewReader(input), options)
				for way, in := range piecewise(input) {
					require.Equal(t, want, outcomeOf(in, options), way)
				}
			})
		}
	}
}
