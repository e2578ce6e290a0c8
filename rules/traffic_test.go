package rules_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A recorded session gives the same findings about the same records, whether it
// is a log of the connection or a browser's recording of its traffic.
func TestTrafficGivesTheSame(t *testing.T) {
	recordings, err := filepath.Glob(filepath.Join(suite, "recorded", "*", "*.har"))
	require.NoError(t, err)
	require.NotEmpty(t, recordings)
	for _, traffic := range recordings {
		log := strings.TrimSuffix(traffic, ".har") + ".ws.jsonl"
		for _, o := range []options{{}, {Dialect: "interpreter"}, {Dialect: "docs"}} {
			want, foreign := judge(t, log, o)
			require.False(t, foreign, log)
			got, foreign := judge(t, traffic, o)
			require.False(t, foreign, traffic)
			assert.Equal(t, withoutPlaces(want), withoutPlaces(got), "%s under %q", traffic, o.Dialect)
		}
	}
}

// withoutPlaces leaves out where findings stand in their input.
func withoutPlaces(findings []expectFound) []expectFound {
	for i := range findings {
		findings[i].Line, findings[i].Column = 0, 0
	}
	return findings
}
