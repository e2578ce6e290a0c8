package feed_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/exhaustive"
	"github.com/lmclint/lmclint/internal/feed"
	"github.com/lmclint/lmclint/internal/linttest"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// linterFor returns a linter that decides as soon as possible.
func linterFor(c lint.Config) *lint.Linter {
	c.Immediate = true
	return linttest.MustNew(rules.All(), lint.WithConfig(c))
}

// streams of objects, as a guard pushes them.
var stream = linterFor(lint.Config{Protocol: "lmc", Kind: "stream", Form: "jsonl"})

// Whatever is pushed at a time, the findings are those of a run on the whole
// input, and so is the result.
func TestFindingsAreThoseOfTheWholeInput(t *testing.T) {
	var expected []string
	for _, folder := range []string{"core", "forms", "detect", "recorded", "workbench"} {
		found, err := filepath.Glob(filepath.Join("../../testdata", folder, "*/*.expect.json"))
		require.NoError(t, err)
		require.NotEmpty(t, found)
		expected = append(expected, found...)
	}
	for _, path := range exhaustive.Sample(expected, 150) {
		input := strings.TrimSuffix(path, ".expect.json")
		t.Run(input, func(t *testing.T) {
			text, err := os.ReadFile(input)
			require.NoError(t, err)
			linter := linterFor(optionsOf(t, path))
			for _, size := range []int{0, 1, 700} {
				if size != 1 || len(text) < 4<<10 {
					compareRuns(t, linter, text, size)
				}
			}
		})
	}
}

// optionsOf reads the options of a case of the suite that need no other file.
func optionsOf(t *testing.T, path string) lint.Config {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var expectation struct {
		Options struct {
			Protocol, Kind, Form, Dialect string
			AutoRun, Partial, AllowEmpty  bool
		}
	}
	require.NoError(t, json.Unmarshal(data, &expectation))
	o := expectation.Options
	return lint.Config{
		Protocol: o.Protocol, Kind: o.Kind, Form: o.Form, Dialect: o.Dialect,
		AutoRun: o.AutoRun, Partial: o.Partial, AllowEmpty: o.AllowEmpty,
	}
}

// compareRuns pushes a text in parts of a size, 0 means lines, and compares the
// findings with those of a run.
func compareRuns(t *testing.T, linter *lint.Linter, text []byte, size int) {
	t.Helper()
	var want []lint.Finding
	result, wantErr := linter.Run(t.Context(), "x", bytes.NewReader(text), func(f lint.Finding) error {
		want = append(want, f)
		return nil
	})
	var got []lint.Finding
	f := feed.New(linter, "x")
	for _, part := range partsOf(text, size) {
		findings, err := f.Push(part)
		got = append(got, findings...)
		if err != nil {
			break
		}
	}
	findings, gotResult, err := f.End()
	assert.Equal(t, want, append(got, findings...))
	assert.Equal(t, result, gotResult)
	assert.Equal(t, wantErr, err)
}

func partsOf(text []byte, size int) (parts [][]byte) {
	if size == 0 {
		return bytes.SplitAfter(text, []byte("\n"))
	}
	for len(text) > 0 {
		n := min(size, len(text))
		parts, text = append(parts, bytes.Clone(text[:n])), text[n:]
	}
	return parts
}

// A finding comes with the line that decides it, and not later.
func TestFindingsComeWithTheirRecord(t *testing.T) {
	f := feed.New(stream, "chunks")
	defer f.Close()
	for i, line := range []struct{ text, rules string }{
		{`{"role": "assistant", "type": "message", "start": true}`, ""},
		{`{"role": "assistant", "type": "message", "content": "a"}`, ""},
		{`{"role": "assistant", "type": "code", "format": "python", "start": true}`, "LMC202"},
		{`{"role": "assistant", "type": "code", "format": "python", "content": 1}`, "LMC109"},
		{`{"role": "assistant", "type": "code", "format": "python", "content": "1"}`, ""},
		{`[]`, "LMC004"},
	} {
		findings, err := f.Push([]byte(line.text + "\n"))
		require.NoError(t, err)
		var ids []string
		for _, found := range findings {
			ids = append(ids, found.Rule.ID)
			assert.Equal(t, i, found.Place.Record)
		}
		assert.Equal(t, line.rules, strings.Join(ids, " "), line.text)
	}
}

// What the caller does with a text that it pushed changes nothing.
func TestTextMayBeReused(t *testing.T) {
	f := feed.New(stream, "chunks")
	line := []byte(`{"role": "assistant", "type": "message", "content": 1}` + "\n")
	want := bytes.Clone(line[:len(line)-1])
	findings, err := f.Push(line)
	clear(line)
	require.NoError(t, err)
	require.NotEmpty(t, findings)
	assert.Equal(t, string(want), findings[0].Place.Excerpt.Text)
	_, _, err = f.End()
	assert.NoError(t, err)
}

func TestEndedFeedTakesNothing(t *testing.T) {
	f := feed.New(stream, "chunks")
	_, result, err := f.End()
	require.NoError(t, err)
	assert.Equal(t, "chunks", result.Path)
	_, err = f.Push([]byte("{}\n"))
	require.ErrorIs(t, err, feed.ErrEnded)
	_, again, err := f.End()
	require.ErrorIs(t, err, feed.ErrEnded)
	assert.Equal(t, result, again)
	f.Close()
	f.Close()
}

// An input of another protocol is an error, which stays.
func TestUnknownInput(t *testing.T) {
	f := feed.New(linterFor(lint.Config{}), "chunks")
	_, err := f.Push([]byte(strings.Repeat(`{"jsonrpc": "2.0", "method": "ping", "id": 1}`+"\n", 2000)))
	var unknown *lint.UnknownInputError
	require.ErrorAs(t, err, &unknown)
	_, again := f.Push([]byte("{}\n"))
	assert.Equal(t, err, again)
	_, _, again = f.End()
	assert.Equal(t, err, again)
}

// A rule that panics is an error of the feed.
func TestPanicOfARule(t *testing.T) {
	broken := *rules.All()[0]
	broken.New = func(*lint.Pass) []lint.Hook { panic("out of order") }
	linter, err := lint.New(append([]*lint.Rule{&broken}, rules.All()[1:]...),
		lint.WithConfig(lint.Config{Protocol: "lmc", Kind: "stream", Immediate: true}))
	require.NoError(t, err)
	f := feed.New(linter, "chunks")
	_, err = f.Push([]byte(`{"role": "assistant", "type": "message", "content": "a"}` + "\n"))
	_, _, end := f.End()
	var p *lint.PanicError
	assert.ErrorAs(t, errors.Join(err, end), &p)
}

// Ten thousand feeds leave no coroutine, however they are left.
func TestFeedsLeaveNothing(t *testing.T) {
	before := runtime.NumGoroutine()
	text := []byte(`{"role": "assistant", "type": "message", "start": true}` + "\n")
	for i := range 10_000 {
		f := feed.New(stream, "chunks")
		if i%4 > 0 {
			_, err := f.Push(text)
			require.NoError(t, err)
		}
		if i%4 < 3 {
			_, _, err := f.End()
			require.NoError(t, err)
		}
		f.Close()
	}
	assert.LessOrEqual(t, runtime.NumGoroutine(), before)
}
