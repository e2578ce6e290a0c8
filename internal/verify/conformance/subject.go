package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/kballard/go-shellquote"
)

// Subject is a command that is tested. It reads its input from standard input
// and answers on standard output.
type Subject struct {
	Words   []string      // the program and its arguments, as Split returns them
	Env     []string      // environment of the command, as [os.Environ] returns it
	Timeout time.Duration // after which an answer is late
}

// Split splits a command line into words as a POSIX shell does, but expands
// nothing. No shell runs the command.
func Split(command string) ([]string, error) {
	words, err := shellquote.Split(command)
	switch {
	case errors.Is(err, shellquote.UnterminatedEscapeError):
		return nil, errors.New("a backslash at the end")
	case err != nil:
		return nil, errors.New("an unterminated quote")
	case len(words) == 0:
		return nil, errors.New("no command")
	}
	return words, nil
}

// Limits of one run of a subject, in bytes.
const (
	MaxAnswer = 64 << 20 // standard output; more is a failure
	MaxStderr = 4 << 10  // the end of standard error that is kept
)

// leftoverTime is how long standard output may stay open after the end of the
// command, in the hands of a process that it started.
const leftoverTime = 5 * time.Second

// answer is what a subject did with one input.
type answer struct {
	stdout []byte
	stderr string // its end, at most MaxStderr bytes
	status int    // exit status; -1 if it has none
	fault  string // why the subject gave no answer, such as a signal; "" if it may have given one
	hangs  bool   // it was ended because it was late
}

// run runs the subject with an input. It returns an error only if the command
// cannot be started, or if ctx ends. On Unix, it kills the processes of the command's
// group that are still running when the command ends.
func (s *Subject) run(ctx context.Context, in input) (answer, error) {
	limited, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	words := in.expand(s.Words)
	c := exec.CommandContext(limited, words[0], words[1:]...)
	c.Env = in.environment(s.Env)
	c.Stdin = bytes.NewReader(in.data)
	out, messages := &head{most: MaxAnswer, full: cancel}, &tail{most: MaxStderr}
	c.Stdout, c.Stderr = out, messages
	c.WaitDelay = leftoverTime
	ownGroup(c)
	if err := c.Start(); err != nil {
		return answer{}, fmt.Errorf("start the subject: %w", err)
	}
	err := c.Wait()
	_ = c.Cancel() // processes that the command started and that still run
	a := answer{stdout: out.data.Bytes(), stderr: messages.String(), status: c.ProcessState.ExitCode()}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return a, context.Cause(ctx)
	case out.over:
		a.fault = fmt.Sprintf("more than %d MiB on standard output", MaxAnswer>>20)
	case errors.Is(limited.Err(), context.DeadlineExceeded) && err != nil:
		a.fault, a.hangs = fmt.Sprintf("hangs: no end after %s", s.Timeout), true
	case errors.As(err, &exit) && a.status < 0:
		a.fault = "crashes: " + exit.String()
	case err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay):
		a.fault = "no answer: " + err.Error()
	}
	return a, nil
}

// input is what a subject gets.
type input struct {
	data      []byte
	variables []variable
	flags     []string // the same as flags of lmclint check
}

// variable is an environment variable of a subject, and the placeholder of the
// same name in its command.
type variable struct{ name, value string }

// prefix begins the names of all variables of the suite.
const prefix = "LMC_"

// environment returns an environment with the variables that have a value, and
// without others of the suite.
func (in *input) environment(env []string) []string {
	kept := []string{}
	for _, entry := range env {
		if !strings.HasPrefix(entry, prefix) {
			kept = append(kept, entry)
		}
	}
	for _, v := range in.variables {
		if v.value != "" {
			kept = append(kept, prefix+v.name+"="+v.value)
		}
	}
	return kept
}

// flagsPlaceholder is the word of a command that expand replaces with the flags, which
// may be none.
const flagsPlaceholder = "{flags}"

// expand replaces the placeholders in the words of a command.
func (in *input) expand(words []string) []string {
	var replaced []string
	pairs := make([]string, 0, 2*len(in.variables))
	for _, v := range in.variables {
		pairs = append(pairs, "{"+strings.ToLower(v.name)+"}", v.value)
	}
	replacer := strings.NewReplacer(pairs...)
	for _, word := range words {
		if word == flagsPlaceholder {
			replaced = append(replaced, in.flags...)
			continue
		}
		replaced = append(replaced, replacer.Replace(word))
	}
	return replaced
}

// head keeps the beginning of what is written to it. It calls full once there
// is more.
type head struct {
	data bytes.Buffer
	most int
	full func()
	over bool
}

// Write implements [io.Writer].
func (h *head) Write(p []byte) (int, error) {
	if h.data.Len()+len(p) > h.most {
		h.over = true
		h.full()
		return 0, io.ErrShortWrite
	}
	return h.data.Write(p)
}

// tail keeps the end of what is written to it.
type tail struct {
	data []byte
	most int
	cut  bool
}

// Write implements [io.Writer].
func (t *tail) Write(p []byte) (int, error) {
	t.data = append(t.data, p...)
	if more := len(t.data) - t.most; more > 0 {
		t.data = append(t.data[:0], t.data[more:]...)
		t.cut = true
	}
	return len(p), nil
}

// String returns what is kept, with a mark for what is not.
func (t *tail) String() string {
	text := strings.ToValidUTF8(string(t.data), "\ufffd")
	if t.cut {
		text = "..." + text
	}
	return strings.TrimRight(text, "\n")
}
