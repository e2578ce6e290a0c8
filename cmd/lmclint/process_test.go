//go:build unix

package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// patience is how long a test waits for what is due immediately.
const patience = 30 * time.Second

// process is the program, running, with its pipes.
type process struct {
	*exec.Cmd
	stdin       io.WriteCloser
	stdout      *bufio.Reader
	closeStdout func() error
	stderr      bytes.Buffer
}

func start(t *testing.T, args ...string) *process {
	t.Helper()
	return startIn(t, "", args...)
}

// startIn is start in a directory.
func startIn(t *testing.T, dir string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(name, args...)}
	p.Dir = dir
	var err error
	p.stdin, err = p.StdinPipe()
	require.NoError(t, err)
	stdout, err := p.StdoutPipe()
	require.NoError(t, err)
	p.stdout, p.closeStdout = bufio.NewReader(stdout), stdout.Close
	p.Stderr = &p.stderr
	require.NoError(t, p.Start())
	t.Cleanup(func() { _ = p.Process.Kill() })
	return p
}

// line returns the next line of standard output, which has to come while
// standard input is still open.
func (p *process) line(t *testing.T) string {
	t.Helper()
	lines := make(chan string, 1)
	go func() {
		line, _ := p.stdout.ReadString('\n')
		lines <- line
	}()
	select {
	case line := <-lines:
		return line
	case <-time.After(patience):
		require.Fail(t, "no line came while the pipe was open")
		return ""
	}
}

// end returns the rest of standard output and the exit status.
func (p *process) end(t *testing.T) (rest string, status int) {
	t.Helper()
	text, err := io.ReadAll(p.stdout)
	require.NoError(t, err)
	_ = p.Wait()
	return string(text), p.ProcessState.ExitCode()
}

func TestFindingsAppearBeforeThePipeCloses(t *testing.T) {
	for format, want := range map[string]string{
		"text":  "error[LMC202]: ",
		"jsonl": `{"rule":"LMC202",`,
	} {
		t.Run(format, func(t *testing.T) {
			p := start(t, "--format", format, "-")
			_, err := io.WriteString(p.stdin, unclosed)
			require.NoError(t, err)
			assert.True(t, strings.HasPrefix(p.line(t), want))
			require.NoError(t, p.stdin.Close())
			_, status := p.end(t)
			assert.Equal(t, exitFindings, status)
		})
	}
}

// The finding of an event comes at the blank line that ends it.
func TestFindingsOfAnEventAppearAtItsEnd(t *testing.T) {
	p := start(t, "--format", "jsonl", "-")
	for line := range strings.Lines(unclosed) {
		_, err := io.WriteString(p.stdin, "data: "+line+"\n")
		require.NoError(t, err)
	}
	assert.Contains(t, p.line(t), `{"rule":"LMC202",`)
	require.NoError(t, p.stdin.Close())
	_, status := p.end(t)
	assert.Equal(t, exitFindings, status)
}

func TestInterruptReportsFindings(t *testing.T) {
	for signal, want := range map[syscall.Signal]int{
		syscall.SIGINT:  exitInterrupted,
		syscall.SIGTERM: exitTerminated,
	} {
		t.Run(signal.String(), func(t *testing.T) {
			p := start(t, "--format", "jsonl", "-")
			_, err := io.WriteString(p.stdin, unclosed)
			require.NoError(t, err)
			assert.Contains(t, p.line(t), "LMC202")
			require.NoError(t, p.Process.Signal(signal))
			rest, status := p.end(t)
			assert.Equal(t, want, status)
			assert.Contains(t, rest, `{"summary":{"files":1,`)
			assert.Contains(t, rest, `"records":3,"errors":1,`)
			assert.Contains(t, rest, `"incomplete":true`)
			assert.NotContains(t, rest, "LMC203", "the check was interrupted before the end of the input")
			assert.Contains(t, p.stderr.String(), "lmclint: interrupted: findings may be missing\n")
			assert.Contains(t, p.stderr.String(), "1 error in 1 file (3 records); 1 file not fully checked\n")
		})
	}
}

// The findings of inputs that wait for their turn are reported, too, in order.
func TestInterruptReportsFindingsOfAllJobs(t *testing.T) {
	dir := t.TempDir()
	var pipes []string
	for _, base := range []string{"a.jsonl", "b.jsonl", "c.jsonl"} {
		pipe := filepath.Join(dir, base)
		require.NoError(t, syscall.Mkfifo(pipe, 0o600))
		pipes = append(pipes, pipe)
	}
	more := strings.Repeat(`{"role": "assistant", "type": "message", "content": "Hi"}`+"\n", 80_000)
	p := start(t, append([]string{"--jobs", "3", "--format", "jsonl"}, pipes...)...)
	for _, pipe := range []string{pipes[2], pipes[1], pipes[0]} {
		writer, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits for the job
		require.NoError(t, err)
		defer func() { _ = writer.Close() }()
		// More than a pipe and the reader hold: when it is written, its beginning was checked.
		_, err = io.WriteString(writer, unclosed+more)
		require.NoError(t, err)
	}
	assert.Contains(t, p.line(t), pipes[0])
	require.NoError(t, p.Process.Signal(syscall.SIGINT))
	rest, status := p.end(t)
	assert.Equal(t, exitInterrupted, status)
	assert.Contains(t, rest, pipes[1])
	assert.Less(t, strings.LastIndex(rest, pipes[0]), strings.Index(rest, pipes[1]))
	assert.Less(t, strings.LastIndex(rest, pipes[1]), strings.Index(rest, pipes[2]))
	assert.Contains(t, rest, `{"summary":{"files":3,`)
}

func TestInterruptWritesCompleteDocument(t *testing.T) {
	output := filepath.Join(t.TempDir(), "report.json")
	pipe := filepath.Join(t.TempDir(), "pipe.jsonl")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	p := start(t, "--format", "json:"+output, pipe, "-")
	writer, err := os.OpenFile(pipe, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer func() { _ = writer.Close() }()
	_, err = io.WriteString(writer, unclosed)
	require.NoError(t, err)
	require.NoError(t, p.Process.Signal(syscall.SIGINT))
	_, status := p.end(t)
	assert.Equal(t, exitInterrupted, status)
	text, err := os.ReadFile(output)
	require.NoError(t, err)
	assert.Contains(t, string(text), `"failure":"interrupted"`)
	assert.Contains(t, string(text), `"incomplete":true`)
	left, err := os.ReadDir(filepath.Dir(output))
	require.NoError(t, err)
	assert.Len(t, left, 1)
}

// Opening a named pipe blocks until it has a writer. An interrupt ends that.
func TestInterruptEndsOpeningAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.jsonl")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	first := filepath.Join(t.TempDir(), "first.jsonl")
	require.NoError(t, os.WriteFile(first, []byte(unclosed), 0o600))
	p := start(t, "--format", "jsonl", first, pipe)
	assert.Contains(t, p.line(t), "LMC202", "from here on signals are caught")
	require.NoError(t, p.Process.Signal(syscall.SIGTERM))
	_, status := p.end(t)
	assert.Equal(t, exitTerminated, status)
}

func TestClosedOutputIsNotAnError(t *testing.T) {
	input, other := filepath.Join(t.TempDir(), "bad.jsonl"), filepath.Join(t.TempDir(), "other.jsonl")
	require.NoError(t, os.WriteFile(input, []byte(unclosed), 0o600))
	require.NoError(t, os.WriteFile(other, []byte(strings.ReplaceAll(confirmedRun, `"end"`, `"stop"`)), 0o600))
	for args, want := range map[string]int{
		"--format text " + input:      exitFindings,
		"--format jsonl " + input:     exitFindings,
		"--format json " + input:      exitFindings,
		"diff " + input + " " + other: exitFindings,
		"fix --quiet --diff " + other: exitFindings,
		"rules":                       exitClean,
		"help":                        exitClean,
	} {
		t.Run(args, func(t *testing.T) {
			reader, writer, err := os.Pipe()
			require.NoError(t, err)
			require.NoError(t, reader.Close())
			cmd := exec.Command(name, strings.Fields(args)...)
			var stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = writer, &stderr
			_ = cmd.Run()
			require.NoError(t, writer.Close())
			assert.Equal(t, want, cmd.ProcessState.ExitCode())
			assert.Empty(t, stderr.String())
		})
	}
}

// A live run ends when its output is closed, although its input continues.
func TestClosedOutputEndsALiveRun(t *testing.T) {
	p := start(t, "--format", "jsonl", "-")
	_, err := io.WriteString(p.stdin, unclosed)
	require.NoError(t, err)
	assert.Contains(t, p.line(t), "LMC202")
	require.NoError(t, p.closeStdout())
	_, err = io.WriteString(p.stdin, `{"role": "bot", "type": "message", "content": "another mistake"}`+"\n")
	require.NoError(t, err)
	done := make(chan struct{})
	go func() {
		_ = p.Wait()
		close(done)
	}()
	select {
	case <-done:
		assert.Equal(t, exitFindings, p.ProcessState.ExitCode())
		assert.Empty(t, p.stderr.String())
	case <-time.After(patience):
		require.Fail(t, "the program continues after its output was closed")
	}
}
