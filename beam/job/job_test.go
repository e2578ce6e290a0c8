package job

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/show/jsonreport"
	"github.com/lmclint/lmclint/report"
)

// program is lmclint, which checks the same inputs on one machine.
var program string

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler)) // the messages of Prism
	flag.Parse()
	beam.Init()
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "lmclint-beam")
		if err != nil {
			panic(err)
		}
		defer func() { _ = os.RemoveAll(dir) }()
		program = filepath.Join(dir, "lmclint")
		build := exec.Command("go", "build", "-o", program, "./cmd/lmclint")
		build.Dir = filepath.Join("..", "..")
		if out, err := build.CombinedOutput(); err != nil {
			panic(fmt.Sprintf("%v\n%s", err, out))
		}
		return m.Run()
	}())
}

// output is what a job wrote, or what lmclint says about the same inputs.
type output struct {
	findings []string          // sorted
	refused  map[string]string // failure by path
	summary  report.Summary
}

// onOneMachine checks inputs with lmclint.
func onOneMachine(t *testing.T, arguments ...string) output {
	t.Helper()
	dir := t.TempDir()
	lines, document := filepath.Join(dir, "lines"), filepath.Join(dir, "document")
	arguments = append([]string{"check", "--fail-on", "never", "--format", "jsonl:" + lines, "--format", "json:" + document}, arguments...)
	text, err := exec.Command(program, arguments...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil {
		require.ErrorAs(t, err, &exit)
		require.Equal(t, 2, exit.ExitCode(), "%s", text)
	}
	var all struct {
		Files   []jsonreport.File
		Summary report.Summary
	}
	require.NoError(t, json.Unmarshal(read(t, document), &all))
	o := output{refused: map[string]string{}, summary: all.Summary}
	for _, f := range all.Files {
		if f.Failure != "" {
			o.refused[f.Path] = f.Failure
		}
	}
	for line := range strings.Lines(string(read(t, lines))) {
		if !strings.HasPrefix(line, `{"summary"`) && !strings.HasPrefix(line, `{"file"`) {
			o.findings = append(o.findings, line)
		}
	}
	slices.Sort(o.findings)
	return o
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return text
}

// options are those of a job on Prism, without configuration.
func options(t *testing.T, inputs ...string) Options {
	t.Helper()
	config, err := ReadConfig("", true)
	require.NoError(t, err)
	return Options{
		Inputs: inputs, Output: t.TempDir(), Config: config, Producer: DefaultProducer, Month: DefaultMonth,
		Shards: 3, Lanes: 1,
	}
}

// run runs a job on Prism.
func run(t *testing.T, o Options) output {
	t.Helper()
	require.NoError(t, try(o))
	return written(t, o)
}

func try(o Options) error {
	p, err := New(o)
	if err != nil {
		return err
	}
	return beamx.Run(context.Background(), p)
}

// written returns the output of a job.
func written(t *testing.T, o Options) output {
	t.Helper()
	entries, err := os.ReadDir(o.Output)
	require.NoError(t, err)
	var names []string
	out := output{refused: map[string]string{}}
	for _, entry := range entries {
		names = append(names, entry.Name())
		text := string(read(t, filepath.Join(o.Output, entry.Name())))
		switch {
		case strings.HasPrefix(entry.Name(), "findings-"):
			out.findings = slices.AppendSeq(out.findings, strings.Lines(text))
		case entry.Name() == RefusedName:
			for line := range strings.Lines(text) {
				var f jsonreport.File
				require.NoError(t, json.Unmarshal([]byte(line), &f))
				assert.NotContains(t, out.refused, f.Path)
				out.refused[f.Path] = f.Failure
			}
		}
	}
	want := []string{RefusedName, SummaryName}
	for shard := range o.Shards {
		want = append(want, shardName(FindingsName, shard, o.Shards))
	}
	assert.ElementsMatch(t, want, names)
	slices.Sort(out.findings)
	summary, err := ReadSummary(context.Background(), o.Output)
	require.NoError(t, err)
	out.summary = summary.Summary
	return out
}

// same compares the output of a job with that of one machine.
func same(t *testing.T, want, got output) {
	t.Helper()
	assert.Equal(t, want.findings, got.findings)
	assert.Equal(t, want.refused, got.refused)
	assert.Equal(t, want.summary, got.summary)
}

// recordings returns the recordings and cases of the conformance suite.
func recordings(t *testing.T) (paths []string) {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", "..", "testdata"))
	require.NoError(t, err)
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !strings.Contains(path, ".expect.") {
			paths = append(paths, path)
		}
		return err
	}))
	require.Greater(t, len(paths), 500)
	return paths
}

// conversations returns conversations of the recordings, each on one line.
func conversations(t *testing.T) (lines []string) {
	t.Helper()
	for _, path := range recordings(t) {
		var list []map[string]any
		if filepath.Ext(path) != ".json" || json.Unmarshal(read(t, path), &list) != nil || len(list) == 0 || list[0]["type"] == nil {
			continue
		}
		line, err := json.Marshal(list)
		require.NoError(t, err)
		if len(line) < 1<<10 {
			lines = append(lines, string(line))
		}
	}
	require.Greater(t, len(lines), 100)
	return lines
}

// archive returns JSON Lines of conversations, some of them with mistakes.
func archive(t *testing.T, size int, seed uint64) []byte {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	all := conversations(t)
	one := func() string { return all[random.IntN(len(all))] }
	// The first two lines show that each is a conversation.
	text := bytes.Repeat([]byte(`[{"role":"user","type":"message","content":"x"},{"role":"assistant","type":"message","content":"y"}]`+"\n"), 2)
	for len(text) < size {
		line := one()
		switch random.IntN(20) {
		case 0:
			line = line[:random.IntN(len(line))]
		case 1:
			line = line[:len(line)-1]
		case 2:
			line = strings.Repeat(" ", random.IntN(3))
		case 3:
			line = "[]"
		case 4:
			line += one()
		case 5:
			line = "words " + line
		case 6:
			line += "\r"
		case 7:
			line = `{"role":"user","type":"message","content":"x"}`
		case 8:
			line += "\n\n\n"
		}
		text = append(append(text, line...), '\n')
	}
	if seed%2 == 0 {
		text = bytes.TrimRight(text, "\n")
	}
	return text
}

// hostile writes inputs that no program can read, and some that it can, and
// returns their names.
func hostile(t *testing.T) (paths []string) {
	t.Helper()
	dir := t.TempDir()
	put := func(name string, text []byte) {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, text, 0o600))
		paths = append(paths, path)
	}
	good := read(t, filepath.Join("..", "..", "testdata", "recorded", "v0.4.2", "close_mid_code.chunks.jsonl"))
	put("empty.jsonl", nil)
	put("blank.jsonl", []byte("\n\n \n"))
	put("binary.jsonl", []byte{0, 1, 2, 0xff, 0xfe, 0, 0, 9, 10, 0})
	put("utf16.jsonl", []byte{0xff, 0xfe, '[', 0, ']', 0})
	put("cut.jsonl", good[:len(good)-20])
	put("packed.jsonl.gz", gzipped(t, good))
	put("cut.jsonl.gz", gzipped(t, good)[:60])
	put("packed.jsonl.zst", zstded(t, good))
	put("cut.jsonl.zst", zstded(t, good)[:40])
	put("not.zip", append([]byte("PK\x03\x04"), good...))
	put("deep.jsonl", append(bytes.Repeat([]byte("["), 100_000), '\n'))
	put("archive.jsonl.gz", gzipped(t, archive(t, 40_000, 3)))
	paths = append(paths, filepath.Join(dir, "missing.jsonl"))
	// It is listed, and cannot be opened: it vanished.
	vanished := filepath.Join(dir, "vanished.jsonl")
	require.NoError(t, os.Symlink(filepath.Join(dir, "nothing"), vanished))
	return append(paths, vanished)
}

func gzipped(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

func zstded(t *testing.T, text []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	return w.EncodeAll(text, nil)
}

// TestSameAsOneMachine checks that a job reports what lmclint reports, whatever
// the number of workers and the order of the inputs.
func TestSameAsOneMachine(t *testing.T) {
	inputs := append(recordings(t), hostile(t)...)
	for seed := range 3 {
		path := filepath.Join(t.TempDir(), "conversations.jsonl")
		require.NoError(t, os.WriteFile(path, archive(t, 120_000, uint64(seed)), 0o600))
		inputs = append(inputs, path)
	}
	want := onOneMachine(t, append([]string{"--isolated"}, inputs...)...)
	require.Greater(t, len(want.findings), 1500)
	require.Greater(t, len(want.refused), 8)
	for _, lanes := range []int{1, 4} {
		t.Run(fmt.Sprintf("%d workers", lanes), func(t *testing.T) {
			random := rand.New(rand.NewPCG(uint64(lanes), 2))
			random.Shuffle(len(inputs), func(i, j int) { inputs[i], inputs[j] = inputs[j], inputs[i] })
			o := options(t, append(inputs, inputs[0])...) // one is named twice
			o.Lanes, o.Shards = lanes, lanes
			same(t, want, run(t, o))
		})
	}
}

// TestGlob checks that globs match what they match for lmclint.
func TestGlob(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", "..", "testdata", "recorded"))
	require.NoError(t, err)
	for _, glob := range []string{filepath.Join(root, "v0.4.2", "close*.jsonl"), filepath.Join(root, "**", "*_mid_*.jsonl"), filepath.Join(root, "nothing*")} {
		want, got := onOneMachine(t, "--isolated", glob), run(t, options(t, glob))
		assert.Equal(t, want.findings, got.findings)
		assert.Len(t, got.refused, len(want.refused))
	}
}

// TestConfiguration checks that a configuration applies on workers, which do not
// have its files.
func TestConfiguration(t *testing.T) {
	dir := t.TempDir()
	text := archive(t, 60_000, 5)
	for _, name := range []string{"a.jsonl", "b.jsonl", "sub/c.jsonl"} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, text, 0o600))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "base.yaml"), []byte("ignore: [LMC4]\n"), 0o600))
	file := filepath.Join(dir, ".lmclint.yaml")
	require.NoError(t, os.WriteFile(file, []byte("extends: base.yaml\nseverity:\n  framing: note\nbaseline: known.json\n"+
		"overrides:\n- paths: [sub/]\n  ignore: [LMC1]\n  reason: test\n"), 0o600))
	t.Chdir(dir)
	out, err := exec.Command(program, "--write-baseline", "b.jsonl").CombinedOutput()
	require.NoError(t, err, "%s", out)

	o := options(t, "*.jsonl", "sub/*.jsonl")
	o.Config, err = ReadConfig("", false)
	require.NoError(t, err)
	want := onOneMachine(t, "a.jsonl", "b.jsonl", "sub/c.jsonl")
	require.Positive(t, want.summary.Suppressed)
	require.NotEmpty(t, want.findings)
	for _, name := range []string{".lmclint.yaml", "base.yaml", "known.json"} {
		require.NoError(t, os.Remove(filepath.Join(dir, name)))
	}
	same(t, want, run(t, o))

	_, err = ReadConfig("nothing.yaml", false)
	require.ErrorContains(t, err, "nothing.yaml")
	_, err = ReadConfig("nothing.yaml", true)
	require.ErrorContains(t, err, "--isolated")
	require.NoError(t, os.WriteFile("wrong.yaml", []byte("ignore: [LMC999]\n"), 0o600))
	_, err = ReadConfig("wrong.yaml", false)
	require.ErrorContains(t, err, "LMC999")
}

// TestOptions checks that wrong options are errors.
func TestOptions(t *testing.T) {
	for want, change := range map[string]func(*Options){
		"--input":   func(o *Options) { o.Inputs = nil },
		"--output":  func(o *Options) { o.Output = "" },
		"--shards":  func(o *Options) { o.Shards = 0 },
		"--workers": func(o *Options) { o.Lanes = 1000 },
		"--month":   func(o *Options) { o.Month = "(" },
	} {
		o := options(t, "x")
		change(&o)
		_, err := New(o)
		assert.ErrorContains(t, err, want)
	}
}

// TestClear checks that the output of another job is not mixed with that of a
// new one.
func TestClear(t *testing.T) {
	dir := t.TempDir()
	ctx := context.Background()
	require.NoError(t, Clear(ctx, dir, false))
	for _, name := range []string{shardName(FindingsName, 7, 9), shardName(FindingsName, 8, 9) + ".ba26e320.tmp", RefusedName, SummaryName, "mine.txt"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	require.ErrorContains(t, Clear(ctx, dir, false), "--overwrite")
	require.NoError(t, Clear(ctx, dir, true))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1)
}

// TestGroups checks by what findings are counted.
func TestGroups(t *testing.T) {
	dir := t.TempDir()
	text := read(t, filepath.Join("..", "..", "testdata", "recorded", "v0.4.2", "close_mid_code.chunks.jsonl"))
	for _, folder := range []string{"producer=a/2026-07", "producer=b/year=2026/month=08", "2026/09/03", "other"} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, folder), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, folder, "x.jsonl"), text, 0o600))
	}
	o := options(t, filepath.Join(dir, "**", "*.jsonl"))
	run(t, o)
	s, err := ReadSummary(context.Background(), o.Output)
	require.NoError(t, err)
	var groups []string
	for _, g := range s.Inputs {
		assert.Equal(t, GroupOfInputs{g.Group, 1, 1, 0, 10, int64(len(text))}, g)
		groups = append(groups, g.Producer+" "+g.Month)
	}
	assert.Equal(t, []string{" ", "a 2026-07", "b 2026-08", " 2026-09"}, groups)
	assert.Len(t, s.Rules, 4)
	assert.Equal(t, GroupOfFindings{"LMC202", "unclosed-block", "error", Group{"interpreter", "a", "2026-07"}, 1}, s.Rules[1])
}
