package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// child is the proxy, which runs as a process of its own.
type child struct {
	command *exec.Cmd
	address string // HOST:PORT
	stderr  chan []byte
}

// usage is what a process used.
type usage struct {
	cpu       time.Duration
	peakBytes int64
}

// build builds the program in a folder.
func build(folder string) (program string, err error) {
	program = filepath.Join(folder, "lmclint")
	if out, err := exec.Command("go", "build", "-o", program, "./cmd/lmclint").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build lmclint: %w\n%s", err, out)
	}
	return program, nil
}

// startProxy starts a proxy before a server.
func startProxy(program, server string, flags []string) (*child, error) {
	c := &child{stderr: make(chan []byte, 1)}
	c.command = exec.Command(program, append([]string{"proxy", "--isolated", "--listen", "127.0.0.1:0", "--upstream", "ws://" + server + "/"}, flags...)...)
	pipe, err := c.command.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := c.command.Start(); err != nil {
		return nil, err
	}
	r := bufio.NewReader(pipe)
	line, err := r.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("start the proxy: %s%w", line, err)
	}
	address, _ := strings.CutPrefix(line, "Listening on ws://")
	c.address, _, _ = strings.Cut(address, "/")
	go func() {
		rest, _ := io.ReadAll(r)
		c.stderr <- rest
	}()
	return c, nil
}

// stop ends the proxy. It fails if the proxy found a mistake: the stream is
// healthy.
func (c *child) stop() (usage, error) {
	if err := c.command.Process.Signal(os.Interrupt); err != nil {
		return usage{}, err
	}
	text := <-c.stderr
	if err := c.command.Wait(); err != nil {
		return usage{}, fmt.Errorf("%w\n%s", err, text)
	}
	state := c.command.ProcessState
	used, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return usage{}, errors.New("no resource usage")
	}
	return usage{state.UserTime() + state.SystemTime(), used.Maxrss * 1024}, nil
}
