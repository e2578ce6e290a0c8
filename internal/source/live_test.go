package source_test

import (
	"compress/gzip"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/lmclint/lmclint/internal/source/text"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
)

// livePipe gives one part with each Read and counts them. To ask for the next
// part is to wait for it.
type livePipe struct {
	parts []string
	given int
}

func (p *livePipe) Read(b []byte) (int, error) {
	if p.given == len(p.parts) {
		return 0, io.EOF
	}
	p.given++
	return copy(b, p.parts[p.given-1]), nil
}

// On a live pipe nothing waits longer than it must: want says how many parts
// had arrived when each record was given.
func TestNothingWaits(t *testing.T) {
	tests := []struct {
		name    string
		parts   []string
		options source.Options
		want    []int
	}{
		{"lines", []string{"{\"a\":1}\n", "{\"b\":2}", "\n{\"c\":3}\n{\"d\"", ":4}\n"}, auto, []int{1, 2, 3, 4}},
		{"CRLF", []string{"{\"a\":1}\r\n", "\r\n{\"b\":2}\r\n"}, auto, []int{1, 2}},
		{"broken line", []string{"{\"a\":1}\n", "{\"b\":tru}\n", "{}\n"}, auto, []int{1, 2, 3}},
		{"line that ends too early", []string{"{\"a\":1}\n", "{\"b\":\n", "\n", "{}\n"}, auto, []int{1, 4, 4}},
		{"lines after one that ends too early", []string{"{\"a\":1}\n", "{\"b\":\n", "{\"c\":3}\n", "{\"d\":4}\n", "{}\n"}, auto, []int{1, 4, 4, 4, 5}},
		{"several on a line", []string{`{"a":1}`, `{"b":2}`, `{"c":3}{"d":`, `4}`}, auto, []int{1, 2, 3, 4}},
		{"objects over lines", []string{"{\n\"a\":1\n}", "\n{\n", "\"b\":2\n}", "{\n", "}"}, auto, []int{1, 3, 5}},
		{"broken object over lines", []string{"{\n\"a\": tru\n", "}\n{\"b\":2}\n", "{}\n"}, auto, []int{1, 2, 3}},
		{"deep object over lines", []string{"{\n\"a\": [\n", "[]\n]\n}\n", "{\n}\n"}, source.Options{Name: source.Stdin, MaxDepth: 2}, []int{2, 3}},
		{"large object over lines", []string{"{\n", "\"a\": \"" + strings.Repeat("x", 10_000) + "\"\n", "}\n", "{}\n"}, auto, []int{3, 4}},
		{"array over lines", []string{"[\n{\"a\":1}", ",\n{\"b\"", ":2}", "]\n"}, auto, []int{1, 3}},
		{"array on a line", []string{`[{"a":1}`, `,{"b":2}]`, "\n", "x"}, auto, []int{4, 4, 4}},
		{"array per line", []string{"[{}]\n", "[", "{}", ",{}]\n"}, auto, []int{2, 3, 4}},
		{"array, forced", []string{`[{"a":1}`, `,{"b":2}`, `]`}, source.Options{Form: source.FormJSON}, []int{1, 2}},
		{"envelope over lines", []string{"{\n\"x\":1,\"messages\":[\n{\"a\":1}", ",{}]", "}"}, auto, []int{1, 2}},
		{"broken envelope over lines", []string{"{\n\"messages\":[{}],\n\"x\" y\n", "}\n", "{}\n"}, auto, []int{1, 2, 3}},
		{"events with carriage returns", []string{": x\r\r", "data: {}\r", "\rdata: {}\r\r", "data: {\r", "data: }\r\r"}, auto, []int{2, 3, 5}},
		{"byte order mark", []string{"\xef", "\xbb\xbf{\"a\":1}\n", "{\"b\":2}\n"}, auto, []int{2, 2, 3}},
		{"truncated", []string{"{\"a\":1}\n", "{\"b\":", "\n"}, auto, []int{1, 3}},
		{"Python", []string{"{'a': 1}\n", "{'b': 2}\n", "{'c'", ": 3}\n", "# x\n"}, auto, []int{2, 2, 4, 5}},
		{"Python, forced", []string{"{'a': 1}\n", "{'b': 2}\n", "{'c': 3}\n"}, source.Options{Form: source.FormPython}, []int{1, 2, 3}},
		{"Python list", []string{"[{'a': 1},\n", " {'b': 2}", "]\n"}, auto, []int{1, 2}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			pipe := &livePipe{parts: test.parts}
			reader := text.NewReader(pipe, test.options)
			var got []int
			for {
				_, err := reader.Next()
				if err == io.EOF {
					break
				}
				require.NoError(t, err)
				got = append(got, pipe.given)
			}
			require.Equal(t, test.want, got)
		})
	}
}

type flusher interface {
	io.Writer
	Flush() error
}

func TestNothingIsReadTooEarly(t *testing.T) {
	pipe := &livePipe{parts: []string{"{}\n"}}
	text.NewReader(pipe, auto)
	require.Zero(t, pipe.given)
}

// A compressed pipe is live too, as far as its writer flushes it.
func TestNothingWaitsForCompression(t *testing.T) {
	zstdWriter := func(w io.Writer) flusher {
		z, err := zstd.NewWriter(w)
		require.NoError(t, err)
		return z
	}
	for name, pack := range map[string]func(io.Writer) flusher{
		"gzip": func(w io.Writer) flusher { return gzip.NewWriter(w) }, "zstd": zstdWriter,
	} {
		read, write := io.Pipe()
		packer := pack(write)
		go func() {
			_, _ = io.WriteString(packer, `{"a":1}`+"\n")
			_ = packer.Flush()
		}()
		got := make(chan error, 1)
		go func() {
			_, err := text.NewReader(read, auto).Next()
			got <- err
		}()
		select {
		case err := <-got:
			require.NoError(t, err, name)
		case <-time.After(time.Minute):
			require.Fail(t, "a flushed record did not arrive", name)
		}
	}
}

// An error comes again with every call.
func TestErrorsAreKept(t *testing.T) {
	reader := text.NewReader(io.MultiReader(strings.NewReader("{}\n{\"a\""), &failing{}), auto)
	_, err := reader.Next()
	require.NoError(t, err)
	for range 2 {
		_, err = reader.Next()
		require.ErrorIs(t, err, errBroken)
	}
}
