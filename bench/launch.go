package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// launch runs a tool once. Its output is discarded; its standard error is shown
// if the exit status is unexpected.
func (b *bench) launch(ctx context.Context, t tool) (cost, error) {
	program, report := t.args, filepath.Join(b.cache, "cost")
	if b.absent["launch"] == "" {
		program = append([]string{b.program("launch"), report}, t.args...)
	}
	cmd := exec.CommandContext(ctx, program[0], program[1:]...)
	cmd.Dir = t.folder
	said, err := b.said(t)
	if err != nil {
		return cost{}, err
	}
	defer said.Close() //nolint:errcheck // what was not said is not missed
	cmd.Stderr = said
	c, exit, err := b.cost(ctx, t, cmd, report)
	if err != nil {
		return cost{}, fmt.Errorf("%s: %w", t.name, err)
	}
	if exit != t.exit {
		text, err := os.ReadFile(said.Name())
		return cost{}, errors.Join(fmt.Errorf("%s: exit status %d: %s", t.name, exit, lastLine(string(text))), err)
	}
	return c, nil
}

// said is the file for standard error; a pipe would slow the program down.
func (b *bench) said(t tool) (*os.File, error) {
	if t.noisy {
		return os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	}
	return os.Create(filepath.Join(b.cache, "stderr"))
}

// cost runs the command and the program that feeds it. Only the launcher measures
// peak memory.
func (b *bench) cost(ctx context.Context, t tool, cmd *exec.Cmd, report string) (c cost, exit int, err error) {
	stop, err := feed(ctx, t, cmd)
	if err != nil {
		return c, 0, err
	}
	start := time.Now()
	err = cmd.Run()
	c.wall = time.Since(start)
	stop()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) || ctx.Err() != nil {
		return c, 0, errors.Join(err, ctx.Err())
	}
	if b.absent["launch"] == "" {
		return readCost(report)
	}
	c.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return c, cmd.ProcessState.ExitCode(), nil
}

// feed opens the file that a tool reads, or starts the program whose output it
// reads. The returned function waits for that program.
func feed(ctx context.Context, t tool, cmd *exec.Cmd) (stop func(), err error) {
	switch {
	case t.input != "":
		f, err := os.Open(t.input)
		cmd.Stdin = f
		return func() { f.Close() }, err //nolint:errcheck // it was only read
	case t.feed == nil:
		return func() {}, nil
	}
	source := exec.CommandContext(ctx, t.feed[0], t.feed[1:]...)
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	source.Stdout, cmd.Stdin = w, r
	if err := source.Start(); err != nil {
		return nil, errors.Join(err, r.Close(), w.Close())
	}
	w.Close() //nolint:errcheck // the program has its own copy
	return func() {
		r.Close()     //nolint:errcheck // makes the writer stop
		source.Wait() //nolint:errcheck // it may have been cut off
	}, nil
}

// readCost parses the output of the launcher.
func readCost(path string) (c cost, exit int, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return c, 0, err
	}
	var wall, user, system, peak int64
	if _, err := fmt.Fscan(strings.NewReader(string(data)), &wall, &user, &system, &peak, &exit); err != nil {
		return c, 0, fmt.Errorf("read %s: %w", path, err)
	}
	c = cost{time.Duration(wall), time.Duration(user+system) * time.Microsecond, peak * rssUnit()}
	return c, exit, os.Remove(path)
}

// rssUnit is the unit of ru_maxrss, in bytes.
func rssUnit() int64 {
	if runtime.GOOS == "darwin" {
		return 1
	}
	return 1024
}
