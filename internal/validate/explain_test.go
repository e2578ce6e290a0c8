package validate

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/schema"
)

// Without any row of the table, its record has more violations.
func TestEveryExplanationIsNeeded(t *testing.T) {
	const console = `"role":"computer","type":"console",`
	records := []string{
		`{}`,
		`{` + console + `"content":"1","end":true}`,
		`{"role":"assistant","type":"message","stop":true}`,
		`{"role":"assistant","type":"message","contnet":"x","mood":1}`,
		`{"role":"user","typ":"image","format":"path","start":true}`,
		`{"role":"assistant","type":"code","content":1}`,
		`{"role":"computer","type":"image","format":"png","content":5}`,
		`{"role":"assistant","type":"message","format":"text","content":5}`,
		`{"role":"assistant","type":"message","start":true,"content":null}`,
	}
	require.Len(t, explanations, len(records))
	d, _ := schema.Lookup("server")
	count := func(record string) int {
		violations, err := NewValidator(d, WithoutMemo()).Check(nodeOf(t, record), schema.Chunk)
		require.NoError(t, err)
		return len(violations)
	}
	all := explanations
	defer func() { explanations = all }()
	for i, record := range records {
		assert.NotEmpty(t, all[i].principle)
		explanations = all
		explained := count(record)
		explanations = slices.Delete(slices.Clone(all), i, i+1)
		assert.Greater(t, count(record), explained, fmt.Sprint(all[i].principle, record))
	}
}
