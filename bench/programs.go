package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// workspace is the folder of programs and data.
type workspace struct {
	root  string          // of the module
	cache string          // folder of the generated files
	scale int             // by which the data is smaller than in a full run
	out   strings.Builder // the tables
}

// prepare builds the programs, with the settings of a release. A peer that cannot
// be built is missing when it is run, and its row says so.
func prepare(ctx context.Context, cache string, quick bool) (*workspace, error) {
	gomod, err := output(ctx, "go", "env", "GOMOD")
	if err != nil {
		return nil, err
	}
	w := &workspace{root: filepath.Dir(gomod), scale: 1}
	if quick {
		w.scale = 25
	}
	if w.cache, err = filepath.Abs(cache); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(w.program(""), 0o755); err != nil {
		return nil, err
	}
	for _, folder := range []string{"cmd/lmclint", "bench/generate", "bench/naive", "bench/peers/hello", "bench/peers/importv5", "bench/peers/gunzip"} {
		path := w.program(filepath.Base(folder))
		if _, err := output(ctx, "env", "CGO_ENABLED=0", "go", "-C", w.root, "build", "-trimpath", "-o", path, "./"+folder); err != nil {
			return nil, err
		}
		if err := settle(path); err != nil {
			return nil, err
		}
	}
	peers := filepath.Join(w.root, "bench", "peers")
	if _, err := output(ctx, "cc", "-O2", filepath.Join(peers, "launch.c"), "-o", w.program("launch")); err != nil {
		return nil, err
	}
	for _, name := range []string{"simdjson_dom", "simdjson_ondemand"} {
		_, err := output(ctx, "c++", "-O3", "-march=native", "-std=c++17", filepath.Join(peers, name+".cpp"), "-lsimdjson", "-o", w.program(name))
		logMissing(name, err)
	}
	logMissing("the programs from npm", w.npm(ctx, peers))
	return w, nil
}

func logMissing(name string, err error) {
	if err != nil {
		log.Printf("missing: %s: %v", name, err)
	}
}

// npm installs the peers from npm and compiles the schemas for ajv. It copies the
// package first, because npm writes next to it.
func (w *workspace) npm(ctx context.Context, peers string) error {
	to := filepath.Join(w.cache, "npm")
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, pattern := range []string{"*.json", "*.mjs"} {
		paths, err := filepath.Glob(filepath.Join(peers, pattern))
		if err != nil {
			return err
		}
		if _, err := output(ctx, "cp", append(paths, to)...); err != nil {
			return err
		}
	}
	if _, err := output(ctx, "npm", "ci", "--prefix", to, "--prefer-offline", "--no-audit", "--no-fund"); err != nil {
		return err
	}
	for _, part := range []string{"chunk", "transcript"} {
		if _, err := output(ctx, "node", filepath.Join(to, "ajv_compile.mjs"), w.schema(part), filepath.Join(to, part+".mjs")); err != nil {
			return err
		}
	}
	// The native program, without the wrapper that starts Node.
	arch := map[string]string{"amd64": "x86_64", "arm64": "arm64"}[runtime.GOARCH]
	native := filepath.Join(to, "node_modules", "@sourcemeta", "jsonschema", "build", "github-releases", "jsonschema-"+runtime.GOOS+"-"+arch)
	_, err := output(ctx, "ln", "-sf", native, w.program("sourcemeta"))
	return err
}

// program returns the path of a program of this run.
func (w *workspace) program(name string) string { return filepath.Join(w.cache, "bin", name) }

// schema returns the path of a published schema.
func (w *workspace) schema(part string) string {
	return filepath.Join(w.root, "schema", "interpreter", part+".schema.json")
}

// data generates a file or folder unless it exists, and returns its path.
func (w *workspace) data(ctx context.Context, name string, args []string) (string, error) {
	path := filepath.Join(w.cache, "data", name)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	log.Printf("data: %s", name)
	if _, err := output(ctx, w.program("generate"), append(args, "--out", path+".unfinished")...); err != nil {
		return "", err
	}
	return path, os.Rename(path+".unfinished", path)
}

// settle rewrites a program sequentially, as if extracted from an archive. The
// linker writes a file in random order, which leaves single pages in the page
// cache and makes each start slower, most of all that of a large program.
func settle(path string) error {
	program, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := os.WriteFile(path+".settled", program, 0o755); err != nil {
		return err
	}
	return os.Rename(path+".settled", path)
}

// output runs a program and returns its standard output. An error has the last
// line of its standard error.
func output(ctx context.Context, program string, args ...string) (string, error) {
	data, err := exec.CommandContext(ctx, program, args...).Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		lines := strings.Split(strings.TrimSpace(string(failed.Stderr)), "\n")
		return "", fmt.Errorf("%s: %w: %s", program, err, lines[len(lines)-1])
	}
	return strings.TrimSpace(string(data)), err
}
