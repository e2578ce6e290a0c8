package convert_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/change/convert"
	"github.com/lmclint/lmclint/internal/source"
)

// A stream gives the same records, messages and chunks when it is written as lists of
// a few chunks.
func TestListsOfAStream(t *testing.T) {
	tried := 0
	for _, r := range healthy(t, false) {
		plain, _, err := converted(r.Data(), convert.Options{To: convert.JSONL})
		require.NoError(t, err, r.Name)
		records := flat(t, plain)
		for _, target := range []convert.Target{convert.JSONL, convert.Messages, convert.Chunks} {
			want, _, err := converted(plain, convert.Options{To: target})
			if err != nil {
				continue // a connection in both directions
			}
			for _, size := range []int{1, 2, 3, 5} {
				name := fmt.Sprint(r.Name, " in lists of ", size, " to ", target)
				var lists bytes.Buffer
				for list := range slices.Chunk(records, size) {
					require.NoError(t, json.NewEncoder(&lists).Encode(list))
				}
				got, _, err := converted(lists.Bytes(), convert.Options{To: target})
				if assert.NoError(t, err, name) && assert.Equal(t, flat(t, want), flat(t, got), name) {
					tried++
				}
			}
		}
	}
	assert.Greater(t, tried, 500)
}

// A page shows a stream and a list of messages: two conversations.
func TestAListBesideAStream(t *testing.T) {
	const stream = `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "end": true}
`
	const list = `[{"role": "user", "type": "message", "content": "Hi"}, {"role": "assistant", "type": "message", "content": "Hello"}]
`
	for _, page := range []string{"A stream:\n\n" + stream + "\nA list:\n\n" + list, "A list:\n\n" + list + "\nA stream:\n\n" + stream} {
		got, _, err := converted([]byte(page), convert.Options{To: convert.JSONL, Form: source.FormText})
		require.NoError(t, err)
		assert.Equal(t, 2, bytes.Count(got, []byte("\n")), "%s", got)
		assert.Contains(t, string(got), list)
	}
}

// flat returns the records of JSON texts, also those in lists.
func flat(t *testing.T, texts []byte) (records []any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(texts))
	for {
		var value any
		err := decoder.Decode(&value)
		if errors.Is(err, io.EOF) {
			return records
		}
		require.NoError(t, err)
		if list, ok := value.([]any); ok {
			records = append(records, list...)
		} else {
			records = append(records, value)
		}
	}
}
