package convert_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/convert"
	"github.com/lmclint/lmclint/schema"
)

var errFull = errors.New("no space left")

// fullDisk is a writer that takes a number of bytes.
type fullDisk struct{ left int }

func (d *fullDisk) Write(p []byte) (int, error) {
	if len(p) > d.left {
		n := d.left
		d.left = 0
		return n, errFull
	}
	d.left -= len(p)
	return len(p), nil
}

// A full disk ends each conversion with its error, wherever it is noticed.
func TestFullDisk(t *testing.T) {
	var transcript, stream, old bytes.Buffer
	transcript.WriteString(`[{"role": "user", "type": "message", "content": "go"}`)
	for i := range 100 {
		fmt.Fprintf(&transcript, `,
{"role": "assistant", "type": "message", "content": "message %[1]d"}, {"role": "assistant", "type": "code", "format": "python", "content": "print(%[1]d)"},
{"role": "computer", "type": "console", "format": "output", "content": "%[1]d"}`, i)
		fmt.Fprintf(&old, `{"start_of_message": true}
{"message": "message %[1]d"}
{"end_of_message": true}
{"start_of_code": true}
{"language": "python"}
{"code": "print(%[1]d)"}
{"end_of_code": true}
{"executing": {"code": "print(%[1]d)", "language": "python"}}
{"active_line": 1}
{"output": "%[1]d"}
{"end_of_execution": true}
`, i)
	}
	transcript.WriteString("]\n")
	run := func(text []byte, out io.Writer, o convert.Options) error {
		_, err := convert.Run(context.Background(), bytes.NewReader(text), out, o, func(convert.Loss) {})
		return err
	}
	interpreter, server, first := dialectNamed(t, "interpreter"), dialectNamed(t, "server"), dialectNamed(t, "interpreter-0.1")
	require.NoError(t, run(transcript.Bytes(), &stream, convert.Options{To: convert.Chunks, ToDialect: interpreter}))
	for _, c := range []struct {
		name string
		text []byte
		o    convert.Options
	}{
		{"chunks", transcript.Bytes(), convert.Options{To: convert.Chunks, ToDialect: interpreter}},
		{"chunks of a session", transcript.Bytes(), convert.Options{To: convert.Chunks, ToDialect: server}},
		{"messages", stream.Bytes(), convert.Options{To: convert.Messages}},
		{"another dialect", stream.Bytes(), convert.Options{To: convert.JSONL, ToDialect: first}},
		{"an earlier version", old.Bytes(), convert.Options{To: convert.JSONL, FromVersion: "0.1"}},
		{"an earlier version to messages", old.Bytes(), convert.Options{To: convert.Messages, FromVersion: "0.1"}},
	} {
		c.o.Live = true // what is written is noticed at once
		var whole bytes.Buffer
		require.NoError(t, run(c.text, &whole, c.o), c.name)
		for size := 0; size < whole.Len(); size += 1 + whole.Len()/60 {
			require.ErrorIs(t, run(c.text, &fullDisk{size}, c.o), errFull, "%s, %d bytes", c.name, size)
		}
	}
}

func dialectNamed(t *testing.T, name string) *schema.Dialect {
	t.Helper()
	d, ok := schema.Lookup(name)
	require.True(t, ok, name)
	return d
}
