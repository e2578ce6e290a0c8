package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/report"
)

// shownFinding is a finding of the JSON report, as far as it says where it is.
type shownFinding struct {
	Rule      string
	Message   string
	Path      string
	Line      int
	Column    int
	EndLine   int
	EndColumn int
	Offset    int
	EndOffset int
	Pointer   *string
	Related   []shownFinding
}

func (f shownFinding) String() string {
	return fmt.Sprintf("%s:%d:%d: %s [%s]", f.Path, f.Line, f.Column, f.Message, f.Rule)
}

// findingsOf are those of the JSON report of a run, which also fails if an input
// has nothing that can be read.
func findingsOf(t *testing.T, args ...string) []shownFinding {
	t.Helper()
	status, out := run(append([]string{"--isolated", "--format", "json"}, args...)...)
	require.LessOrEqual(t, status, exitTrouble)
	var document struct{ Findings []shownFinding }
	require.NoError(t, json.Unmarshal([]byte(out), &document))
	return document.Findings
}

// Every finding of the suite says where it is: lines, columns, offsets and a
// pointer that agree with the bytes of the file.
func TestUser01EveryFindingHasAPlace(t *testing.T) {
	found := findingsOf(t, "../../testdata/core/bad", "../../testdata/forms/bad", "../../testdata/detect/bad", "../../testdata/workbench/bad", "../../testdata/recorded")
	require.Greater(t, len(found), 300)
	texts := map[string]string{}
	for _, f := range found {
		if strings.HasSuffix(f.Path, ".gz") || strings.HasSuffix(f.Path, ".zst") {
			continue // offsets count the bytes that are unpacked
		}
		if _, known := texts[f.Path]; !known {
			text, err := os.ReadFile(f.Path)
			require.NoError(t, err)
			texts[f.Path] = string(text)
			if strings.HasSuffix(f.Path, ".sse") { // in which a carriage return alone ends a line, too
				texts[f.Path] = loneCR.Replace(texts[f.Path])
			}
		}
		assert.NotNil(t, f.Pointer, f)
		checkPlace(t, f, texts[f.Path])
		for _, r := range f.Related {
			r.Rule, r.Path = f.Rule, f.Path
			checkPlace(t, r, texts[f.Path])
		}
	}
}

var loneCR = strings.NewReplacer("\r\n", "\r\n", "\r", "\n")

// checkPlace checks that the offsets of a finding and its lines and columns are the
// same places. A span without width is valid only at the end of a line, where something
// was truncated, or where nothing is at all.
func checkPlace(t *testing.T, f shownFinding, text string) {
	t.Helper()
	require.LessOrEqual(t, f.EndOffset, len(text), f)
	line, column := placeOf(text, f.Offset)
	assert.Equal(t, []int{line, column}, []int{f.Line, f.Column}, "%v", f)
	line, column = placeOf(text, f.EndOffset)
	assert.Equal(t, []int{line, column}, []int{f.EndLine, f.EndColumn}, "%v", f)
	if f.EndOffset <= f.Offset && f.Rule != "LMC011" {
		assert.Equal(t, f.EndOffset, f.Offset, "%v", f)
		rest := strings.TrimLeft(text[f.Offset:], " ")
		assert.True(t, rest == "" || rest[0] == '\n' || rest[0] == '\r', "a span without width in the middle of a line: %v", f)
	}
}

// placeOf counts lines and columns from 1, columns in code points.
func placeOf(text string, offset int) (line, column int) {
	before := text[:offset]
	start := strings.LastIndexByte(before, '\n') + 1
	return strings.Count(before, "\n") + 1, len([]rune(before[start:])) + 1
}

// A line of 100 MB (10 in quick tests) is a record like any other; beyond the limit it is a finding,
// and reading continues after it.
func TestUser09ALineOf100MB(t *testing.T) {
	size := int64(10 << 20)
	if exhaustive.Enabled() {
		size = 100 << 20
	}
	for _, test := range []struct {
		flags []string
		want  []string
	}{
		{nil, []string{"LMC110 2", "LMC104 3"}},
		{[]string{"--max-record-bytes", "1000000"}, []string{"LMC006 2", "LMC104 3"}},
	} {
		input := io.MultiReader(
			strings.NewReader(`{"role":"user","type":"message","content":"Hi"}`+"\n"+`{"role":"assistant","type":"message","content":"`),
			io.LimitReader(endless('x'), size),
			strings.NewReader(`","trace":1}`+"\n"+`{"role":"user","type":"mesage","content":"Hi"}`+"\n"))
		var out bytes.Buffer
		c := Command{Stdin: input, Stdout: &out, Stderr: io.Discard}
		status := c.Main(append(test.flags, "--isolated", "--kind", "transcript", "--format", "jsonl", "-"))
		assert.Equal(t, exitFindings, status)
		var got []string
		for line := range strings.Lines(out.String()) {
			var f shownFinding
			require.NoError(t, json.Unmarshal([]byte(line), &f))
			if f.Rule != "" {
				got = append(got, fmt.Sprint(f.Rule, " ", f.Line))
			}
		}
		assert.Equal(t, test.want, got)
	}
}

// endless reads as the same byte without end.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

// The exit status is the same in every format, whatever the run came to.
func TestUser12FormatsDoNotChangeTheExitStatus(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"good.jsonl":  `{"role": "user", "type": "message", "content": "Hi"}` + "\n",
		"bad.jsonl":   unclosed,
		"torn.jsonl":  `{"role": "user", "type": "message", "content": "Hi` + "\n",
		"none.jsonl":  "",
		"other.jsonl": `{"model": "gpt-4", "messages": [{"role": "user", "content": "Hi"}]}` + "\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o600))
	}
	for name, want := range map[string]int{
		"good.jsonl": exitClean, "bad.jsonl": exitFindings, "torn.jsonl": exitFindings,
		"none.jsonl": exitTrouble, "other.jsonl": exitTrouble, "missing.jsonl": exitTrouble,
	} {
		for _, format := range report.Formats() {
			status, _ := run("--isolated", "--format", string(format), filepath.Join(root, name))
			assert.Equal(t, want, status, "%s as %s", name, format)
		}
	}
}

// A recording in UTF-16, as the shell of Windows redirects it, is found in a
// directory, although nothing in it can be read.
func TestUser27UTF16InADirectory(t *testing.T) {
	for mark, order := range map[string]binary.AppendByteOrder{"\xff\xfe": binary.LittleEndian, "\xfe\xff": binary.BigEndian, "": binary.LittleEndian} {
		text := []byte(mark)
		for _, unit := range utf16.Encode([]rune(unclosed)) {
			text = order.AppendUint16(text, unit)
		}
		root := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(root, "stream.jsonl"), text, 0o600))
		found := findingsOf(t, root)
		require.Len(t, found, 1, "%q", mark)
		assert.Equal(t, "LMC002", found[0].Rule)
	}
}
