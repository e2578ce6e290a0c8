package reduce_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/change/apply"
	"github.com/lmclint/lmclint/internal/change/reduce"
	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/verify/suite/author"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// options are those of a recording of which the first finding is kept of each of some
// rules, or of all.
func options(name string, keep ...string) reduce.Options {
	return reduce.Options{
		Name: name,
		Keep: func(r *lint.Rule) bool { return len(keep) == 0 || slices.Contains(keep, r.ID) },
		New: func(o ...lint.Option) (*lint.Linter, error) {
			return lint.New(rules.All(), append(o, lint.WithConfig(lint.Config{AllowEmpty: true}))...)
		},
	}
}

func reduced(t *testing.T, name, text string) string {
	t.Helper()
	r, err := reduce.Text(t.Context(), options(name, "LMC104", "LMC202"), []byte(text))
	require.NoError(t, err, text)
	return string(r.Text)
}

const (
	question = `{"role": "user", "type": "message", "content": "How many files are here?"}`
	start    = `{"role": "assistant", "type": "message", "start": true}`
	hello    = `{"role": "assistant", "type": "message", "content": "Hello there."}`
	end      = `{"role": "assistant", "type": "message", "end": true}`
	answer   = `{"role": "assistant", "type": "mesage", "content": "I do not know.", "id": "a1"}`
	least    = `{"role": "assistant", "type": "mesage", "content": ""}`
)

// What is left is in the form of the input.
func TestForms(t *testing.T) {
	python := strings.NewReplacer(`"`, "'", "true", "True")
	quoted := strings.NewReplacer(`"`, `\"`)
	const twice = start + "\n" + start + "\n" + `{"role": "assistant", "type": "message", "content": "."}` + "\n" + end + "\n"
	pretty := func(n int, record string) string {
		return fmt.Sprintf("{\n  \"seq\": %d,\n  \"chunk\": %s\n}\n", n, record)
	}
	asEvents := func(lines string) string {
		return "data: " + strings.ReplaceAll(strings.TrimSpace(lines), "\n", "\n\ndata: ") + "\n\n"
	}
	for name, c := range map[string]struct{ text, want string }{
		"list.json":     {"[\n  " + question + ",\n  " + answer + ",\n  " + hello + "\n]\n", "[\n  " + least + "\n]\n"},
		"envelope.json": {`{"title": "A title", "messages": [` + question + ", " + answer + "]}", `{"messages": [` + least + "]}"},
		"lines.jsonl":   {question + "\n" + answer + "\n" + hello + "\n", least + "\n"},
		"beside.jsonl":  {question + " " + answer + " " + hello, least + " "},
		"lists.jsonl":   {"[" + question + "]\n[" + question + ", " + answer + "]\n[" + hello + "]\n", "[" + least + "]\n"},
		"pretty.jsonl":  {pretty(1, question) + pretty(2, hello) + pretty(3, answer), strings.Replace(pretty(3, least), "  \"seq\": 3,\n", "", 1)},
		"python.jsonl":  {python.Replace(answer + "\n" + hello + "\n"), python.Replace(least + "\n")},
		"stream.jsonl":  {start + "\n" + hello + "\n" + end + "\n" + start + "\n" + start + "\n" + hello + "\n" + end + "\n", twice},
		"events.sse":    {": ping\n\n" + asEvents(start+"\n"+hello+"\n"+end) + ": ping\n\nevent: x\n" + asEvents(start+"\n"+start+"\n"+hello+"\n"+end), asEvents(twice)},
		"chunks.log":    {"starting\n12:00 INFO chunk: " + question + "\nidle\n12:01 INFO chunk: " + answer + "\ndone\n", "12:01 INFO chunk: " + least + "\n"},
		"frames.ndjson": {`{"dir": "send", "time": 1, "frame": ` + question + "}\n" + `{"dir": "recv", "frame": ` + answer + "}\n", `{"dir": "recv", "frame": {"type": "mesage"}}` + "\n"},
		"texts.ndjson":  {`{"dir": "send", "text": "` + quoted.Replace(question) + "\"}\n" + `{"dir": "recv", "text": "` + quoted.Replace(answer) + "\"}\n", `{"dir": "recv", "text": "` + quoted.Replace(`{"type": "mesage"}`) + "\"}\n"},
		"traffic.har": {
			`{"log": {"version": "1.2", "entries": [{"request": {"url": "https://a.example/"}}, {"_webSocketMessages": [{"type": "send", "opcode": 1, "data": "` +
				quoted.Replace(question) + `"}, {"type": "receive", "data": "` + quoted.Replace(answer) + `"}]}]}}`,
			`{"log": {"entries": [{"_webSocketMessages": [{"type": "receive", "data": "` + quoted.Replace(least) + `"}]}]}}`,
		},
		"notebook.ipynb": {
			`{"nbformat": 4, "cells": [{"source": []}, {"outputs": [{"text": ["` + quoted.Replace(question) + `\n", "` + quoted.Replace(answer) + `\n"]}]}]}`,
			`{"cells": [{"outputs": [{"text": ["` + quoted.Replace(least) + `\n"]}]}]}`,
		},
	} {
		assert.Equal(t, c.want, reduced(t, name, c.text), name)
	}
}

// What is left is a part of the text, also of one that is wrong in the middle.
func TestBroken(t *testing.T) {
	for name, broken := range map[string]string{
		"foreign bytes":            `{"role": "user", "type": "message", "content": "` + "\xff" + `"}`,
		"foreign bytes and no end": `{"role": "user", "type": "message", "content": "` + "\xff" + `", "id": }`,
		"no value":                 `{"role": "user", "type": "message", "content": }`,
		"no end":                   `{"role": "user", "type": "message"`,
	} {
		text := "[\n" + strings.Join([]string{question, answer, broken, hello, answer, hello}, ",\n") + "\n]\n"
		for _, text := range []string{text, strings.ReplaceAll(text, "\n", ""), strings.Trim(text, "[\n")} {
			o := options("list.json")
			for o.MaxRuns = range 20 { // 0 is the default
				r, err := reduce.Text(t.Context(), o, []byte(text))
				require.NoError(t, err, name)
				require.True(t, isPartOf(r.Text, []byte(text)), "%s: %q becomes %q", name, text, r.Text)
			}
		}
	}
}

// The code that a confirmation asks about becomes shorter together with the code.
func TestConfirmedCode(t *testing.T) {
	code := func(member string) string {
		return `{"role": "assistant", "type": "code", "format": "python", ` + member + "}\n"
	}
	confirmation := func(code string) string {
		return `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "` + code + "\"}}\n"
	}
	output := `{"role": "computer", "type": "console", "start": true}` + "\n" +
		`{"role": "computer", "type": "console", "format": "output", "content": "1"}` + "\n" + `{"role": "computer", "type": "console", "end": true}` + "\n"
	text := code(`"start": true`) + code(`"content": "print"`) + code(`"content": "(1)"`) + code(`"end": true`) + confirmation("print(1)") + output
	r, err := reduce.Text(t.Context(), options("stream.jsonl"), []byte(text))
	require.NoError(t, err)
	got := string(r.Text)
	assert.Contains(t, got, confirmation(")"), "LMC310 is kept, and LMC304 does not come")
	assert.Equal(t, 1, strings.Count(got, `"assistant", "type": "code", "format": "python", "content"`), got)
}

// Findings that nothing is kept of, and an input that has no finding, are errors.
func TestNothing(t *testing.T) {
	o := options("list.json")
	_, err := reduce.Text(t.Context(), o, []byte("["+question+"]"))
	assert.ErrorIs(t, err, reduce.ErrNothing)
	o.Keep = nil
	_, err = reduce.Text(t.Context(), o, []byte("["+question+`, {"role": "assistant", "type": "code", "format": "python", "content": "1"}]`))
	assert.ErrorIs(t, err, reduce.ErrNothing, "no error")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = reduce.Text(ctx, o, []byte("["+answer+"]"))
	assert.ErrorIs(t, err, context.Canceled)
}

// Of each case of the suite, what is left has the first finding of each rule, with its
// cause, and none of another rule. It is a part of the text, and the same each time.
func TestTheSuiteIsReduced(t *testing.T) {
	cases := author.New("../../..")
	files, err := cases.Inputs()
	require.NoError(t, err)
	files = slices.DeleteFunc(files, func(file string) bool { return strings.HasSuffix(file, ".gz") }) // some are millions of bytes
	linter := linttest.MustNew(rules.All(), lint.WithConfig(lint.Config{AllowEmpty: true}))
	done, before, after := 0, 0, 0 // the bytes of inputs that are not as small as they can be
	for _, file := range exhaustive.Sample(files, 30) {
		path := cases.Path(file)
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		_, content, err := apply.Read(bytes.NewReader(raw))
		if err != nil {
			continue // an archive, or text that is not UTF-8
		}
		if len(content.Text) > 1<<20 && !exhaustive.Enabled() {
			continue // each run takes long
		}
		o := options(path)
		r, err := reduce.Text(t.Context(), o, content.Text)
		if err != nil {
			continue // nothing is found in it
		}
		done++
		if bytes.Count(content.Text, []byte{'\n'}) > 10 {
			before, after = before+len(content.Text), after+len(r.Text)
		}
		had, have := causesOf(t, linter, path, content.Text), causesOf(t, linter, path, r.Text)
		for _, kept := range r.Kept {
			assert.Contains(t, have[kept.Rule.ID], kept.Cause, "%s: %s is kept in %s", path, kept.Rule.ID, r.Text)
		}
		for id := range have {
			assert.Contains(t, had, id, "%s: %s comes in %s", path, id, r.Text)
		}
		assert.True(t, isPartOf(r.Text, content.Text), path)
		assert.LessOrEqual(t, r.Runs, reduce.DefaultMaxRuns)
		again, err := reduce.Text(t.Context(), o, content.Text)
		require.NoError(t, err)
		assert.Equal(t, string(r.Text), string(again.Text), path)
	}
	require.Greater(t, done, 10)
	assert.Less(t, 2*after, before, "less than a half is left of long inputs")
}

// causesOf returns the causes of findings by rule.
func causesOf(t *testing.T, linter *lint.Linter, name string, text []byte) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	for f, err := range linter.Lint(t.Context(), name, bytes.NewReader(text)) {
		require.NoError(t, err)
		found[f.Rule.ID] = append(found[f.Rule.ID], f.Cause)
	}
	return found
}

// isPartOf reports whether a text is another one without some of its bytes.
func isPartOf(part, whole []byte) bool {
	for _, c := range whole {
		if len(part) > 0 && part[0] == c {
			part = part[1:]
		}
	}
	return len(part) == 0
}

// A recording of many records needs few runs, and small ones.
func TestManyRecords(t *testing.T) {
	records := 3000
	if exhaustive.Enabled() {
		records = 100_000
	}
	var text strings.Builder
	for i := range records / 6 {
		answered := answer
		if i != records/12 {
			answered = fmt.Sprintf(`{"role": "assistant", "type": "message", "content": "I do not know %d."}`, i)
		}
		text.WriteString(strings.Join([]string{start, hello, end, start, answered, end}, "\n") + "\n")
	}
	o := options("stream.jsonl")
	size := 0
	o.Tried = func(_, left int) { size += left }
	r, err := reduce.Text(t.Context(), o, []byte(text.String()))
	require.NoError(t, err)
	assert.Less(t, len(r.Text), 300, "%s", r.Text)
	assert.Less(t, r.Runs, 300)
	assert.Less(t, size, 5*text.Len(), "all that was linted")
}

// The number of runs is limited. What is left then has the findings, too.
func TestMaxRuns(t *testing.T) {
	text := "[" + strings.Join(slices.Repeat([]string{question, answer}, 20), ",") + "]"
	o := options("list.json")
	for _, o.MaxRuns = range []int{1, 2, 5, 10} {
		r, err := reduce.Text(t.Context(), o, []byte(text))
		require.NoError(t, err)
		assert.LessOrEqual(t, r.Runs, o.MaxRuns)
		assert.True(t, r.Ended)
		assert.Contains(t, causesOf(t, linttest.MustNew(rules.All()), "list.json", r.Text), "LMC104")
	}
}
