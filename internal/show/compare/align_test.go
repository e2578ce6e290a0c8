package compare_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/show/compare"
)

// transcript returns a transcript with these texts of the assistant.
func transcript(texts ...string) []byte {
	var b bytes.Buffer
	b.WriteString(`[{"role": "user", "type": "message", "content": "go"}`)
	for _, text := range texts {
		fmt.Fprintf(&b, ",\n{\"role\": \"assistant\", \"type\": \"message\", \"content\": %q}", text)
	}
	b.WriteString("]\n")
	return b.Bytes()
}

func changesOf(list []compare.Difference) (changes []string) {
	for _, d := range list {
		text := func(b *compare.Entry) string {
			if b == nil {
				return "-"
			}
			return string(b.Text.Head)
		}
		changes = append(changes, fmt.Sprintf("%s %s %s", d.Change, text(d.A), text(d.B)))
	}
	return changes
}

func TestAlignment(t *testing.T) {
	for _, test := range []struct {
		name string
		a, b []string
		want []string
	}{
		{"inserted", []string{"a", "b", "c", "d"}, []string{"a", "x", "b", "c", "d"}, []string{"added - x"}},
		{"inserted first", []string{"a", "b", "c"}, []string{"x", "a", "b", "c"}, []string{"added - x"}},
		{"lost", []string{"a", "b", "c"}, []string{"a", "c"}, []string{"removed b -"}},
		{"changed", []string{"a", "b", "c"}, []string{"a", "x", "c"}, []string{"changed b x"}},
		{"moved", []string{"a", "b", "c", "d"}, []string{"b", "c", "d", "a"}, []string{"moved a a"}},
		{
			"changed next to inserted ones",
			[]string{"a", "the quick brown fox jumps", "z"},
			[]string{"a", "something else entirely here", "the quick brown cat jumps", "yet another thing said", "z"},
			[]string{"added - something else entirely here", "changed the quick brown fox jumps the quick brown cat jumps", "added - yet another thing said"},
		},
		{"repeated", []string{"a", "a", "a", "b"}, []string{"a", "a", "b"}, []string{"removed a -"}},
		{"all", nil, []string{"a"}, []string{"added - a"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, changesOf(differences(t, transcript(test.a...), transcript(test.b...), compare.Options{})))
		})
	}
}

// Edits of a large recording are found, each one alone.
func TestManyBlocks(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	var a, b []string
	edits := 0
	blocks := 20_000
	if !exhaustive.Enabled() {
		blocks = 8_000 // still more than are compared each with each
	}
	for i := range blocks {
		text := fmt.Sprintf("message %d of many", i%5_000)
		if i%2 == 0 {
			text = "the same"
		}
		a = append(a, text)
		switch dice.IntN(200) {
		case 0:
			edits++
			b = append(b, text, fmt.Sprintf("inserted %d", i))
		case 1:
			edits++
		default:
			b = append(b, text)
		}
	}
	require.Greater(t, edits, blocks/200)
	found := compare.Compare(read(t, transcript(a...)), read(t, transcript(b...)), compare.Options{})
	assert.LessOrEqual(t, len(found.Differences), edits+edits/10)
}

// Recordings without anything in common are compared in bounded time, and the
// result says that it may be longer than needed.
func TestManyDifferentBlocks(t *testing.T) {
	var a, b []string
	for i := range 3_000 {
		a = append(a, fmt.Sprintf("first %d", i/3))
		b = append(b, fmt.Sprintf("second %d", i/3))
	}
	found := compare.Compare(read(t, transcript(a...)), read(t, transcript(b...)), compare.Options{})
	assert.True(t, found.Approximated)
	assert.Equal(t, 1, found.Equal) // what the user said
	assert.Len(t, found.Differences, 3_000)
}

func TestTooManyBlocks(t *testing.T) {
	if !exhaustive.Enabled() {
		t.Skip("makes a recording of very many blocks")
	}
	recording := read(t, transcript(slices.Repeat([]string{"a"}, compare.MaxBlocks)...))
	assert.True(t, recording.Full)
	assert.Len(t, recording.Blocks, compare.MaxBlocks)
}

// Recordings that are too large to be aligned at once are divided at the blocks
// that occur once in both.
func TestLargeRecordingsAreDividedAtUniqueBlocks(t *testing.T) {
	var a, b, want []string
	for i := range 1200 {
		if i%100 == 99 {
			a, b = append(a, fmt.Sprint("common ", i)), append(b, fmt.Sprint("common ", i))
			continue
		}
		x, y := fmt.Sprintf("left%d", i), fmt.Sprintf("right%d", i)
		a, b = append(a, x), append(b, y)
		want = append(want, "changed "+x+" "+y)
	}
	assert.Equal(t, want, changesOf(differences(t, transcript(a...), transcript(b...), compare.Options{})))
}
