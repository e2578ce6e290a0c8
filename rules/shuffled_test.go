package rules_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/lint"
)

// Both lanes find the same in streams whose members come in an order of their
// own in every record, sound ones and others.
func TestLanesAgreeOnShuffledMembers(t *testing.T) {
	rng := rand.New(rand.NewSource(1)) //nolint:gosec // the same in every test
	lanes := newLanes(lint.Config{})
	for _, name := range []string{
		"recorded/v0.4.2/py_html_last.chunks.jsonl", "recorded/v0.4.2/several_blocks.chunks.jsonl",
		"recorded/v0.4.2/review_warning.chunks.jsonl", "recorded/v0.4.2/py_two_images.chunks.jsonl", "recorded/v0.1.17/html.chunks.jsonl",
	} {
		data, err := os.ReadFile(filepath.Join(suite, name))
		require.NoError(t, err)
		for _, wrong := range []int{0, 20} {
			var records []string
			for range 6 {
				for line := range bytes.Lines(data) {
					records = append(records, shuffled(t, rng, line, wrong > 0 && rng.Intn(wrong) == 0))
				}
			}
			for form, text := range map[string]string{
				"lines": strings.Join(records, "\n") + "\n", "CRLF": strings.Join(records, "\r\n") + "\r\n",
				"list": "[" + strings.Join(records, ", ") + "]", "events": "data: " + strings.Join(records, "\n\ndata: ") + "\n\n",
				"Python": strings.NewReplacer("true", "True", "null", "None").Replace(strings.Join(records, "\n")) + "\n",
			} {
				t.Run(fmt.Sprint(filepath.Base(name), " ", form, " ", wrong), func(t *testing.T) {
					lanes.agree(t, []byte(text))
					if wrong > 0 {
						lanes.agreeInParts(t, []byte(text))
					}
				})
			}
		}
	}
}

// shuffled writes a record with its members in any order, and one of them left
// out if it is to be wrong.
func shuffled(t *testing.T, rng *rand.Rand, record []byte, wrong bool) string {
	t.Helper()
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(record, &members))
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		value := members[name]
		if value[0] == '{' {
			value = json.RawMessage(shuffled(t, rng, value, false))
		}
		parts = append(parts, fmt.Sprintf("%q: %s", name, value))
	}
	rng.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	if wrong {
		parts = parts[1:]
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
