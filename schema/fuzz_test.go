package schema_test

import (
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// FuzzCheck holds Check to the published schemas, and to the same answer to
// the same question.
func FuzzCheck(f *testing.F) {
	var judges []*judge
	for _, dialect := range schema.Names() {
		judges = append(judges, newJudge(f, dialect, schema.Message), newJudge(f, dialect, schema.Chunk))
	}
	for i, record := range append(tableRecords(), recorded(f, "*", "*")...) {
		f.Add(record, uint8(i))
	}
	f.Fuzz(func(t *testing.T, record string, number uint8) {
		root := readable(record)
		if root == nil {
			return
		}
		j := judges[int(number)%len(judges)]
		first, err := j.validator.Check(root, j.part)
		require.NoError(t, err)
		second, err := j.validator.Check(root, j.part)
		require.NoError(t, err)
		assert.Equal(t, first, second)
		assert.Equal(t, j.published.Validate(root.Value()) == nil, len(first) == 0, rulesOf(first))
	})
}

// readable returns the first record of an input if it is a sound object.
func readable(input string) *source.Node {
	reader := source.NewReader(strings.NewReader(input), source.Options{Form: source.FormJSONL})
	r, err := reader.Next()
	if err != nil || r.Root == nil || r.Root.Kind != source.Object {
		return nil
	}
	for _, problem := range r.Problems {
		if problem.Fatal() {
			return nil
		}
	}
	return r.Clone().Root
}
