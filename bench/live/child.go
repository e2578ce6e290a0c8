package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// child is the running linter.
type child struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout io.Reader
}

// start builds the linter and starts it.
func start(dir string) (*child, error) {
	program := filepath.Join(dir, "lmclint")
	build := exec.Command("go", "build", "-o", program, "./cmd/lmclint")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("build lmclint: %w", err)
	}
	c := &child{cmd: exec.Command(program, "check", "--each", "--format", "jsonl", "--dialect", "interpreter", "--quiet", "-")}
	c.cmd.Stderr = os.Stderr
	var errs [2]error
	c.stdin, errs[0] = c.cmd.StdinPipe()
	c.stdout, errs[1] = c.cmd.StdoutPipe()
	if err := errors.Join(errs[0], errs[1], c.cmd.Start()); err != nil {
		return nil, fmt.Errorf("start lmclint: %w", err)
	}
	return c, nil
}

func (c *child) pid() int { return c.cmd.Process.Pid }

// finish closes the input, reads the rest of the report, and waits for the linter
// to exit. Exit status 1 is not an error.
func (c *child) finish(report <-chan *childReport) (*childReport, error) {
	closed := c.stdin.Close()
	all := <-report
	var status *exec.ExitError
	if ended := c.cmd.Wait(); ended != nil && (!errors.As(ended, &status) || status.ExitCode() != 1) {
		return all, fmt.Errorf("lmclint: %w", ended)
	}
	return all, closed
}

// childReport contains the findings of the linter.
type childReport struct {
	found   int
	others  []string // findings without a mistake
	delays  []time.Duration
	failure error
}

// listen reads the report until it ends.
func (c *child) listen(f *feed) <-chan *childReport {
	done := make(chan *childReport, 1)
	go func() {
		t := &childReport{}
		lines := json.NewDecoder(c.stdout)
		for t.failure == nil {
			t.failure = t.read(lines, f)
		}
		done <- t
	}()
	return done
}

func (t *childReport) read(lines *json.Decoder, f *feed) error {
	var line struct {
		Rule    string `json:"rule"`
		Message string `json:"message"`
		Record  int    `json:"record"`
	}
	if err := lines.Decode(&line); err != nil || line.Rule == "" {
		return err
	}
	after, ok := f.reported(line.Record)
	if !ok {
		t.others = append(t.others, fmt.Sprintf("%s at record %d: %s", line.Rule, line.Record, line.Message))
		return nil
	}
	t.found++
	t.delays = append(t.delays, after)
	return nil
}

// String describes the delays of the findings.
func (t *childReport) String() string {
	if len(t.delays) == 0 {
		return "nothing was reported\n"
	}
	slices.Sort(t.delays)
	at := func(share float64) time.Duration {
		return t.delays[int(share*float64(len(t.delays)-1))].Round(time.Microsecond)
	}
	return fmt.Sprintf("reported after: median %s, 99 %% within %s, longest %s\n", at(0.5), at(0.99), at(1))
}

// check returns an error unless exactly the mistakes were reported.
func (t *childReport) check(f *feed) error {
	switch {
	case !errors.Is(t.failure, io.EOF):
		return fmt.Errorf("read the report: %w", t.failure)
	case len(f.written) > 0:
		return fmt.Errorf("%d mistakes were not reported", len(f.written))
	case len(t.others) > 0:
		return fmt.Errorf("%d findings that nothing was written for, first: %s", len(t.others), t.others[0])
	}
	return nil
}
