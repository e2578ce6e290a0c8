package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// workspace is where a run finds its programs and keeps its data.
type workspace struct {
	root   string            // of the module
	cache  string            // for all that is made
	absent map[string]string // why a program is not there, by its name
}

// prepare installs and builds what the sections need.
func prepare(ctx context.Context, o options) (workspace, error) {
	w := workspace{cache: o.cache, absent: map[string]string{}}
	var err error
	if w.root, err = moduleRoot(ctx); err != nil {
		return w, err
	}
	if err := os.MkdirAll(filepath.Join(w.cache, "bin"), 0o755); err != nil {
		return w, err
	}
	if err := w.buildGo(ctx); err != nil {
		return w, err
	}
	if !o.offline {
		w.installPackages(ctx)
	}
	w.lookUp()
	w.buildC(ctx)
	w.installNode(ctx, o.offline)
	return w, w.clean()
}

func moduleRoot(ctx context.Context) (string, error) {
	path, err := output(ctx, "go", "env", "GOMOD")
	if err != nil {
		return "", err
	}
	if !strings.HasSuffix(path, "go.mod") {
		return "", errors.New("run this inside the module of lmclint")
	}
	return filepath.Dir(path), nil
}

// program is the path of something that this run built.
func (w *workspace) program(name string) string { return filepath.Join(w.cache, "bin", name) }

// source is the path of a file beside this program.
func (w *workspace) source(parts ...string) string {
	return filepath.Join(append([]string{w.root, "bench"}, parts...)...)
}

// schema is the path of a schema as it is published.
func (w *workspace) schema(part string) string {
	return filepath.Join(w.root, "schema", "interpreter", part+".schema.json")
}

// output runs a program and gives what it prints, with what it says if it fails.
func output(ctx context.Context, program string, args ...string) (string, error) {
	data, err := exec.CommandContext(ctx, program, args...).Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return "", fmt.Errorf("%s %s: %w: %s", program, strings.Join(args, " "), err, lastLine(string(failed.Stderr)))
	}
	return strings.TrimSpace(string(data)), err
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}
