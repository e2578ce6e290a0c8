package mutation_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/mutation"
)

const stream = `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hello "}
{"role": "assistant", "type": "message", "content": "there"}
{"role": "assistant", "type": "message", "end": true}
{"role": "assistant", "type": "code", "format": "python", "start": true}
{"role": "assistant", "type": "code", "format": "python", "content": "1"}
{"role": "assistant", "type": "code", "format": "python", "end": true}
`

// Every kind has a name of its own, and names rules.
func TestKinds(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range mutation.Kinds() {
		assert.False(t, seen[k.Name], k.Name)
		assert.NotEmpty(t, k.Rules, k.Name)
		seen[k.Name] = true
	}
}

// Same number, same mutant; other numbers reach other places.
func TestSeedIsDeterministic(t *testing.T) {
	r := &mutation.Recording{}
	require.NoError(t, r.Read([]byte(stream)))
	different := 0
	for _, k := range mutation.Kinds() {
		m := k.Seed(r, 1)
		if m == nil {
			continue
		}
		assert.Equal(t, m, k.Seed(r, 1), k.Name)
		for number := range uint64(8) {
			other := k.Seed(r, number)
			if other != nil && !bytes.Equal(m.Data, other.Data) {
				different++
				break
			}
		}
	}
	assert.Greater(t, different, 40)
}
