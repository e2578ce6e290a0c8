package page_test

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/generated"
	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/show/page"
	"github.com/lmclint/lmclint/internal/show/timeline"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
	"github.com/lmclint/lmclint/rules"
)

// observe lints a text and returns its first conversation with the pins of all
// findings.
func observe(t testing.TB, config lint.Config, text string) *timeline.Conversation {
	t.Helper()
	linter := linttest.MustNew(rules.All(), lint.WithConfig(config), lint.WithObserver(timeline.Observe))
	var findings []lint.Finding
	result, err := linter.Run(context.Background(), "a", strings.NewReader(text), func(f lint.Finding) error {
		findings = append(findings, f)
		return nil
	})
	require.NoError(t, err)
	recording := timeline.Of(result)
	for i := range findings {
		recording.Add(&findings[i])
	}
	require.NotEmpty(t, recording.Conversations)
	return recording.Conversations[0]
}

func block(role, kind, format string, contents ...string) string {
	head := fmt.Sprintf(`"role": %q, "type": %q`, role, kind)
	if format != "" {
		head += fmt.Sprintf(`, "format": %q`, format)
	}
	text := "{" + head + `, "start": true}` + "\n"
	for _, c := range contents {
		text += "{" + head + fmt.Sprintf(`, "content": %q`, c) + "}\n"
	}
	return text + "{" + head + `, "end": true}` + "\n"
}

const (
	confirmation = `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "1"}}` + "\n"
	output       = `{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "output", "content": "1"}
{"role": "computer", "type": "console", "end": true}
`
)

func withoutLast(text string) string {
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	return strings.Join(lines[:len(lines)-1], "")
}

// drawn are recordings that together have every state and mark.
func drawn(t testing.TB) map[string]*timeline.Conversation {
	stream := lint.Config{Kind: "stream", Dialect: "interpreter"}
	session := `{"dir": "send", "time": "2025-01-01T10:00:00Z", "frame": {"auth": "key"}}
{"dir": "recv", "time": "2025-01-01T10:00:00.5Z", "frame": {"auth": true}}
{"dir": "send", "time": "2025-01-01T10:00:01Z", "frame": {"role": "user", "start": true}}
{"dir": "send", "time": "2025-01-01T10:00:01Z", "frame": {"role": "user", "type": "message", "content": "Hi"}}
{"dir": "send", "time": "2025-01-01T10:00:02Z", "frame": {"role": "user", "end": true}}
{"dir": "recv", "time": "2025-01-01T10:00:10Z", "frame": {"role": "assistant", "type": "message", "start": true}}
{"dir": "recv", "time": "2025-01-01T10:00:30Z", "frame": {"role": "assistant", "type": "message", "content": "Hello"}}
{"dir": "recv", "time": "2025-01-01T10:00:50Z", "frame": {"role": "assistant", "type": "message", "end": true}}
{"dir": "recv", "time": "2025-01-01T10:01:00Z", "frame": {"role": "server", "type": "status", "content": "complete"}}
{"dir": "send", "time": "2025-01-01T10:01:10Z", "frame": {"role": "user", "type": "command", "start": true}}
{"dir": "send", "time": "2025-01-01T10:01:10Z", "frame": {"role": "user", "type": "command", "content": "stop"}}
{"dir": "send", "time": "2025-01-01T10:01:10Z", "frame": {"role": "user", "type": "command", "end": true}}
`
	var long strings.Builder
	for i := range 2000 {
		long.WriteString(block("assistant", "message", "", strings.Repeat("a", i%7+1)))
		text := block("assistant", "code", "python", "1")
		switch {
		case i%500 == 250:
			text += output // not confirmed
		case i%700 == 350:
			text = withoutLast(text) + confirmation + output
		default:
			text += confirmation + output
		}
		long.WriteString(text)
	}
	return map[string]*timeline.Conversation{
		"healthy": observe(t, stream, block("assistant", "message", "", "Hi", "!")+block("assistant", "code", "python", "1")+confirmation+output),
		"states": observe(t, stream, withoutLast(block("assistant", "message", "", "Hi"))+block("assistant", "code", "python", "1")+output+
			block("assistant", "message", "")+`{"role": "assistant", "type": "message", "content": "x"}`+"\n"+withoutLast(block("assistant", "message", "", "x"))),
		"interleaved": observe(t, stream, `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "code", "format": "shell", "start": true}
{"role": "assistant", "type": "message", "content": "Let me"}
{"role": "assistant", "type": "code", "format": "shell", "content": "ls"}
{"role": "assistant", "type": "message", "end": true}
{"role": "assistant", "type": "code", "format": "shell", "end": true}
`),
		"transcript": observe(t, lint.Config{}, `[{"role": "user", "type": "message", "content": "Hi"}, {"role": "assistant", "type": "code", "format": "python", "content": "1"},
 {"role": "computer", "type": "console", "format": "output", "content": "1"}, {"role": "日本語の役割の名前です", "type": "message", "content": ""}]`),
		"session": observe(t, lint.Config{Kind: "session"}, session),
		"long":    observe(t, stream, long.String()),
	}
}

func TestDrawings(t *testing.T) {
	for name, c := range drawn(t) {
		for look, options := range map[string]page.Terminal{
			"60": {Width: 60}, "80": {Width: 80}, "120": {Width: 120}, "ascii": {Width: 80, ASCII: true}, "time": {Width: 80, ByTime: true},
			"color": {Width: 80, Color: true},
		} {
			if look == "time" && !c.Timed {
				continue
			}
			options.Escape = report.EscapeControls
			golden(t, name+"-"+look+".text", options.Draw(c))
		}
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	generated.Expected(t, filepath.Join("testdata", name), got)
}

// Each finding has its pin, however narrow the drawing is: the pins of a severity
// add up.
func TestNoPinIsLost(t *testing.T) {
	row := regexp.MustCompile(`(?m)^ *(error|warning|note)s \|(.*)$`)
	for name, c := range drawn(t) {
		want := map[string]int{}
		for _, p := range c.Pins {
			want[p.Severity.String()]++
		}
		for width := page.MinWidth; width < 200; width += 7 {
			got, atLeast := map[string]int{}, false
			for _, m := range row.FindAllStringSubmatch(string(page.Terminal{Width: width, ASCII: true}.Draw(c)), -1) {
				for _, sign := range strings.TrimSpace(m[2]) {
					n := 0
					switch sign {
					case '^':
						n = 1
					case ' ':
					case '+':
						n, atLeast = 10, true
					default:
						var err error
						n, err = strconv.Atoi(string(sign))
						require.NoError(t, err, name)
					}
					got[m[1]] += n
				}
			}
			if atLeast {
				for severity, n := range want {
					assert.LessOrEqual(t, got[severity], n)
					assert.Positive(t, got[severity])
				}
				continue
			}
			assert.Equal(t, want, got, "%s at %d", name, width)
		}
	}
}

func TestDrawingsFit(t *testing.T) {
	for name, c := range drawn(t) {
		for width := 0; width < 150; width += 3 {
			for _, look := range []page.Terminal{{Width: width}, {Width: width, ASCII: true}, {Width: width, ByTime: true}} {
				out := string(look.Draw(c))
				for line := range strings.Lines(out) {
					line = strings.TrimRight(line, "\n")
					assert.LessOrEqual(t, runewidth.StringWidth(line), max(width, page.MinWidth), "%s: %s", name, line)
					assert.Equal(t, strings.TrimRight(line, " "), line)
				}
				if look.ASCII {
					assert.Len(t, out, utf8.RuneCountInString(out), "%s has more than ASCII", name)
				}
			}
		}
	}
}

// What comes from a recording does not control the terminal.
func TestNamesAreEscaped(t *testing.T) {
	c := observe(t, lint.Config{Kind: "stream"}, block("\x1b[2Jevil\u202e", "m\x1b]0;x\a", "\u009b31m", "x")+block("user", "message", "", "x"))
	out := string(page.Terminal{Width: 120, Escape: report.EscapeControls}.Draw(c))
	for _, raw := range []string{"\x1b", "\a", "\u202e", "\u009b"} {
		assert.NotContains(t, out, raw)
	}
}

func BenchmarkDraw(b *testing.B) {
	c := drawn(b)["long"]
	b.ReportAllocs()
	for b.Loop() {
		page.Terminal{Width: 100}.Draw(c)
	}
}
