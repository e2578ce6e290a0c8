//go:build !race

// The race detector makes a sync.Pool lose what is put into it, at random: what a command
// allocates says nothing then.

package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/dev/hostile"
)

// What a command allocates for a hostile input is proportional to it. It is counted, as the
// time differs from run to run; what a command does again for each line allocates, too.
//
// The exhaustive tests try all inputs in convert and check, and in one of the others in
// turn. Otherwise it is a sixth of them, other parts in each form, every second one in
// convert and the others in turn.
func TestMemoryGrowsWithTheInput(t *testing.T) {
	const (
		size  = 4 << 10 // bytes, and four times as many
		most  = 6       // times as much
		noise = 2 << 20 // bytes: buffers grow by four
	)
	inputs, parts, tried := hostile.Inputs(), len(hostile.Parts()), 0
	for i, in := range slices.Concat(inputs, hostile.Records(), hostile.Contents()) {
		commands := append(slices.Clone(doubled[:2]), doubled[2+(i/parts+i%parts)%(len(doubled)-2)])
		if !exhaustive.Enabled() {
			if (i/parts+i%parts)%6 != 1 && i < len(inputs) {
				continue
			}
			if commands = doubled[:1]; tried%2 != 0 {
				commands = doubled[1+tried/2%(len(doubled)-1):][:1]
			}
			tried++
		}
		for _, command := range commands {
			first, second := allocated(t, command, in, size), allocated(t, command, in, 4*size)
			assert.LessOrEqual(t, second, most*first+noise, "%s of %s: %d bytes, of four times the input %d", command[0], in.Name, first, second)
		}
	}
}

// Of a single record, a check allocates a few times its size, whatever its content is.
func TestMemoryOfContents(t *testing.T) {
	const (
		size = 64 << 10
		most = 40 // bytes for each
	)
	for _, in := range exhaustive.Sample(hostile.Contents(), 15) {
		grown := allocated(t, doubled[1], in, 3*size) - allocated(t, doubled[1], in, size)
		assert.LessOrEqual(t, grown, most*2*size, "check of %s", in.Name)
	}
}

// allocated returns how many bytes a command allocates for an input of a size.
func allocated(t *testing.T, command []string, in hostile.Input, size int) int {
	t.Helper()
	path := filepath.Join(t.TempDir(), in.File)
	require.NoError(t, os.WriteFile(path, in.Make(size), 0o600))
	arguments := append(slices.Clone(command), path)
	if command[0] == "diff" {
		arguments = append(arguments, path)
	}
	var stderr bytes.Buffer
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c := Command{Stdin: bytes.NewReader(nil), Stdout: io.Discard, Stderr: &stderr}
	c.Main(arguments)
	runtime.ReadMemStats(&after)
	require.NotContains(t, stderr.String(), "internal error", in.Name)
	require.NotContains(t, stderr.String(), "for usage", in.Name)
	return int(after.TotalAlloc - before.TotalAlloc)
}
