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
)

// installPackages asks Debian for what is missing, where we may.
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

// lookUp notes which programs of the system are not there.
func (w *workspace) lookUp() {
	for _, name := range []string{"jq", "node", "npm", "cat", "wc", "gzip"} {
		if _, err := exec.LookPath(name); err != nil {
			w.absent[name] = "not installed"
		}
	}
}

// npmFiles are copied to the cache, where npm may write.
func npmFiles() []string {
	return []string{"package.json", "package-lock.json", "ajv_compile.mjs", "ajv_blocks.mjs", "ajv_readline.mjs", "ajv_files.mjs"}
}

// installNode fetches the peers of npm and compiles the schemas for ajv.
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

// sourcemeta is the program itself: its npm wrapper starts Node first.
func (w *workspace) sourcemeta() string {
	arch := map[string]string{"amd64": "x86_64", "arm64": "arm64"}[runtime.GOARCH]
	return w.npm("node_modules", "@sourcemeta", "jsonschema", "build", "github-releases", "jsonschema-"+runtime.GOOS+"-"+arch)
}
