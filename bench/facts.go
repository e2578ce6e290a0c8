package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"
)

// report writes all tables.
func (b *bench) report(ctx context.Context, w io.Writer, results []result) error {
	out := &strings.Builder{}
	fmt.Fprintf(out, "## Side by side\n\n`go run ./bench%s`, %s, %s.\n\n%s\n", b.flags(), time.Now().Format("2006-01-02"), machine(ctx), legend)
	for _, r := range results {
		writeSection(out, r)
	}
	fmt.Fprintf(out, "\n### Versions\n\n%s\n", b.versions(ctx))
	if reason := b.absent["launch"]; reason != "" {
		fmt.Fprintf(out, "\nThe launcher is absent (%s), and so are the peaks.\n", cell(reason))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

const legend = "Whole processes, all output to /dev/null, page cache warm, programs run in turn. Times are medians of wall and of user plus system\n" +
	"time; the peak is the largest resident set of all runs, in 1,000,000 bytes. A program that got a part of the data shows its times multiplied,\n" +
	"start-up included, and its peak as it was. The columns with ÷ say how many times the CPU and wall time of the first row a program takes;\n" +
	"a goal bounds that of the wall time."

func (b *bench) flags() string {
	if b.options.quick {
		return " --quick"
	}
	return ""
}

// machine describes the hardware and the system.
func machine(ctx context.Context) string {
	kernel, err := output(ctx, "uname", "-sr")
	if err != nil {
		kernel = runtime.GOOS
	}
	facts := []string{fmt.Sprintf("%d processors", runtime.NumCPU())}
	if model := field("/proc/cpuinfo", "model name"); model != "" {
		facts = append(facts, model)
	}
	if memory := field("/proc/meminfo", "MemTotal"); memory != "" {
		facts = append(facts, memory+" memory")
	}
	return strings.Join(append(facts, kernel+" "+runtime.GOARCH), ", ")
}

// field returns the value of a "name : value" line in a file of the kernel.
func field(path, name string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(data)) {
		key, value, found := strings.Cut(line, ":")
		if found && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// versions lists every program with its version or the reason why it is absent.
func (b *bench) versions(ctx context.Context) string {
	list := []struct {
		name, absent string
		ask          func() (string, error)
	}{
		{"lmclint", "", b.asking(ctx, "git", "-C", b.root, "describe", "--always", "--dirty", "--tags")},
		{"Go", "", b.asking(ctx, "go", "env", "GOVERSION")},
		{"jsonschema", "", b.asking(ctx, "go", "-C", b.root, "list", "-m", "github.com/santhosh-tekuri/jsonschema/v5")},
		{"sourcemeta", b.absent["sourcemeta"], func() (string, error) { return b.npmVersion("@sourcemeta/jsonschema") }},
		{"ajv", b.absent["ajv"], func() (string, error) { return b.npmVersion("ajv") }},
		{"Node", b.absent["node"], b.asking(ctx, "node", "--version")},
		{"jq", b.absent["jq"], b.asking(ctx, "jq", "--version")},
		{"simdjson", b.absent["simdjson_dom"], b.asking(ctx, "dpkg-query", "-W", "libsimdjson-dev")},
		{"C++", b.absent["simdjson_dom"], b.asking(ctx, "c++", "--version")},
		{"wc", b.absent["wc"], b.asking(ctx, "wc", "--version")},
		{"gzip", b.absent["gzip"], b.asking(ctx, "gzip", "--version")},
	}
	var lines []string
	for _, v := range list {
		text := "absent: " + v.absent
		if v.absent == "" {
			text = said(v.ask())
		}
		lines = append(lines, fmt.Sprintf("- %s: %s", v.name, cell(text)))
	}
	return strings.Join(lines, "\n")
}

func (b *bench) asking(ctx context.Context, program string, args ...string) func() (string, error) {
	return func() (string, error) { return output(ctx, program, args...) }
}

func said(text string, err error) string {
	if err != nil {
		return "unknown: " + err.Error()
	}
	first, _, _ := strings.Cut(text, "\n")
	return first
}

// npmVersion returns the installed version of a package.
func (b *bench) npmVersion(name string) (string, error) {
	data, err := os.ReadFile(b.npm("node_modules", name, "package.json"))
	if err != nil {
		return "", err
	}
	var p struct{ Version string }
	err = json.Unmarshal(data, &p)
	return p.Version, err
}
