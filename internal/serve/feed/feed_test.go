package feed_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/serve/feed"
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
		found, err := filepath.Glob(filepath.Join("../../../testdata", folder, "*/*.expect.json"))
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

// collecting is a feed with the findings that it emitted.
type collecting struct {
	*feed.Feed
	findings []lint.Finding
}

func newFeed(linter *lint.Linter) *collecting {
	f := &collecting{}
	f.Feed = feed.New(context.Background(), linter, "x", func(found lint.Finding) error {
		f.findings = append(f.findings, found)
		return nil
	}, nil)
	return f
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
	f := newFeed(linter)
	for _, part := range partsOf(text, size) {
		if f.Push(part) != nil {
			break
		}
	}
	gotResult, err := f.End()
	assert.Equal(t, want, f.findings)
	assert.Equal(t, result, gotResult)
	assert.Equal(t, wantErr, err)
}

// A large element of a list that is not closed is checked when it has arrived, although the
// records before it are known.
func TestLargeElement(t *testing.T) {
	linter := linttest.MustNew(rules.All(), lint.WithConfig(lint.Config{Kind: "transcript", Dialect: "interpreter"}))
	f := newFeed(linter)
	defer func() { _, _ = f.Close() }()
	message := `{"role": "user", "type": "message", "content": "Hi"},` + "\n"
	large := strings.Replace(message, "Hi", strings.Repeat("x", 150_000)+`\u001b[0m`, 1)
	for _, line := range []string{"[\n", message, message, large} {
		require.Empty(t, f.findings)
		require.NoError(t, f.Push([]byte(line)))
	}
	require.Len(t, f.findings, 1)
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
	f := newFeed(stream)
	defer func() { _, _ = f.Close() }()
	for i, line := range []struct{ text, rules string }{
		{`{"role": "assistant", "type": "message", "start": true}`, ""},
		{`{"role": "assistant", "type": "message", "content": "a"}`, ""},
		{`{"role": "assistant", "type": "code", "format": "python", "start": true}`, "LMC202"},
		{`{"role": "assistant", "type": "code", "format": "python", "content": 1}`, "LMC109"},
		{`{"role": "assistant", "type": "code", "format": "python", "content": "1"}`, ""},
		{`[]`, "LMC004"},
	} {
		f.findings = nil
		require.NoError(t, f.Push([]byte(line.text+"\n")))
		var ids []string
		for _, found := range f.findings {
			ids = append(ids, found.Rule.ID)
			assert.Equal(t, i, found.Place.Record)
		}
		assert.Equal(t, line.rules, strings.Join(ids, " "), line.text)
	}
}

// What the caller does with a text that it pushed changes nothing.
func TestTextMayBeReused(t *testing.T) {
	f := newFeed(stream)
	line := []byte(`{"role": "assistant", "type": "message", "content": 1}` + "\n")
	want := bytes.Clone(line[:len(line)-1])
	require.NoError(t, f.Push(line))
	clear(line)
	require.NotEmpty(t, f.findings)
	assert.Equal(t, string(want), f.findings[0].Place.Excerpt.Text)
	_, err := f.End()
	assert.NoError(t, err)
}

func TestEndedFeedTakesNothing(t *testing.T) {
	f := newFeed(stream)
	result, err := f.End()
	require.NoError(t, err)
	assert.Equal(t, "x", result.Path)
	require.ErrorIs(t, f.Push([]byte("{}\n")), feed.ErrEnded)
	again, err := f.End()
	require.ErrorIs(t, err, feed.ErrEnded)
	assert.Equal(t, result, again)
	for range 2 {
		again, err = f.Close()
		require.NoError(t, err)
		assert.Equal(t, result, again)
	}
}

// An error of emit ends the linter.
func TestEmitEndsTheLinter(t *testing.T) {
	failed := errors.New("enough")
	f := feed.New(t.Context(), stream, "x", func(lint.Finding) error { return failed }, nil)
	require.ErrorIs(t, f.Push([]byte("1\n2\n")), failed)
	result, err := f.End()
	require.ErrorIs(t, err, failed)
	assert.Equal(t, 1, result.Errors)
}

// An input of another protocol is an error, which stays.
func TestUnknownInput(t *testing.T) {
	f := newFeed(linterFor(lint.Config{}))
	err := f.Push([]byte(strings.Repeat(`{"jsonrpc": "2.0", "method": "ping", "id": 1}`+"\n", 2000)))
	var unknown *lint.UnknownInputError
	require.ErrorAs(t, err, &unknown)
	assert.Equal(t, err, f.Push([]byte("{}\n")))
	_, again := f.End()
	assert.Equal(t, err, again)
}

// A rule that panics is an error of the feed.
func TestPanicOfARule(t *testing.T) {
	broken := *rules.All()[0]
	broken.New = func(*lint.Pass) []lint.Hook { panic("out of order") }
	linter, err := lint.New(append([]*lint.Rule{&broken}, rules.All()[1:]...),
		lint.WithConfig(lint.Config{Protocol: "lmc", Kind: "stream", Immediate: true}))
	require.NoError(t, err)
	f := newFeed(linter)
	err = f.Push([]byte(`{"role": "assistant", "type": "message", "content": "a"}` + "\n"))
	_, end := f.End()
	var p *lint.PanicError
	assert.ErrorAs(t, errors.Join(err, end), &p)
}

// Ten thousand feeds leave no coroutine, however they are left.
func TestFeedsLeaveNothing(t *testing.T) {
	before := runtime.NumGoroutine()
	text := []byte(`{"role": "assistant", "type": "message", "start": true}` + "\n")
	for i := range 10_000 {
		f := newFeed(stream)
		if i%4 > 0 {
			require.NoError(t, f.Push(text))
		}
		if i%4 < 3 {
			_, err := f.End()
			require.NoError(t, err)
		}
		_, err := f.Close()
		require.NoError(t, err)
	}
	assert.LessOrEqual(t, runtime.NumGoroutine(), before)
}
