package apply_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/change/apply"
	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// What is around a record stays: whitespace, line ends, commas, events, and the
// lines of a log.
func TestFormsKeepTheirLayout(t *testing.T) {
	const (
		start = `{"role": "assistant", "type": "message", "start": true}`
		empty = `{"role": "assistant", "type": "message", "content": ""}`
		hi    = `{"role": "assistant", "type": "message", "content": "Hi"}`
		end   = `{"role": "assistant", "type": "message", "end": true}`
		stop  = `{"role": "assistant", "type": "message", "stop": true}`

		complete = `{"role": "server", "type": "status", "content": "complete"}`
	)
	lines := func(separator string, records ...string) string { return strings.Join(records, separator) }
	frame := func(record string) string {
		return `{"dir": "recv", "text": "` + strings.ReplaceAll(record, `"`, `\"`) + `"}` + "\n"
	}
	for name, c := range map[string]struct {
		text, want string
		unsafe     bool
	}{
		"CRLF":              {text: lines("\r\n", start, hi, empty, stop, ""), want: lines("\r\n", start, hi, end, "")},
		"no line end":       {text: lines("\n", start, hi, stop), want: lines("\n", start, hi, end)},
		"cut without end":   {text: lines("\n", start, hi), want: lines("\n", start, hi, end), unsafe: true},
		"cut":               {text: lines("\r\n", start, hi, ""), want: lines("\r\n", start, hi, end, ""), unsafe: true},
		"no start":          {text: lines("\n", hi, end, ""), want: lines("\n", start, hi, end, ""), unsafe: true},
		"array":             {text: "[" + lines(",\n  ", start, hi, empty, stop) + "\n]", want: "[" + lines(",\n  ", start, hi, end) + "\n]"},
		"last of an array":  {text: "[" + lines(", ", start, hi) + "]", want: "[" + lines(", ", start, hi, end) + "]", unsafe: true},
		"events":            {text: "data: " + lines("\n\nid: 1\ndata: ", start, hi, empty, stop) + "\n\n", want: "data: " + lines("\n\nid: 1\ndata: ", start, hi, end) + "\n\n"},
		"frames in strings": {text: frame(start) + frame(strings.Replace(hi, "ss", "s", 1)) + frame(end) + frame(complete), want: frame(start) + frame(hi) + frame(end) + frame(complete)},
		"mark":              {text: "\ufeff" + lines("\n", start, hi, stop), want: lines("\n", start, hi, end)},
		"style": {
			text: `{"role":"assistant","type":"message","start":true}` + "\n" + `{"role":"assistant","type":"message","content":"Hi"}` + "\n",
			want: `{"role":"assistant","type":"message","start":true}` + "\n" + `{"role":"assistant","type":"message","content":"Hi"}` + "\n" +
				`{"role":"assistant","type":"message","end":true}` + "\n", unsafe: true,
		},
		"Python": {
			text: "{'role': 'assistant', 'type': 'message', 'start': True},\n{'role': 'assistant', 'type': 'message', 'content': 'It\\'s \"one\"'},\n{'role': 'assistant', 'type': 'message', 'stop': True}\n",
			want: start + "\n" + `{"role": "assistant", "type": "message", "content": "It's \"one\""}` + "\n" + end + "\n",
		},
		"Python, one record wrapped": {
			text: "{'role': 'assistant', 'type': 'message', 'start': True}\n{'content': 'one '\n            'two',\n 'role': 'assistant'\n ,\n 'type': 'message',\n}\n{'role': 'assistant', 'type': 'message', 'end': True}\n",
			want: start + "\n" + `{"content": "one two", "role": "assistant", "type": "message"}` + "\n" + end + "\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			linter := linttest.MustNew(rules.All(), lint.WithConfig(lint.Config{Dialect: "interpreter", Kind: kindOf(name)}), lint.WithFixes())
			assert.Equal(t, c.want, string(mend(t, linter, c.text, c.unsafe).Text))
		})
	}
}

// kindOf returns the kind of the input of a case.
func kindOf(name string) string {
	if strings.HasPrefix(name, "frames") {
		return "session"
	}
	return "stream"
}

// A rule whose fixes never end is named, and nothing changes. A fix that makes records
// unreadable is not applied.
func TestWrongFixesAreErrors(t *testing.T) {
	const text = `[{"role": "user", "type": "message", "content": "Hi"}]`
	for what, wrong := range map[string]func(*lmc.Record) []lint.Edit{
		"undo each other": func(r *lmc.Record) []lint.Edit {
			other := map[string]string{"Hi": "Ho", "Ho": "Hi"}[r.Text()]
			return fix.ReplaceValue(r.Source, r.Content, other)
		},
		"make records unreadable": func(r *lmc.Record) []lint.Edit {
			return fix.ReplaceText(r.Source, r.Content.Start, r.Content.End, `"`)
		},
		"do not end after 100 passes": func(r *lmc.Record) []lint.Edit {
			return fix.ReplaceValue(r.Source, r.Content, r.Text()+"!")
		},
	} {
		rule := &lint.Rule{
			ID: "LMC999", Severity: lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.LMC{}, Fixes: lint.SafeFixes,
			New: func(p *lint.Pass) []lint.Hook {
				return []lint.Hook{protocol.On(lmc.Message, func(e *lmc.ContentEvent) {
					if e.Record != nil && e.Record.Content != nil {
						p.Report(lint.Finding{Place: e.Record.Place(), Message: "wrong", Fix: fix.Safe("change it", wrong(e.Record))})
					}
				})}
			},
		}
		linter := linttest.MustNew([]*lint.Rule{rule}, lint.WithConfig(lint.Config{Kind: "transcript", Dialect: "interpreter"}), lint.WithFixes())
		r, err := apply.Text(context.Background(), apply.Linters{Fixing: linter}, "text", []byte(text), false)
		if what == "make records unreadable" {
			require.NoError(t, err)
			assert.False(t, r.Changed())
			require.Len(t, r.Left, 1)
			assert.Equal(t, map[*lint.Fix]string{r.Left[0].Fix: "its fix would add an unreadable record"}, r.Why)
			continue
		}
		assert.EqualError(t, err, "internal error: the fixes of LMC999 "+what)
	}
}

// Packed content is unpacked, and packed again with what its header says.
func TestContentIsPackedAgain(t *testing.T) {
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	w.Name, w.Comment = "a.jsonl", "recorded"
	_, err := io.WriteString(w, "old")
	require.NoError(t, err)
	require.NoError(t, w.Close())
	encoder, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	for name, raw := range map[string][]byte{"plain": []byte("old"), "gzip": zipped.Bytes(), "zstd": encoder.EncodeAll([]byte("old"), nil)} {
		_, content, err := apply.Read(bytes.NewReader(raw))
		require.NoError(t, err, name)
		assert.Equal(t, "old", string(content.Text), name)
		packed, err := content.Pack([]byte("new"))
		require.NoError(t, err, name)
		if name != "plain" {
			assert.Equal(t, raw[:2], packed[:2], name)
		}
		_, again, err := apply.Read(bytes.NewReader(packed))
		require.NoError(t, err, name)
		assert.Equal(t, "new", string(again.Text), name)
		if name == "gzip" {
			r, err := gzip.NewReader(bytes.NewReader(packed))
			require.NoError(t, err)
			assert.Equal(t, "a.jsonl", r.Name)
			assert.Equal(t, "recorded", r.Comment)
		}
	}
	_, _, err = apply.Read(strings.NewReader("PK\x03\x04..."))
	require.ErrorIs(t, err, apply.ErrArchive)
	_, _, err = apply.Read(bytes.NewReader(zipped.Bytes()[:12]))
	require.ErrorContains(t, err, "gzip data is corrupt or cut off")
	_, _, err = apply.Read(bytes.NewReader([]byte{0x28, 0xB5, 0x2F, 0xFD, 1}))
	require.ErrorContains(t, err, "zstd data is corrupt or cut off")
}

// A truncated record does not go if the line before it becomes one: of a long run of
// broken lines each would go in a pass of its own.
func TestBrokenLinesDoNotGoOneByOne(t *testing.T) {
	const message = `{"role": "user", "type": "message", "content": "Hi"}` + "\n"
	linter := linttest.MustNew(rules.All(), lint.WithFixes())
	for text, want := range map[string]string{
		message + `{"role": "us`:              message,
		message + "{\n{":                      message + "{\n{",
		message + strings.Repeat("{\n", 1000): message + strings.Repeat("{\n", 1000),
	} {
		r, err := apply.Text(t.Context(), apply.Linters{Fixing: linter}, "text.jsonl", []byte(text), true)
		require.NoError(t, err)
		assert.Equal(t, want, string(r.Text))
		assert.LessOrEqual(t, r.Passes, 1)
	}
}

// A fix that adds a finding in one pass is tried again after the others: here the role
// of a start can be mended only when its type is. Fixing again changes nothing.
func TestFixesAreTriedAgain(t *testing.T) {
	const text = `{"ole":"asistant","ype":"code","format":"shell","start":true}{"role":"assistant", "type": "code", "format": "shell", "content": "ls"}
{"role": "asistant", "type": "code", "format": "shjll", "end": true}
{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "output", "content": "a\n"}
{"role": "computer", "type": "console", "end": true}`
	linter := linttest.MustNew(rules.All(), lint.WithFixes())
	once := mend(t, linter, text, true)
	require.True(t, once.Changed())
	assert.False(t, mend(t, linter, string(once.Text), true).Changed(), "%s", once.Text)
}

// Commas after many records are removed in one pass, on lines and on one line.
func TestManySeparatorsAreRemoved(t *testing.T) {
	const record = `{"role": "user", "type": "message", "content": "Hi"}`
	for _, separator := range []string{",\n", ", "} {
		text := strings.Repeat(record+separator, 300) + record + "\n"
		r, err := apply.Text(context.Background(), apply.Linters{Fixing: linttest.MustNew(rules.All(), lint.WithFixes())}, "a.jsonl", []byte(text), false)
		require.NoError(t, err)
		assert.Equal(t, 300, r.Count())
		assert.Equal(t, 1, r.Passes)
		assert.NotContains(t, string(r.Text), "},")
	}
}
