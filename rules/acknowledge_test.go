package rules_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/linttest"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// exchanged is a frame of a session.
type exchanged struct{ dir, frame string }

// resending is how a recording of a session looks in acknowledge mode. The
// server repeats a frame until its id is acknowledged.
var resending = map[string]func(random *rand.Rand, log []exchanged) []exchanged{
	"each frame twice": func(_ *rand.Rand, log []exchanged) []exchanged { return repeated(log, func() int { return 1 }) },
	"some frames often": func(r *rand.Rand, log []exchanged) []exchanged {
		return repeated(log, func() int { return max(0, r.IntN(9)-4) })
	},
	"late frames": func(r *rand.Rand, log []exchanged) []exchanged {
		return moved(r, repeated(log, func() int { return r.IntN(2) }), func(f exchanged) bool { return f.dir == "again" && !strings.Contains(f.frame, `"complete"`) })
	},
	"late acknowledgements": func(r *rand.Rand, log []exchanged) []exchanged {
		return moved(r, log, func(f exchanged) bool { return strings.HasPrefix(f.frame, `{"ack"`) })
	},
	"acknowledgements twice": func(r *rand.Rand, log []exchanged) []exchanged {
		var all []exchanged
		for _, f := range log {
			all = append(all, f)
			if strings.HasPrefix(f.frame, `{"ack"`) {
				all = append(all, f)
			}
		}
		return all
	},
}

// repeated repeats each frame with an id some times.
func repeated(log []exchanged, times func() int) (all []exchanged) {
	for _, f := range log {
		all = append(all, f)
		if strings.Contains(f.frame, `"id": `) {
			for range times() {
				all = append(all, exchanged{"again", f.frame})
			}
		}
	}
	return all
}

// moved puts some frames up to five frames later.
func moved(random *rand.Rand, log []exchanged, which func(exchanged) bool) []exchanged {
	for i := len(log) - 1; i >= 0; i-- {
		if !which(log[i]) {
			continue
		}
		for j := range min(random.IntN(6), len(log)-1-i) {
			log[i+j], log[i+j+1] = log[i+j+1], log[i+j]
		}
	}
	return log
}

// acknowledging gives the frames of the server ids, which the client sends back.
// All frames that complete a response have one id.
func acknowledging(lines []string) (log []exchanged) {
	for i, line := range lines {
		var entry struct {
			Dir   string          `json:"dir"`
			Frame json.RawMessage `json:"frame"`
		}
		if json.Unmarshal([]byte(line), &entry) != nil || len(entry.Frame) == 0 || entry.Frame[0] != '{' {
			return nil
		}
		frame, id := string(entry.Frame), fmt.Sprintf("id%d", i)
		if strings.Contains(frame, `"complete"`) {
			id = "done"
		}
		if entry.Dir != "recv" || strings.Contains(frame, `"auth"`) || strings.Contains(frame, `"id"`) {
			log = append(log, exchanged{entry.Dir, frame})
			continue
		}
		log = append(log, exchanged{"recv", fmt.Sprintf(`%s, "id": %q}`, strings.TrimSuffix(frame, "}"), id)})
		log = append(log, exchanged{"send", fmt.Sprintf(`{"ack": %q}`, id)})
	}
	return log
}

// recordedAs writes the frames of a session as a recording has them.
var recordedAs = map[string]func(log []exchanged) string{
	"both sides": func(log []exchanged) string {
		return written(log, func(f exchanged) string {
			return fmt.Sprintf(`{"dir": %q, "frame": %s}`+"\n", strings.Replace(f.dir, "again", "recv", 1), f.frame)
		})
	},
	"lines":  func(log []exchanged) string { return received(log, "", "%s\n", "") },
	"events": func(log []exchanged) string { return received(log, "", "data: %s\n\n", "") },
}

func written(log []exchanged, write func(exchanged) string) string {
	var out strings.Builder
	for _, f := range log {
		out.WriteString(write(f))
	}
	return out.String()
}

// received writes the frames of the server.
func received(log []exchanged, before, format, after string) string {
	return before + written(log, func(f exchanged) string {
		if f.dir == "send" {
			return ""
		}
		return fmt.Sprintf(format, f.frame)
	}) + after
}

// A frame that is delivered again under its id counts once: a recording of
// acknowledge mode has the findings of the same session without it.
func TestAcknowledgeMode(t *testing.T) {
	files, err := filepath.Glob("../testdata/recorded/v0.4.2/*.ws.jsonl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	linter := linttest.MustNew(rules.All(), lint.WithConfig(lint.Config{Dialect: "server"}))
	for _, file := range files {
		text, err := os.ReadFile(file) // #nosec G304 -- a recording of the project
		require.NoError(t, err)
		log := acknowledging(strings.Split(strings.TrimSpace(string(text)), "\n"))
		for form, write := range recordedAs {
			want := allButRepeats(t, linter, write(withoutIDs(log)))
			for mode, resend := range resending {
				random := rand.New(rand.NewPCG(1, uint64(len(log)))) // #nosec G404 -- a test repeats
				input := write(resend(random, append([]exchanged{}, log...)))
				assert.Equal(t, want, allButRepeats(t, linter, input), "%s, %s, %s\n%s", filepath.Base(file), mode, form, input)
			}
		}
	}
}

// Where all records have one id, or none that is a string, it identifies no
// record: none is dropped.
func TestIDsOfNothing(t *testing.T) {
	linter := linttest.MustNew(rules.All(), lint.WithConfig(lint.Config{Dialect: "server"}))
	const stray = `{"role": "assistant", "type": "message", "end": true}` + "\n"
	lines := []string{
		`{"role": "assistant", "type": "code", "format": "python", "start": true}`,
		`{"role": "assistant", "type": "code", "format": "python", "content": "1\n"}`,
		`{"role": "assistant", "type": "code", "format": "python", "content": "1\n"}`,
		`{"role": "assistant", "type": "code", "format": "python", "content": "1\n"}`,
		`{"role": "assistant", "type": "code", "format": "python", "end": true}`,
		`{"role": "computer", "type": "console", "start": true}`,
		`{"role": "computer", "type": "console", "format": "active_line", "content": 4}`,
		`{"role": "computer", "type": "console", "format": "active_line", "content": null}`,
		`{"role": "computer", "type": "console", "end": true}`,
	}
	for _, id := range []string{`""`, `"all"`} {
		var log strings.Builder
		for _, line := range append(lines, lines...) {
			fmt.Fprintf(&log, `%s, "id": %s}`+"\n", strings.TrimSuffix(line, "}"), id)
		}
		assert.Empty(t, allButRepeats(t, linter, log.String()), id)
		log.WriteString(strings.Repeat(stray, 2))
		assert.Equal(t, []string{"LMC204", "LMC204"}, allButRepeats(t, linter, log.String()), id)
	}
	for _, id := range []string{"null", "7", "true"} {
		frame := fmt.Sprintf(`{"role": "assistant", "type": "message", "start": true, "id": %s}`+"\n", id)
		assert.Contains(t, allButRepeats(t, linter, strings.Repeat(frame, 2)), "LMC202", id)
	}
}

// withoutIDs is the same session without acknowledge mode.
func withoutIDs(log []exchanged) (plain []exchanged) {
	for _, f := range log {
		if strings.HasPrefix(f.frame, `{"ack"`) {
			continue
		}
		if i := strings.Index(f.frame, `, "id": `); i >= 0 {
			f.frame = f.frame[:i] + "}"
		}
		plain = append(plain, f)
	}
	return plain
}

// allButRepeats returns the rules that have findings in an input, except the
// rule about repeated frames.
func allButRepeats(t *testing.T, linter *lint.Linter, input string) (ids []string) {
	t.Helper()
	_, err := linter.Run(context.Background(), "in", strings.NewReader(input), func(f lint.Finding) error {
		if f.Rule.ID != "LMC608" {
			ids = append(ids, f.Rule.ID)
		}
		return nil
	})
	require.NoError(t, err)
	return ids
}
