package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/report"
)

// everything runs the program over inputs of all sorts and returns its output.
func everything(t *testing.T, root string, flags ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	c := Command{Stdin: strings.NewReader(unclosed), Stdout: &stdout, Stderr: &stderr}
	status := c.Main(append(flags,
		filepath.Join(root, "many.jsonl"), "missing.json", "../../testdata/recorded/v0.4.2", "-",
		"../../testdata/core/bad/lmc20*.jsonl", "../../testdata/detect/bad/foreign_*.jsonl", root))
	return fmt.Sprintf("%d\n%s\n%s", status, &stderr, &stdout)
}

// unlike returns a directory of inputs of very different sizes.
func unlike(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"many.jsonl": strings.Repeat(unclosed, 100),
		"none.jsonl": "",
		"one.jsonl":  unclosed,
		"long.jsonl": strings.Repeat(unclosed, 300),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o600))
	}
	return root
}

// sampleFormats returns a report that is written as findings come and one that
// is a document, or all reports in the exhaustive run.
func sampleFormats() []report.Format {
	if exhaustive.Enabled() {
		return report.Formats()
	}
	return []report.Format{report.FormatText, report.FormatJSON}
}

func TestOutputIndependentOfJobs(t *testing.T) {
	runs := 2
	if exhaustive.Enabled() {
		runs = 20
	}
	root := unlike(t)
	for _, format := range sampleFormats() {
		t.Run(string(format), func(t *testing.T) {
			want := everything(t, root, "--jobs", "1", "--format", string(format))
			require.Contains(t, want, "missing.json: no such file or directory")
			for run := range runs {
				jobs := []string{"2", "8"}[run%2]
				got := everything(t, root, "--jobs", jobs, "--format", string(format))
				require.Equal(t, want, got, "run %d with %s jobs", run, jobs)
			}
		})
	}
}
