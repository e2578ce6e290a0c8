package main

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every record is passed on before the next one is there.
func TestTeeKeepsNothingBack(t *testing.T) {
	for _, stopOn := range []string{"never", "error", "note"} {
		t.Run(stopOn, func(t *testing.T) {
			in, feed := io.Pipe()
			passed, out := io.Pipe()
			var report strings.Builder
			status := make(chan int)
			go func() {
				c := Command{Stdin: in, Stdout: out, Stderr: &report}
				s := c.Main([]string{"check", "--tee", "--stop-on", stopOn, "-"})
				_ = out.Close()
				status <- s
			}()
			written := slices.Collect(strings.Lines(confirmedRun))
			lines := bufio.NewReader(passed)
			for _, line := range written {
				_, err := io.WriteString(feed, line)
				require.NoError(t, err)
				got, err := lines.ReadString('\n')
				require.NoError(t, err)
				require.Equal(t, line, got)
			}
			require.NoError(t, feed.Close())
			rest, err := io.ReadAll(lines)
			require.NoError(t, err)
			assert.Empty(t, rest)
			assert.Equal(t, exitClean, <-status, report.String())
		})
	}
}

// Neither is anything between the records kept back: a consumer of events waits for the
// empty line after one, and for the comments that keep its connection open.
func TestTeeKeepsNothingBetweenRecordsBack(t *testing.T) {
	const start, content, end = `{"role": "assistant", "type": "message", "start": true}`, `{"role": "assistant", "type": "message", "content": "Hi"}`,
		`{"role": "assistant", "type": "message", "end": true}`
	inputs := map[string][]string{ // by form
		"sse": {
			": ping\n", "\n", "data: " + start + "\n", "\n", ": ping\n", "\n", "id: 1\nevent: x\ndata: " + content + "\n", "id: 2\n\n",
			"event: ping\ndata: {}\n", "\n", "data: " + end + "\n", "\n", "data: [DONE]\n", "\n",
		},
		"text": {"Started\n", `INFO {"x": 1}` + "\n", "INFO waiting\n", "INFO " + start + "\n", "\n", "INFO waiting\n", `INFO {"x": 1}` + "\n", "INFO " + content + "\n", "INFO " + end + "\n", "Done\n"},
		"session-log": {
			`{"dir": "recv", "frame": ` + start + "}\n", `{"dir": "note", "text": "slow"}` + "\n", `{"dir": "recv", "frame": ` + content + "}\n",
		},
	}
	for form, parts := range inputs {
		t.Run(form, func(t *testing.T) {
			in, feed := io.Pipe()
			passed, out := io.Pipe()
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				c := Command{Stdin: in, Stdout: out, Stderr: io.Discard}
				_ = c.Main([]string{"check", "--tee", "--stop-on", "error", "--form", form, "-"})
				_ = out.Close()
			}()
			for _, part := range parts {
				_, err := io.WriteString(feed, part)
				require.NoError(t, err)
				got := make([]byte, len(part))
				_, err = io.ReadFull(passed, got)
				require.NoError(t, err)
				require.Equal(t, part, string(got))
			}
			require.NoError(t, feed.Close())
			_, _ = io.Copy(io.Discard, passed)
			<-ended
		})
	}
}

// The id and the name of an event are not passed on before the record in its data is
// checked.
func TestTeeStopsBeforeAnEvent(t *testing.T) {
	const start = `data: {"role": "assistant", "type": "message", "start": true}` + "\n\n"
	const before = start + ": ping\n\n"
	var out strings.Builder
	c := Command{Stdin: slowly(before + "id: 2\nevent: x\n" + start), Stdout: &out, Stderr: io.Discard}
	assert.Equal(t, exitFindings, c.Main([]string{"check", "--tee", "--stop-on", "error", "-"}))
	assert.Equal(t, before+"data: {\"role\": \"assistant\", \"type\": \"message\", \"end\": true}\n\n", out.String())
}

// A closed output ends the run without an error.
func TestTeeWithoutReader(t *testing.T) {
	in, feed := io.Pipe()
	var report strings.Builder
	status := make(chan int)
	go func() {
		c := Command{Stdin: in, Stdout: closedPipe{}, Stderr: &report}
		status <- c.Main([]string{"check", "--tee", "-"})
	}()
	_, err := io.WriteString(feed, confirmedRun)
	require.NoError(t, err)
	assert.Equal(t, exitClean, <-status, report.String())
}

// Inputs that are not text are copied completely, too: those that cannot be decoded,
// are compressed, or are truncated.
func TestTeeAndFixCopyAnything(t *testing.T) {
	var utf16 strings.Builder
	for range 20_000 {
		for _, c := range confirmedRun {
			utf16.WriteRune(c)
			utf16.WriteByte(0)
		}
	}
	var packed bytes.Buffer
	gz := gzip.NewWriter(&packed)
	for range 20_000 {
		_, err := io.WriteString(gz, confirmedRun)
		require.NoError(t, err)
	}
	require.NoError(t, gz.Close())
	truncated := packed.String()[:packed.Len()/2] + strings.Repeat("more", 100_000)
	for name, input := range map[string]string{
		"UTF-16": utf16.String(), "truncated gzip": truncated,
		"archive of ours": string(zipOf(t, "workbench.jsonl", `{"type": "conversation"}`)), "other archive": string(zipOf(t, "a.txt", confirmedRun)),
		"truncated archive": string(zipOf(t, "a.txt", confirmedRun)[:100]), "noise": strings.Repeat("\x00\xff\xfe\r", 100_000),
		"text": strings.Repeat("no record\n", 100_000), "empty": "",
	} {
		for _, args := range [][]string{{"check", "--tee", "-"}, {"fix", "-"}, {"fix", "--select", "LMC999", "-"}} {
			_, out, report := runOn([]byte(input), args...)
			if out != input { // not assert.Equal, which would print megabytes
				assert.Fail(t, "not copied", "%s, %v: %d of %d bytes\n%s", name, args, len(out), len(input), report)
			}
		}
	}
}

// confirmedRun is a valid stream.
const confirmedRun = `{"role": "assistant", "type": "code", "format": "python", "start": true}
{"role": "assistant", "type": "code", "format": "python", "content": "34 / 24"}
{"role": "assistant", "type": "code", "format": "python", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "34 / 24"}}
{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "output", "content": "1.4166666666666667"}
{"role": "computer", "type": "console", "format": "active_line", "content": null}
{"role": "computer", "type": "console", "end": true}
{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "About 1.42."}
{"role": "assistant", "type": "message", "end": true}
`

// closedPipe is a pipe of which the other end is closed.
type closedPipe struct{}

func (closedPipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// What is kept back until it is checked, such as a document of many lines, is not moved
// with each line: that would take hours here.
func TestTeeOfALongDocument(t *testing.T) {
	document := "[\n" + strings.Repeat("{\n\"role\":\n\"user\",\n\"type\":\n\"message\",\n\"content\":\n\"Hi\"\n},\n", 1<<17) + `{"role": "user", "type": "message", "content": "Hi"}` + "\n]\n"
	var out, report strings.Builder
	c := Command{Stdin: strings.NewReader(document), Stdout: &out, Stderr: &report}
	require.Equal(t, exitClean, c.Main([]string{"check", "--quiet", "--tee", "--stop-on", "error", "-"}), report.String())
	assert.Equal(t, len(document), out.Len())
}
