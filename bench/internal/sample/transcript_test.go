package sample_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	"io"
	"strings"
	"testing"

	_ "image/jpeg"
	_ "image/png"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/bench/internal/sample"
)

func TestTranscriptKeepsTheProtocol(t *testing.T) {
	total := 0
	const seeds = 60
	for seed := range uint64(seeds) {
		write := func(w io.Writer) error { return sample.WriteTranscript(w, seed) }
		data := written(t, write)
		total += len(data)
		assert.NotContains(t, string(data), "\n", "json.dump writes one line")
		assert.Equal(t, data, written(t, write))
		result, found := findings(t, write)
		assert.Empty(t, found)
		assert.Equal(t, "transcript", result.Kind)
		assert.GreaterOrEqual(t, result.Records, 5)
		assert.LessOrEqual(t, result.Records, 40)
	}
	assert.InDelta(t, 15_000, total/seeds, 2_500, "bytes of a transcript")
}

func TestAlbumKeepsTheProtocol(t *testing.T) {
	const size = 2_000_000
	write := func(w io.Writer) error { return sample.WriteAlbum(w, 1, size) }
	data := written(t, write)
	assert.GreaterOrEqual(t, len(data), size)
	assert.Less(t, len(data), size+3_000_000)
	assert.Equal(t, data, written(t, write))
	result, found := findings(t, write)
	assert.Empty(t, found)
	assert.Equal(t, "transcript", result.Kind)
}

func TestImagesCanBeDecoded(t *testing.T) {
	data := written(t, func(w io.Writer) error { return sample.WriteAlbum(w, 2, 3_000_000) })
	var messages []struct{ Type, Format, Content string }
	require.NoError(t, json.Unmarshal(data, &messages))
	formats := map[string]int{}
	for _, m := range messages {
		if m.Type != "image" {
			continue
		}
		picture, err := base64.StdEncoding.DecodeString(strings.TrimSpace(m.Content))
		require.NoError(t, err)
		assert.GreaterOrEqual(t, len(picture), 40_000)
		assert.LessOrEqual(t, len(picture), 520_000)
		_, format, err := image.Decode(bytes.NewReader(picture))
		require.NoError(t, err)
		assert.Equal(t, m.Format, "base64."+format)
		formats[format]++
	}
	assert.Positive(t, formats["png"])
	assert.Positive(t, formats["jpeg"])
}

func TestTinyHas22Lines(t *testing.T) {
	result, found := findings(t, sample.WriteTiny)
	assert.Empty(t, found)
	assert.Equal(t, 22, result.Records)
}

func TestLongLine(t *testing.T) {
	write := func(w io.Writer) error { return sample.WriteLong(w, 1_000_000) }
	data := written(t, write)
	assert.Equal(t, 3, bytes.Count(data, []byte("\n")))
	assert.InDelta(t, 1_000_000, len(data), 1_000)
	result, found := findings(t, write)
	assert.Empty(t, found)
	assert.Equal(t, 3, result.Records)
}
