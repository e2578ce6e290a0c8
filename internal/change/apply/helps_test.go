package apply_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/lint"
)

const (
	hi       = `{"role": "user", "type": "message", "content": "Hi"}`
	greeting = `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hello"}
{"role": "assistant", "type": "message", "end": true}
`
	shown = `{"role": "assistant", "type": "code", "format": "python", "start": true}
{"role": "assistant", "type": "code", "format": "python", "content": "plot()"}
{"role": "assistant", "type": "code", "format": "python", "end": true}
`
	asked = `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "plot()"}}
`
	ran = `{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "output", "content": "ok\n"}
{"role": "computer", "type": "console", "format": "active_line", "content": null}
{"role": "computer", "type": "console", "end": true}
`
	typedHi = `{"dir": "send", "frame": {"role": "user", "start": true}}
{"dir": "send", "frame": {"role": "user", "type": "message", "content": "Hi"}}
` + typedEnd
	typedEnd = `{"dir": "send", "frame": {"role": "user", "end": true}}
`
	complete = `{"dir": "recv", "frame": {"role": "server", "type": "status", "content": "complete"}}
`
)

// One rule gives different help in different cases. The help of cases that no example of the
// rule has leads to a clean input, too: the first edit is what the help says, others follow
// what it says of them.
func TestEachHelpLeadsToCleanInput(t *testing.T) {
	for _, c := range []struct {
		name, input string
		finding     string // rule and part of the help
		edits       []string
		dialect     string // that the help names
	}{
		{"x.json", `[` + hi + `, , ` + hi + `]`, `LMC001 remove the comma`, []string{`, , `, `, `}, ""},
		{"x.jsonl", hi + "\n" + `{"role": "assistant", "type": "message", "content": undefined, "content2": 1}` + "\n", `LMC001 omit the key or write null instead of undefined`, []string{`undefined, "content2": 1`, `"Hello"`}, ""},
		{"x.json", `{"messages": [` + hi + `], "chunks": [{"role": "assistant", "type": "message", "start": true}]}`, `LMC001 put each list into a file of its own`, []string{`, "chunks": [{"role": "assistant", "type": "message", "start": true}]`, ""}, ""},
		{"x.jsonl", greeting + "[DONE]\n", `LMC001 remove it`, []string{"[DONE]\n", ""}, ""},
		{"x.json", "# The user\n" + `[` + hi + `]`, `LMC001 remove the comments`, []string{"# The user\n", ""}, ""},
		{"x.jsonl", hi + "\n" + `{role: "assistant", type: "message", content: "Hello"}` + "\n", `LMC001 write each name in double quotes`, []string{`{role: "assistant", type: "message", content:`, `{"role": "assistant", "type": "message", "content":`}, ""},
		{"x.jsonl", hi + "\n" + `{"role": "assistant", "type": "message", "content": "Hello", "id": NaN}` + "\n", `LMC001 write null or a string instead of NaN`, []string{"NaN", `"NaN"`}, ""},
		{"x.jsonl", hi + "\n[" + hi + "]\n", `LMC004 write each element as a separate record`, []string{"[" + hi + "]", hi}, ""},
		{"x.json", `"{\"messages\": [{\"role\": \"user\", \"type\": \"message\", \"content\": \"Hi\"}]}"`, `LMC004 encode the record as JSON once`, []string{`"{\"messages\": [{\"role\": \"user\", \"type\": \"message\", \"content\": \"Hi\"}]}"`, `{"messages": [` + hi + `]}`}, ""},

		{"x.jsonl", hi + "\n" + `{"content": "World"}` + "\n", `LMC101 add "role" and "type"`, []string{`{"content": "World"`, `{"role": "assistant", "type": "message", "content": "World"`}, ""},
		{"x.jsonl", hi + "\n" + `{}` + "\n", `LMC101 add "role", "type" and "content"`, []string{`{}`, hi}, ""},
		{"x.jsonl", `{"event": "boot"}` + "\n" + hi + "\n", `LMC101 remove it`, []string{`{"event": "boot"}` + "\n", ""}, ""},
		{"x.json", `[{"type": "code", "format": "html", "content": "<b>x</b>"}, ` + hi + `]`, `LMC101 add "role": assistant or computer`, []string{`{"type"`, `{"role": "assistant", "type"`}, ""},
		{"x.json", `[` + hi + `, {"role": "sistem", "type": "message", "content": "Be brief."}]`, `LMC102 remove it and set interpreter.system_message`, []string{`, {"role": "sistem", "type": "message", "content": "Be brief."}`, ""}, ""},
		{"x.json", `[` + hi + `, {"role": "narrator", "type": "message", "content": "Later."}]`, `LMC102 expected user, assistant or computer`, []string{"narrator", "assistant"}, ""},
		{"x.json", `[` + hi + `, {"role": "computer", "format": "output", "content": "ok"}]`, `LMC103 `, []string{`, {"role": "computer", "format": "output", "content": "ok"}`, ""}, ""},
		{"x.json", `[{"role": "user", "content": "What?"}, ` + hi + `]`, `LMC103 add "type": "message" for text`, []string{`"user", "content": "What?"`, `"user", "type": "message", "content": "What?"`}, ""},
		{"x.jsonl", strings.Replace(greeting, `"message", "start": true`, `"start"`, 1), `LMC104 start is a flag, not a type`, []string{`"type": "start"`, `"type": "message", "start": true`}, ""},
		{"x.jsonl", strings.Replace(greeting, `"message", "end": true`, `"end"`, 1), `LMC104 end is a flag, not a type`, []string{`"type": "end"`, `"type": "message", "end": true`}, ""},
		{"x.json", `[` + hi + `, {"role": "assistant", "type": "thought", "content": "Hm."}]`, `LMC104 expected message, console, image, code`, []string{"thought", "message"}, ""},
		{"x.json", `[` + hi + `, {"role": "user", "type": "image", "content": "/tmp/a.png"}]`, `LMC105 add "format": base64`, []string{`"image",`, `"image", "format": "path",`}, ""},
		{"x.jsonl", shown + asked + strings.Replace(ran, `"format": "output", `, "", 1), `LMC105 add "format": output or active_line`, []string{`"console", "content": "ok`, `"console", "format": "output", "content": "ok`}, ""},
		{"x.json", `[` + hi + `, {"role": "user", "type": "image", "format": "webp", "content": "/tmp/a.webp"}]`, `LMC106 expected base64`, []string{`"webp"`, `"path"`}, ""},
		{"x.json", `[` + hi + `, {"role": "assistant", "type": "code", "format": 3, "content": "1"}]`, `LMC106 write the language as a string`, []string{`3`, `"python"`}, ""},
		{"x.jsonl", shown + `{"role": "computer", "type": "confirmation", "format": "execution", "start": true}` + "\n" + asked + ran, `LMC108 a confirmation has no flags`, []string{`{"role": "computer", "type": "confirmation", "format": "execution", "start": true}` + "\n", ""}, ""},
		{"x.jsonl", strings.Replace(greeting, `, "content": "Hello"`, "", 1), `LMC108 add "content"`, []string{"\"message\"}", `"message", "content": "Hello"}`}, ""},
		{"x.json", `[` + hi + `, {"role": "assistant", "type": "message", "content": {"text": "Hello"}}]`, `LMC109 send text`, []string{`{"text": "Hello"}`, `"Hello"`}, ""},
		{"x.jsonl", strings.Replace(greeting, `"Hello"`, `null`, 1), `LMC109 `, []string{`null`, `"Hello"`}, ""},
		{"x.json", `[` + hi + `, {"role": "assistant", "type": "message", "content": "Hello", "mood": 1, "tone": 2}]`, `LMC110 remove these keys`, []string{`, "mood": 1, "tone": 2`, ""}, ""},
		{"x.jsonl", strings.Replace(greeting, `"start": true`, `"start": true, "end": true`, 1), `LMC112 send start and end in separate chunks`, []string{`"start": true, "end": true`, `"start": true`}, ""},
		{"x.jsonl", shown + strings.Replace(asked, `"plot()"}`, `"plot()", "mood": 1}`, 1) + ran, `LMC113 remove "mood"`, []string{`, "mood": 1`, ""}, ""},
		{"x.jsonl", shown + strings.Replace(asked, `"format": "python"`, `"format": "shell"`, 1) + ran, `LMC304 repeat the language`, []string{`"format": "shell"`, `"format": "python"`}, ""},
		{"x.jsonl", typedHi + `{"dir": "recv", "frame": {"role": "assistant", "type": "message", "start": true}}` + "\n" + complete, `LMC202 `, []string{`{"dir": "recv", "frame": {"role": "assistant", "type": "message", "start": true}}` + "\n", ""}, ""},
		{"x.jsonl", strings.TrimSuffix(typedHi, typedEnd), `LMC203 the server responds only after the end flag`, []string{`"content": "Hi"}}` + "\n", `"content": "Hi"}}` + "\n" + typedEnd + complete}, ""},
		{"x.jsonl", shown + ran, `LMC301 pass --auto-run`, nil, "server"},
		{"x.jsonl", shown + ran, `LMC301 if recorded from the server, pass --dialect server`, nil, "interpreter-0.2 server"},
		{"x.json", `[` + hi + `, {"role": "user", "type": "file", "content": "/tmp/a.csv"}]`, `LMC104 pass --dialect interpreter`, nil, "docs interpreter"},
	} {
		before, after := "", ""
		if named := strings.Fields(c.dialect); len(named) > 0 {
			after = named[len(named)-1]
			if len(named) > 1 {
				before = named[0]
			}
		}
		rule, help, _ := strings.Cut(c.finding, " ")
		isGiven := false
		for _, f := range lintAs(t, before, c.name, c.input) {
			isGiven = isGiven || f.Rule.ID == rule && strings.Contains(f.Help, help)
		}
		assert.True(t, isGiven, "%s is not the help for\n%s", c.finding, c.input)
		text := c.input
		for i := 0; i+1 < len(c.edits); i += 2 {
			require.Contains(t, text, c.edits[i], c.finding)
			text = strings.Replace(text, c.edits[i], c.edits[i+1], 1)
		}
		for _, f := range lintAs(t, after, c.name, text) {
			assert.Equal(t, lint.SeverityNote, f.Severity, "%s leads to %s: %s\n%s", c.finding, f.Rule.ID, f.Message, text)
		}
	}
}

func lintAs(t *testing.T, dialect, name, text string) []lint.Finding {
	t.Helper()
	return lintText(t, fixer(t, lint.Example{Config: lint.Config{Dialect: dialect}}), name, text)
}
