package source_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/source"
)

func TestShows(t *testing.T) {
	marks := source.NewMarks(`"of_it"`, `"of_all"`, `"Mark"`, `x`, `__`)
	for text, want := range map[string]bool{
		``:                               false,
		`{"a": "of it", "b": "Mar"}`:     false,
		`{"a_b": "of_", "c": "of_its"}`:  false,
		`{"a_b": 1, "of_it": 2}`:         true,
		`{"of_al": 1, "of_all": 2}`:      true,
		`{"Marks": 1, "M": 2}`:           false,
		`{"MMark": 1, "Mark": 2}`:        true,
		`{"a": "x"}`:                     true,
		`_{"a_": "_"}_`:                  false,
		`{"a": 1}__`:                     true,
		`_"}` + strings.Repeat(`-_`, 99): false,
		`_it" "of`:                       false,
		`arK" "ark" "of_`:                false,
	} {
		for _, behind := range []string{"", " ", strings.Repeat(" ", 100)} {
			reader := source.NewReader(strings.NewReader("[{},"+text+behind), source.Options{})
			_, err := reader.Next()
			require.NoError(t, err)
			assert.Equal(t, want, reader.Shows(&marks), text)
		}
	}
}

// What Next has passed is not looked at.
func TestShowsWhatIsBehind(t *testing.T) {
	marks := source.NewMarks(`"mark"`)
	reader := source.NewReader(strings.NewReader(`[{"mark": 1}, {"mark": 2}]`), source.Options{})
	for _, want := range []bool{true, false} {
		_, err := reader.Next()
		require.NoError(t, err)
		assert.Equal(t, want, reader.Shows(&marks))
	}
}

func TestNoMarks(t *testing.T) {
	marks := source.NewMarks()
	reader := source.NewReader(strings.NewReader(`[{}, {}]`), source.Options{})
	_, err := reader.Next()
	require.NoError(t, err)
	assert.False(t, reader.Shows(&marks))
}
