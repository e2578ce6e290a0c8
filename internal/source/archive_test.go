package source_test

import (
	"archive/zip"
	"bytes"
	"io"
	"testing"

	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func archive(t *testing.T, content []byte, names ...string) *bytes.Reader {
	t.Helper()
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for _, name := range names {
		f, err := w.Create(name)
		require.NoError(t, err)
		_, err = f.Write(content)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return bytes.NewReader(packed.Bytes())
}

func TestMemberIsReadInPlace(t *testing.T) {
	packed := archive(t, []byte("{}\n"), "a/b.jsonl", "b.jsonl")
	member, err := input.OpenMember(packed, packed.Size(), "b.jsonl", input.DefaultMaxUnpackedBytes)
	require.NoError(t, err)
	text, err := io.ReadAll(member)
	require.NoError(t, err)
	assert.Equal(t, "{}\n", string(text))
	assert.NoError(t, member.Close())
}

func TestMemberThatCannotBeOpened(t *testing.T) {
	packed := archive(t, nil, "a/b.jsonl", "twice", "twice")
	open := func(r io.ReaderAt, name string) error {
		_, err := input.OpenMember(r, packed.Size(), name, input.DefaultMaxUnpackedBytes)
		return err
	}
	assert.ErrorIs(t, open(packed, "b.jsonl"), input.ErrNoMember)
	assert.ErrorContains(t, open(packed, "twice"), "contains twice twice")
	assert.ErrorContains(t, open(bytes.NewReader(nil), "b.jsonl"), "corrupt or cut off")

	encrypted, err := io.ReadAll(archive(t, []byte("x"), "b.jsonl"))
	require.NoError(t, err)
	central := bytes.Index(encrypted, []byte("PK\x01\x02"))
	encrypted[central+8] |= 1
	_, err = input.OpenMember(bytes.NewReader(encrypted), int64(len(encrypted)), "b.jsonl", input.DefaultMaxUnpackedBytes)
	assert.ErrorContains(t, err, "encrypted")
}

// What grows without measure ends with an error, and does not fill the memory.
func TestMemberThatGrowsWithoutMeasure(t *testing.T) {
	packed := archive(t, make([]byte, 8<<20), "b.jsonl")
	member, err := input.OpenMember(packed, packed.Size(), "b.jsonl", 64<<10)
	require.NoError(t, err)
	n, err := io.Copy(io.Discard, member)
	assert.ErrorContains(t, err, "expands to more than 500 times its size")
	assert.Less(t, n, int64(8<<20))
}
