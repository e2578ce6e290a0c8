package main

import (
	"bufio"
	"io"
	"slices"
	"strings"
	"syscall"
	"testing"

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
