package convert_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/change/convert"
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
		_, err := run(context.Background(), bytes.NewReader(text), out, o, func(convert.Loss) {})
		return err
	}
	interpreter, server := dialect(t, "interpreter"), dialect(t, "server")
	require.NoError(t, run(transcript.Bytes(), &stream, convert.Options{To: convert.Chunks, Dialect: interpreter}))
	for _, test := range []struct {
		name string
		text []byte
		o    convert.Options
	}{
		{"chunks", transcript.Bytes(), convert.Options{To: convert.Chunks, Dialect: interpreter}},
		{"chunks of a session", transcript.Bytes(), convert.Options{To: convert.Chunks, Dialect: server}},
		{"messages", stream.Bytes(), convert.Options{To: convert.Messages}},
		{"an earlier version", old.Bytes(), convert.Options{To: convert.JSONL, FromVersion: "0.1"}},
		{"an earlier version to messages", old.Bytes(), convert.Options{To: convert.Messages, FromVersion: "0.1"}},
	} {
		test.o.Live = true // what is written is noticed at once
		var whole bytes.Buffer
		require.NoError(t, run(test.text, &whole, test.o), test.name)
		for _, size := range []int{0, 1, whole.Len() / 3, whole.Len() - 1} {
			require.ErrorIs(t, run(test.text, &fullDisk{size}, test.o), errFull, "%s, %d bytes", test.name, size)
		}
	}
}

// A conversion does not read on when the disk is full.
func TestFullDiskEndsTheConversion(t *testing.T) {
	const message = `{"role": "assistant", "type": "message", "content": "a"}` + "\n"
	const chunks = `{"role": "assistant", "type": "message", "start": true}` + "\n" + message + `{"role": "assistant", "type": "message", "end": true}` + "\n"
	for _, test := range []struct {
		text string
		o    convert.Options
	}{
		{chunks, convert.Options{To: convert.JSONL}},
		{chunks, convert.Options{To: convert.SSE}},
		{chunks, convert.Options{To: convert.Messages}},
		{chunks, convert.Options{To: convert.Python}},
		{message, convert.Options{To: convert.Chunks, Kind: "transcript"}},
	} {
		in := &repeated{text: []byte(test.text), left: 8 << 20}
		_, err := run(t.Context(), in, &fullDisk{100_000}, test.o, func(convert.Loss) {})
		require.ErrorIs(t, err, errFull, "to %s", test.o.To)
		require.Positive(t, in.left, "to %s", test.o.To)
	}
}

// repeated is an input that repeats a text until it has given a number of bytes.
type repeated struct {
	text     []byte
	at, left int
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, io.EOF
	}
	n := copy(p, r.text[r.at:])
	r.at = (r.at + n) % len(r.text)
	r.left -= n
	return n, nil
}
