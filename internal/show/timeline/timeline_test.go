package timeline_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/show/timeline"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// observe lints a text and returns its recording with the pins of all findings.
func observe(t *testing.T, config lint.Config, name, text string) (*timeline.Recording, []lint.Finding) {
	t.Helper()
	linter := linttest.MustNew(rules.All(), lint.WithConfig(config), lint.WithObserver(timeline.Observe))
	var findings []lint.Finding
	result, err := linter.Run(context.Background(), name, strings.NewReader(text), func(f lint.Finding) error {
		findings = append(findings, f)
		return nil
	})
	var unknown *lint.UnknownInputError
	if err != nil {
		require.ErrorAs(t, err, &unknown)
	}
	recording := timeline.Of(result)
	require.NotNil(t, recording)
	for i := range findings {
		recording.Add(&findings[i])
	}
	return recording, findings
}

// draw writes a view in words, a line for each bar, mark and pin.
func draw(r *timeline.Recording) string {
	var b strings.Builder
	for _, c := range r.Conversations {
		fmt.Fprintf(&b, "%s %s of %d\n", c.Protocol, c.Kind, c.Records)
		for _, bar := range c.Bars {
			fmt.Fprintf(&b, "%s %d-%d %s %s", c.Lanes[bar.Lane], bar.First, bar.Last, bar.Type, bar.Format)
			for i, name := range timeline.StateNames() {
				if bar.State&(1<<i) != 0 {
					b.WriteString(" " + name)
				}
			}
			if bar.Content != nil {
				fmt.Fprintf(&b, " %q", bar.Content.Head)
			}
			b.WriteByte('\n')
		}
		for _, m := range c.Marks {
			fmt.Fprintf(&b, "%s %d %s %q %d\n", c.Lanes[m.Lane], m.Record, m.Kind, m.Label, m.Code)
		}
		for _, p := range c.Pins {
			fmt.Fprintf(&b, "%s %d %s %v\n", c.Lanes[p.Lane], p.Record, p.Rule, p.Related)
		}
	}
	return b.String()
}

func TestViews(t *testing.T) {
	const unconfirmed = `{"role": "assistant", "type": "code", "format": "python", "start": true}
{"role": "assistant", "type": "code", "format": "python", "content": "print"}
{"role": "assistant", "type": "code", "format": "python", "content": "(1)"}
{"role": "assistant", "type": "code", "format": "python", "end": true}
{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "active_line", "content": 1}
{"role": "computer", "type": "console", "format": "output", "content": "1\n"}
{"role": "computer", "type": "console", "format": "active_line", "content": null}
{"role": "computer", "type": "console", "end": true}
`
	const confirmation = `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "print(1)"}}
`
	lines := strings.SplitAfter(unconfirmed, "\n")
	tests := map[string]struct {
		config lint.Config
		input  string
		want   string
	}{
		"unconfirmed": {lint.Config{Dialect: "interpreter"}, unconfirmed, `lmc stream of 9
assistant 0-3 code python unconfirmed "print(1)"
computer 4-8 console  "1\n"
computer 4 LMC301 [{0 0}]
`},
		"auto-run is no anomaly": {lint.Config{Dialect: "interpreter", AutoRun: true}, unconfirmed, `lmc stream of 9
assistant 0-3 code python "print(1)"
computer 4-8 console  "1\n"
`},
		"confirmed": {lint.Config{}, strings.Join(lines[:4], "") + confirmation + strings.Join(lines[4:], ""), `lmc stream of 10
assistant 0-3 code python "print(1)"
computer 5-9 console  "1\n"
computer 4 confirmation "python" 0
`},
		"open at the end": {lint.Config{}, strings.Join(lines[:3], ""), `lmc stream of 3
assistant 0-2 code python open "print(1)"
assistant 2 LMC203 [{0 0}]
`},
		"cut by another start": {lint.Config{}, `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hello"}
{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "again"}
{"role": "assistant", "type": "message", "end": true}
`, `lmc stream of 5
assistant 0-1 message  cut "Hello"
assistant 2-4 message  "again"
assistant 2 LMC202 [{0 0}]
`},
		"cut, and resumed": {lint.Config{}, `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "a"}
{"role": "assistant", "type": "code", "format": "text", "start": true}
{"role": "assistant", "type": "code", "format": "text", "content": "x"}
{"role": "assistant", "type": "code", "format": "text", "end": true}
{"role": "assistant", "type": "message", "content": "b"}
{"role": "assistant", "type": "message", "content": "c"}
{"role": "assistant", "type": "message", "end": true}
`, `lmc stream of 8
assistant 0-1 message  cut "a"
assistant 2-4 code text "x"
assistant 5-7 message  startless "bc"
assistant 2 LMC202 [{0 0}]
`},
		"interleaved": {lint.Config{}, `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "a"}
{"role": "assistant", "type": "code", "format": "text", "start": true}
{"role": "assistant", "type": "code", "format": "text", "content": "x"}
{"role": "assistant", "type": "message", "content": "b"}
{"role": "assistant", "type": "code", "format": "text", "content": "y"}
{"role": "assistant", "type": "code", "format": "text", "end": true}
{"role": "assistant", "type": "message", "end": true}
`, `lmc stream of 8
assistant 0-1 message  cut "a"
assistant 2-3 code text cut "x"
assistant 4-4 message  cut startless "b"
assistant 5-6 code text startless "y"
assistant 2 LMC202 [{0 0}]
`},
		"empty, and without a start": {lint.Config{}, `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "end": true}
{"role": "computer", "type": "console", "format": "output", "content": "x"}
{"role": "computer", "type": "console", "end": true}
`, `lmc stream of 4
assistant 0-1 message  empty
computer 2-3 console output startless "x"
assistant 0 LMC207 []
computer 2 LMC201 []
`},
		"replaced reasoning": {lint.Config{}, `{"role": "assistant", "type": "message", "format": "reasoning", "start": true}
{"role": "assistant", "type": "message", "format": "reasoning", "content": "a draft"}
{"role": "assistant", "type": "message", "format": "reasoning", "content": "Thinking", "replace": true}
{"role": "assistant", "type": "message", "format": "reasoning", "end": true}
`, `lmc stream of 4
assistant 0-3 message reasoning "Thinking"
`},
		"a character in two chunks": {lint.Config{}, `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "a\ud83d"}
{"role": "assistant", "type": "message", "content": "\ude00"}
{"role": "assistant", "type": "message", "end": true}
`, `lmc stream of 4
assistant 0-3 message  "a😀"
assistant 1 LMC007 []
assistant 2 LMC007 []
`},
		"transcript": {lint.Config{}, `[{"role": "user", "type": "message", "content": "Hi"},
{"role": "assistant", "type": "code", "format": "python", "content": "1"},
{"role": "computer", "type": "console", "format": "output", "content": ""}]`, `lmc transcript of 3
user 0-0 message  stored "Hi"
assistant 1-1 code python stored "1"
computer 2-2 console output empty stored
`},
		"session": {lint.Config{}, `{"time": "2026-01-01T00:00:00Z", "dir": "send", "frame": {"role": "user", "start": true}}
{"time": "2026-01-01T00:00:01Z", "dir": "send", "frame": {"role": "user", "type": "message", "content": "Hi"}}
{"time": "2026-01-01T00:00:02Z", "dir": "send", "frame": {"role": "user", "end": true}}
{"time": "2026-01-01T00:00:03Z", "dir": "recv", "frame": {"role": "assistant", "type": "message", "start": true}}
{"time": "2026-01-01T00:00:04Z", "dir": "recv", "frame": {"role": "assistant", "type": "message", "content": "Hello"}}
{"time": "2026-01-01T00:00:05Z", "dir": "recv", "frame": {"role": "assistant", "type": "message", "end": true}}
{"time": "2026-01-01T00:00:06Z", "dir": "recv", "frame": {"role": "server", "type": "status", "content": "complete"}}
{"time": "2026-01-01T00:00:07Z", "dir": "send", "frame": {"role": "user", "type": "command", "start": true}}
{"time": "2026-01-01T00:00:08Z", "dir": "send", "frame": {"role": "user", "type": "command", "content": "go"}}
{"time": "2026-01-01T00:00:09Z", "dir": "send", "frame": {"role": "user", "type": "command", "end": true}}
`, `lmc session of 10
user 0-2 message  "Hi"
assistant 3-5 message  "Hello"
server 6 status "complete" -1
user 7 command "go" -1
user 9 LMC601 []
`},
		"several conversations": {lint.Config{}, `[{"role": "user", "type": "message", "content": "a"}]
[{"role": "user", "type": "message", "content": " "}]
`, `lmc transcript of 1
user 0-0 message  stored "a"
lmc transcript of 1
user 0-0 message  stored " "
user 0 LMC505 []
`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r, _ := observe(t, test.config, "in.jsonl", test.input)
			assert.Equal(t, test.want, draw(r))
		})
	}
}

func TestTimes(t *testing.T) {
	const message = `{"role": "user", "type": "message", "content": "a", "created_at": %s}`
	for _, times := range [][2]string{
		{`1700000000`, `1700000002.5`},
		{`1700000000000`, `1700000002500`},
		{`"2023-11-14T22:13:20Z"`, `"2023-11-14T22:13:22.5Z"`},
		{`"2023-11-14T22:13:20"`, `"2023-11-14 22:13:22.5"`},
	} {
		r, _ := observe(t, lint.Config{}, "in.json", "["+fmt.Sprintf(message, times[0])+","+fmt.Sprintf(message, times[1])+"]")
		c := r.Conversations[0]
		assert.True(t, c.Timed)
		assert.Equal(t, int64(1700000000000), c.Bars[0].Start)
		assert.Equal(t, int64(1700000002500), c.Bars[1].End)
	}
	r, _ := observe(t, lint.Config{}, "in.json", "["+fmt.Sprintf(message, `5`)+","+fmt.Sprintf(message, `"soon"`)+"]")
	assert.False(t, r.Conversations[0].Timed)
}

// TestObserverChangesNoFinding lints the whole conformance suite with and without
// an observer, and checks what every view must be.
func TestObserverChangesNoFinding(t *testing.T) {
	observed := linttest.MustNew(rules.All(), lint.WithObserver(timeline.Observe))
	plain := linttest.MustNew(rules.All())
	var files []string
	for _, folder := range []string{"core", "forms", "detect", "recorded", "workbench"} {
		err := filepath.WalkDir(filepath.Join("../../../testdata", folder), func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && !strings.HasSuffix(path, ".expect.json") && !strings.HasSuffix(path, ".md") {
				files = append(files, path)
			}
			return err
		})
		require.NoError(t, err)
	}
	require.Greater(t, len(files), 500)
	for _, path := range exhaustive.Sample(files, 200) {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		var want, got []lint.Finding
		_, wantErr := plain.Run(context.Background(), path, bytes.NewReader(data), func(f lint.Finding) error { want = append(want, f); return nil })
		result, gotErr := observed.Run(context.Background(), path, bytes.NewReader(data), func(f lint.Finding) error { got = append(got, f); return nil })
		assert.Equal(t, wantErr, gotErr, path)
		assert.Equal(t, want, got, path)
		checkView(t, path, timeline.Of(result), got)
	}
}

// checkView checks what holds of every view.
func checkView(t *testing.T, path string, r *timeline.Recording, findings []lint.Finding) {
	t.Helper()
	for i := range findings {
		c, pin := r.Add(&findings[i])
		if findings[i].Path == path {
			require.NotNil(t, c, path)
			assert.Less(t, pin.Lane, len(c.Lanes), path)
		}
	}
	for _, c := range r.Conversations {
		first := 0
		for _, b := range c.Bars {
			assert.LessOrEqual(t, first, b.First, path)
			assert.LessOrEqual(t, b.First, b.Last, path)
			assert.Less(t, b.Last, c.Records, path)
			assert.Less(t, b.Lane, len(c.Lanes), path)
			if b.Content != nil {
				assert.True(t, utf8.ValidString(b.Content.Head+b.Content.Tail), path)
			}
			first = b.First
		}
		for _, m := range c.Marks {
			assert.Less(t, m.Record, c.Records, path)
			assert.Less(t, m.Lane, len(c.Lanes), path)
		}
		for _, e := range c.Excerpts {
			assert.True(t, utf8.ValidString(e.Valid()), path)
		}
	}
}

func TestExcerptsAreMarked(t *testing.T) {
	input := `{"role": "user", "type": "message", "content": "é😀"}
{"role": "user", "type": "massage", "content": "b"}
`
	r, findings := observe(t, lint.Config{Kind: "transcript"}, "in.jsonl", input)
	require.NotEmpty(t, findings)
	c := r.Conversations[0]
	require.Len(t, c.Excerpts, 2)
	from, to, ok := c.Excerpts[1].Mark(findings[0].Place.Span)
	require.True(t, ok)
	assert.Equal(t, `"massage"`, c.Excerpts[1].Text[from:to])
}

func TestLargeContentIsCut(t *testing.T) {
	text := strings.Repeat("0123456789", 100_000)
	r, _ := observe(t, lint.Config{}, "in.json", `[{"role": "user", "type": "message", "content": "start `+text+` end"}]`)
	c := r.Conversations[0].Bars[0].Content
	assert.True(t, strings.HasPrefix(c.Head, "start 0123"))
	assert.True(t, strings.HasSuffix(c.Tail, "789 end"))
	assert.Equal(t, int64(len("start ")+len(text)+len(" end")), int64(len(c.Head)+len(c.Tail))+c.Omitted)
	assert.Less(t, len(c.Head)+len(c.Tail), 20_000)
}

func TestImages(t *testing.T) {
	var file bytes.Buffer
	require.NoError(t, png.Encode(&file, image.NewGray(image.Rect(0, 0, 3, 2))))
	valid := base64.StdEncoding.EncodeToString(file.Bytes())
	view := func(format, content string) *timeline.Content {
		r, _ := observe(t, lint.Config{}, "in.json", `[{"role": "user", "type": "image", "format": "`+format+`", "content": "`+content+`"}]`)
		return r.Conversations[0].Bars[0].Content
	}
	assert.Equal(t, &timeline.Content{Image: valid, MediaType: "image/png"}, view("base64.png", valid))
	assert.Equal(t, valid, view("base64.png", valid+`\n`).Image)
	for _, broken := range []string{valid[:len(valid)-8], valid + valid, "AAAA" + valid, "PHN2Zz48L3N2Zz4=", valid[:20]} {
		assert.Empty(t, view("base64.png", broken).Image)
	}
	assert.Equal(t, "a.png", view("path", "a.png").Head)
}

// TestMemoryIsBounded follows a stream that is far larger than what is kept.
func TestMemoryIsBounded(t *testing.T) {
	const times = timeline.MaxBars * 5 / 8 // two blocks each
	blocks := strings.Repeat(`{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "some words of a message that are kept for a while"}
{"role": "assistant", "type": "message", "end": true}
{"role": "assistant", "type": "message", "content": "stray"}
`, times)
	r, _ := observe(t, lint.Config{Kind: "stream"}, "in.jsonl", blocks)
	c := r.Conversations[0]
	assert.LessOrEqual(t, len(c.Bars), timeline.MaxBars)
	assert.Zero(t, r.NotDrawn)
	blocksDrawn := 0
	for i, b := range c.Bars {
		blocksDrawn += max(1, b.Count)
		if i > 0 && c.Bars[i-1].Last >= b.First {
			t.Fatalf("bar %d ends at %d, the next begins at %d", i-1, c.Bars[i-1].Last, b.First)
		}
	}
	assert.Equal(t, 2*times, blocksDrawn, "neighbors are merged, and counted")
	assert.Equal(t, 4*times-1, c.Bars[len(c.Bars)-1].Last, "the timeline is filled to its end")
	inDensity := 0
	for _, counts := range c.Density.Counts {
		inDensity += counts[0] + counts[1] + counts[2]
	}
	assert.Equal(t, []int{times, times}, []int{inDensity, c.Density.Total})
	size := 0
	for _, b := range c.Bars {
		if b.Content != nil {
			size += len(b.Content.Head) + len(b.Content.Tail)
		}
	}
	assert.Less(t, size, 8<<20)
	runtime.KeepAlive(r)
}

func TestManyConversations(t *testing.T) {
	input := strings.Repeat(`[{"role": "user", "type": "message", "content": "a"}]`+"\n", 5000) + `[{"role": "user", "type": "message", "content": " "}]` + "\n"
	r, findings := observe(t, lint.Config{}, "in.jsonl", input)
	require.Len(t, findings, 1)
	assert.Len(t, r.Conversations, timeline.MaxConversations+1)
	assert.Equal(t, 3000, r.LeftOut)
	assert.Equal(t, 5000, r.Conversations[timeline.MaxConversations].Number)
	assert.Len(t, r.Conversations[timeline.MaxConversations].Pins, 1)
}

// A record whose events are decided later has its own time.
func TestTimesOfLateEvents(t *testing.T) {
	recording, _ := observe(t, lint.Config{}, "session.jsonl", `{"dir": "send", "time": "2025-01-01T10:00:00Z", "frame": {"role": "user", "start": true}}
{"dir": "send", "time": "2025-01-01T10:00:01Z", "frame": {"role": "user", "type": "message", "content": "Hi"}}
{"dir": "send", "time": "2025-01-01T10:00:02Z", "frame": {"role": "user", "end": true}}
{"dir": "recv", "time": "2025-01-01T10:01:10Z", "frame": {"role": "assistant", "type": "message", "content": "x", "start": true, "end": true}}
{"dir": "recv", "time": "2025-01-01T10:01:20Z", "frame": {"role": "server", "type": "status", "content": "complete"}}
`)
	bars := recording.Conversations[0].Bars
	require.Len(t, bars, 2)
	assert.Equal(t, int64(2000), bars[0].End-bars[0].Start)
	assert.Equal(t, int64(70_000), bars[1].Start-bars[0].Start)
}
