package sample_test

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/bench/internal/sample"
)

func stream(s sample.Stream) func(io.Writer) error {
	return func(w io.Writer) error { return sample.WriteStream(w, s) }
}

func TestStreamKeepsTheProtocol(t *testing.T) {
	for name, s := range map[string]sample.Stream{
		"json.dumps": {Chunks: 5_000},
		"bytes":      {Bytes: 150_000},
		"compact":    {Chunks: 2_000, Layout: sample.Layout{Compact: true}},
		"CRLF":       {Chunks: 2_000, Layout: sample.Layout{CRLF: true}},
		"shuffled":   {Chunks: 2_000, Layout: sample.Layout{Shuffled: true}},
		"raw":        {Chunks: 2_000, Layout: sample.Layout{Raw: true}},
		"Han, raw":   {Chunks: 2_000, Script: sample.Han, Layout: sample.Layout{Raw: true}},
		"Han":        {Chunks: 2_000, Script: sample.Han},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(3) {
				s.Seed = seed
				result, found := findings(t, stream(s))
				assert.Empty(t, found)
				assert.Equal(t, "stream", result.Kind)
			}
		})
	}
}

func TestStreamHasItsLength(t *testing.T) {
	for chunks := 3; chunks < 200; chunks++ {
		result, found := findings(t, stream(sample.Stream{Chunks: chunks}))
		assert.Equal(t, chunks, result.Records)
		assert.Empty(t, found, "%d chunks", chunks)
	}
	assert.GreaterOrEqual(t, len(written(t, stream(sample.Stream{Bytes: 100_000}))), 100_000)
}

func TestStreamWithoutALength(t *testing.T) {
	for _, s := range []sample.Stream{{}, {Chunks: 2}, {Chunks: 10, Bytes: 10}, {Bytes: -1}} {
		assert.Error(t, sample.WriteStream(io.Discard, s), "%+v", s)
	}
}

func TestStreamIsTheSameForASeed(t *testing.T) {
	first := written(t, stream(sample.Stream{Seed: 7, Chunks: 5_000}))
	assert.Equal(t, first, written(t, stream(sample.Stream{Seed: 7, Chunks: 5_000})))
	assert.NotEqual(t, first, written(t, stream(sample.Stream{Seed: 8, Chunks: 5_000})))
	short := written(t, stream(sample.Stream{Seed: 7, Chunks: 2_000}))
	assert.Equal(t, first[:len(short)/2], short[:len(short)/2], "a shorter stream is the beginning of a longer one")
}

// Everything in recordings occurs often enough to be measured.
func TestStreamLooksLikeRecordings(t *testing.T) {
	data := written(t, stream(sample.Stream{Seed: 1, Chunks: 100_000}))
	assert.InDelta(t, 72, float64(len(data))/100_000, 3, "bytes of a line")
	counts := map[string]int{}
	for line := range bytes.Lines(data) {
		var r struct{ Type, Format string }
		require.NoError(t, json.Unmarshal(line, &r))
		counts[r.Type]++
		for _, escape := range []string{`\n`, `\"`, `\u`} {
			if bytes.Contains(line, []byte(escape)) {
				counts[escape]++
			}
		}
		if r.Type == "code" {
			counts[r.Format]++
		}
	}
	for what, least := range map[string]int{
		"message": 30_000, "code": 25_000, "console": 8_000, "confirmation": 500, "review": 300, "image": 50,
		`\n`: 5_000, `\"`: 2_000, `\u`: 2_000, "python": 15_000, "shell": 1_500, "javascript": 1_500, "r": 1_000, "html": 100,
	} {
		assert.GreaterOrEqual(t, counts[what], least, what)
	}
}

func TestEveryRecordIsWrong(t *testing.T) {
	for name, wrong := range map[string]sample.Wrong{"same": sample.Same, "different": sample.Different} {
		t.Run(name, func(t *testing.T) {
			result, found := findings(t, stream(sample.Stream{Seed: 1, Chunks: 5_000, Wrong: wrong}))
			require.Len(t, found, result.Records)
			for i, f := range found {
				assert.Equal(t, i+1, f.Place.Span.Start.Line, "%s: %s", f.Rule.ID, f.Message)
			}
		})
	}
}
