package mutation_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/mutation"
	"github.com/lmclint/lmclint/internal/mutation/mutationtest"
)

const (
	spaced = `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hello "}
{"role": "assistant", "type": "message", "content": "there"}
{"role": "assistant", "type": "message", "end": true}
{"role": "assistant", "type": "code", "format": "python", "start": true}
{"role": "assistant", "type": "code", "format": "python", "content": "1"}
{"role": "assistant", "type": "code", "format": "python", "end": true}
`
	pretty = `[
    {
        "role": "user",
        "type": "message",
        "content": "Hello"
    },
    {
        "role": "assistant",
        "type": "message",
        "content": "there"
    }
]
`
)

func read(t *testing.T, text string, transcript bool) *mutation.Recording {
	t.Helper()
	r := &mutation.Recording{Transcript: transcript}
	require.NoError(t, r.Read([]byte(text)))
	return r
}

// Every kind has an id of its own, and names rules.
func TestKinds(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range mutation.Kinds() {
		assert.Regexp(t, `^[a-z0-9]+(-[a-z0-9]+)*$`, k.ID())
		assert.False(t, seen[k.ID()], k.ID())
		assert.NotEmpty(t, k.Rules, k.ID())
		seen[k.ID()] = true
	}
	assert.True(t, seen["lost-end"])
}

// Same number, same mutant; other numbers reach other places.
func TestSeedIsDeterministic(t *testing.T) {
	r := read(t, spaced, false)
	different := 0
	for _, k := range mutation.Kinds() {
		m := k.Seed(r, 1)
		if m == nil {
			continue
		}
		assert.Equal(t, m, k.Seed(r, 1), k.ID())
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

// Anything may be read: an error, or mutants.
func FuzzSeed(f *testing.F) {
	for _, text := range []string{spaced, pretty, `[{"role": "user"}]`, `{"start":1}`, "[]", `{"a":{"b":[1]}}` + "\n" + `{"end":1}`} {
		f.Add([]byte(text), true, uint64(1))
		f.Add([]byte(text), false, uint64(2))
	}
	suite := os.DirFS("../../testdata/recorded/v0.4.2")
	recordings, err := mutationtest.Load(suite)
	require.NoError(f, err)
	for i, r := range recordings {
		if i%20 == 0 && len(r.Data()) < 20_000 {
			f.Add(r.Data(), r.Transcript, uint64(i))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, transcript bool, number uint64) {
		r := &mutation.Recording{Transcript: transcript}
		if r.Read(data) != nil {
			return
		}
		for _, k := range mutation.Kinds() {
			if m := k.Seed(r, number); m != nil {
				require.NotEmpty(t, m.At, k.ID())
			}
		}
	})
}
