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

// workspace contains the programs and the data of a run.
type workspace struct {
	root   string            // of the module
	cache  string            // for everything generated
	absent map[string]string // the reason why a program is missing, by name
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

// program returns the path of a program built by this run.
func (w *workspace) program(name string) string { return filepath.Join(w.cache, "bin", name) }

// source returns the path of a source file of the benchmark.
func (w *workspace) source(parts ...string) string {
	return filepath.Join(append([]string{w.root, "bench"}, parts...)...)
}

// schema returns the path of a published schema.
func (w *workspace) schema(part string) string {
	return filepath.Join(w.root, "schema", "interpreter", part+".schema.json")
}

// output runs a program and returns its standard output. An error contains its
// standard error.
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

// installPackages installs missing Debian packages, if it has the permission.
func (w *workspace) installPackages(ctx context.Context) {
	missing := missingPackages(ctx)
	if len(missing) == 0 {
		return
	}
	log.Printf("install: %v", missing)
	args := append([]string{"install", "-y", "--no-install-recommends"}, missing...)
	if _, err := output(ctx, "apt-get", args...); err == nil {
		return
	}
	_, updateErr := output(ctx, "apt-get", "update")
	if _, err := output(ctx, "apt-get", args...); err != nil {
		log.Printf("install: %v", errors.Join(updateErr, err))
	}
}

func missingPackages(ctx context.Context) []string {
	var missing []string
	for _, p := range [][2]string{{"jq", "jq"}, {"node", "nodejs"}, {"npm", "npm"}, {"cc", "gcc"}, {"c++", "g++"}, {"gzip", "gzip"}} {
		if _, err := exec.LookPath(p[0]); err != nil {
			missing = append(missing, p[1])
		}
	}
	if _, err := output(ctx, "dpkg-query", "-W", "libsimdjson-dev"); err != nil {
		missing = append(missing, "libsimdjson-dev")
	}
	return missing
}

// lookUp records which system programs are missing.
func (w *workspace) lookUp() {
	for _, name := range []string{"jq", "node", "npm", "cat", "wc", "gzip"} {
		if _, err := exec.LookPath(name); err != nil {
			w.absent[name] = "not installed"
		}
	}
}

// npmFiles are copied to the cache, because npm writes next to them.
func npmFiles() []string {
	return []string{"package.json", "package-lock.json", "ajv_compile.mjs", "ajv_blocks.mjs", "ajv_readline.mjs", "ajv_files.mjs"}
}

// installNode installs the peers from npm and compiles the schemas for ajv.
func (w *workspace) installNode(ctx context.Context, offline bool) {
	if err := w.fetchNode(ctx, offline); err != nil {
		w.absent["ajv"], w.absent["sourcemeta"] = err.Error(), err.Error()
		return
	}
	if _, err := os.Stat(w.sourcemeta()); err != nil {
		w.absent["sourcemeta"] = err.Error()
	}
	for _, part := range []string{"chunk", "transcript"} {
		if _, err := output(ctx, "node", w.npm("ajv_compile.mjs"), w.schema(part), w.npm(part+".mjs")); err != nil {
			w.absent["ajv"] = err.Error()
		}
	}
}

func (w *workspace) fetchNode(ctx context.Context, offline bool) error {
	if w.absent["node"] != "" || w.absent["npm"] != "" {
		return errors.New("node and npm are not installed")
	}
	if err := os.MkdirAll(w.npm(), 0o755); err != nil {
		return err
	}
	for _, name := range npmFiles() {
		data, err := os.ReadFile(w.source("peers", name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(w.npm(name), data, 0o644); err != nil {
			return err
		}
	}
	if _, err := os.Stat(w.npm("node_modules")); err == nil && offline {
		return nil
	} else if offline {
		return fmt.Errorf("not installed: %w", err)
	}
	log.Print("install: npm ci")
	_, err := output(ctx, "npm", "ci", "--prefix", w.npm(), "--no-audit", "--no-fund")
	return err
}

func (w *workspace) npm(parts ...string) string {
	return filepath.Join(append([]string{w.cache, "npm"}, parts...)...)
}

// sourcemeta returns the native program, without the npm wrapper that starts Node.
func (w *workspace) sourcemeta() string {
	arch := map[string]string{"amd64": "x86_64", "arm64": "arm64"}[runtime.GOARCH]
	return w.npm("node_modules", "@sourcemeta", "jsonschema", "build", "github-releases", "jsonschema-"+runtime.GOOS+"-"+arch)
}

// buildGo builds lmclint and the other Go programs of the checkout with the
// settings of a release, without cgo.
func (w *workspace) buildGo(ctx context.Context) error {
	programs := [][2]string{
		{"lmclint", "cmd/lmclint"},
		{"generate", "bench/generate"},
		{"naive", "bench/naive"},
		{"hello", "bench/peers/hello"},
		{"importv5", "bench/peers/importv5"},
		{"gunzip", "bench/peers/gunzip"},
	}
	for _, p := range programs {
		log.Printf("build: %s", p[0])
		if _, err := output(ctx, "env", "CGO_ENABLED=0", "go", "-C", w.root, "build", "-trimpath", "-o", w.program(p[0]), "./"+p[1]); err != nil {
			return err
		}
		if err := settle(w.program(p[0])); err != nil {
			return err
		}
	}
	return nil
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

// buildC builds the C and C++ programs. One that cannot be built is absent.
func (w *workspace) buildC(ctx context.Context) {
	w.compile(ctx, "launch", "cc", "-O2", w.source("peers", "launch.c"))
	for _, name := range []string{"simdjson_dom", "simdjson_ondemand"} {
		w.compile(ctx, name, "c++", "-O3", "-march=native", "-std=c++17", w.source("peers", name+".cpp"), "-lsimdjson")
	}
}

func (w *workspace) compile(ctx context.Context, name, compiler string, args ...string) {
	log.Printf("build: %s", name)
	if _, err := output(ctx, compiler, append(args, "-o", w.program(name))...); err != nil {
		w.absent[name] = err.Error()
	}
}

// tool is a program to run, and the goal for lmclint compared with it.
type tool struct {
	name   string
	args   []string // the program and its arguments
	folder string   // working directory
	feed   []string // a program whose output is its standard input
	input  string   // a file used as its standard input
	bytes  int64    // that it reads, if not those of the section
	part   int      // it reads one part in that many of the data; 0 means all
	exit   int      // the exit status that means success
	noisy  bool     // its standard error is a report and is discarded
	absent string   // why it cannot run
	goal   goal
	limit  float64 // MB of peak memory
}

// goal limits the wall time relative to the first tool. Zero means no limit.
type goal struct{ least, most float64 }

func (t tool) atLeast(n float64) tool { t.goal.least = n; return t }

func (t tool) atMost(n float64) tool { t.goal.most = n; return t }

func (t tool) within(mb float64) tool { t.limit = mb; return t }

func (t tool) oneIn(parts int) tool { t.part = parts; return t }

func (t tool) reading(bytes int64) tool { t.bytes = bytes; return t }

func (t tool) exits(status int) tool { t.exit = status; return t }

func (t tool) in(folder string) tool { t.folder = folder; return t }

func (t tool) from(path string) tool { t.input = path; return t }

func (t tool) fedBy(program ...string) tool { t.feed = program; return t }

func (t tool) quietly() tool { t.noisy = true; return t }

// parts returns the factor by which the cost of a tool is multiplied.
func (t tool) parts() float64 { return float64(max(t.part, 1)) }

// lmclint runs the linter with every rule and a named dialect. A single note on
// valid data makes it fail.
func (b *bench) lmclint(name string, args ...string) tool {
	return tool{name: name, args: append([]string{b.program("lmclint"), "--dialect", "interpreter", "--fail-on", "note"}, args...)}
}

func (b *bench) naive(part string, paths ...string) tool {
	return tool{name: "naive Go", args: append([]string{b.program("naive"), "-schema", b.schema(part)}, paths...)}
}

func (b *bench) sourcemeta(part, path string, flags ...string) tool {
	args := append([]string{b.workspace.sourcemeta(), "validate"}, flags...)
	name := "sourcemeta validate"
	for _, flag := range flags {
		name += " " + flag
	}
	return tool{name: name, args: append(args, b.schema(part), path), absent: b.absent["sourcemeta"]}
}

// ajv runs one of the scripts with the compiled schema.
func (b *bench) ajv(name, script, part, path string) tool {
	return tool{name: name, args: []string{"node", b.npm(script), b.npm(part + ".mjs"), path}, absent: b.absent["ajv"]}
}

func (b *bench) simdjson(name, program, path string) tool {
	return tool{name: name, args: []string{b.program(program), path}, absent: b.absent[program]}
}

// system runs a system program.
func (b *bench) system(args ...string) tool {
	name := args[0]
	if name == "jq" {
		name = "jq empty"
	} else if len(args) > 1 && args[1][0] == '-' {
		name += " " + args[1]
	}
	return tool{name: name, args: args, absent: b.absent[args[0]]}
}

// built runs one of the Go programs.
func (b *bench) built(name, program string, args ...string) tool {
	return tool{name: name, args: append([]string{b.program(program)}, args...)}
}

// names returns the files of a directory, relative to it.
func names(folder string) ([]string, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.json"))
	for i := range paths {
		paths[i] = filepath.Base(paths[i])
	}
	return paths, err
}
