package redact_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/change/apply"
	"github.com/lmclint/lmclint/internal/change/redact"
	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/dev/hostile"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// options are those of a recording about which some things are known.
func options(name string, config lint.Config) redact.Options {
	return redact.Options{Name: name, New: func(o ...lint.Option) (*lint.Linter, error) {
		config.AllowEmpty = true
		return lint.New(rules.All(), append(o, lint.WithConfig(config))...)
	}}
}

func redacted(t *testing.T, name, text string) string {
	t.Helper()
	r, err := redact.Text(t.Context(), options(name, lint.Config{}), []byte(text))
	require.NoError(t, err, text)
	assert.Empty(t, append(r.Lost, r.Added...), "%s\n%s", text, r.Text)
	return string(r.Text)
}

// What becomes of each kind of value, and of what is around the records.
func TestShapes(t *testing.T) {
	message := func(content string) string {
		return `{"role": "user", "type": "message", "content": "` + content + "\"}\n"
	}
	for name, c := range map[string]struct{ text, want string }{
		"letters and digits": {message(`My PIN is 1234, ok?`), message(`Ab BCB cc 1022, ac?`)},
	} {
		assert.Equal(t, c.want, redacted(t, "messages.jsonl", c.text), name)
	}
}

// No letters in another encoding are left, and a line that quotes a word has no key.
func TestOddText(t *testing.T) {
	assert.NotContains(t, redacted(t, "a.jsonl", `{"role": "user", "type": "message", "content": "`+"\xcf\xf0\xe8\xe2\xe5\xf2"+`"}`), "\xf0\xe8")
	assert.NotContains(t, redacted(t, "a.log", `12:00 user "hunter": hello`+"\n"+`12:00 {"role": "user", "type": "message", "content": "Hi"}`+"\n"), "hunter")
	image := func(rest string) string {
		return `{"role": "user", "type": "image", "format": "base64.png", "content": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptV` + rest + `"}`
	}
	for _, rest := range []string{"AAAADklEQVR42mJiAAQAAP//AAYAA+e4F9gAAAAASUVORK5CYII=", "==hunter2hunter2", "AAAADklEQVR42mJiAAQAAP//AAYAA+e4F9gAAAAASUVORK5CYII=hunter2", "(hunter2)", "hunter2"} {
		got := redacted(t, "a.jsonl", image(rest))
		assert.Contains(t, got, `"iVBORw0KGgo`, rest)
		assert.NotContains(t, got, "hunter", rest)
	}
}

// Different texts do not become repetitions by chance.
func TestManyBlocks(t *testing.T) {
	words := strings.Fields(" project node file server budget team meeting alpha beta report invoice deploy restart")
	random := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	for range 1000 {
		text.WriteString(`{"role": "assistant", "type": "message", "start": true}` + "\n")
		for range 6 {
			fmt.Fprintf(&text, `{"role": "assistant", "type": "message", "content": " %s"}`+"\n", words[random.IntN(len(words))])
		}
		text.WriteString(`{"role": "assistant", "type": "message", "end": true}` + "\n")
	}
	redacted(t, "stream.jsonl", text.String())
}

// files are the cases and recordings of the suite.
func files(t *testing.T) (files []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir("../../../testdata", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.Contains(path, ".expect.json") {
			files = append(files, path)
		}
		return err
	}))
	return files
}

// har is browser traffic: a connection.
func har(secret, frame string) string {
	return `{"log": {"version": "1.2", "entries": [{"request": {"url": "https://` + secret + `/", "headers": [{"name": "Cookie", "value": "` + secret +
		`"}]}, "_webSocketMessages": [{"type": "send", "data": "` + secret + `"}, {"type": "receive", "data": "` + frame + `"}]}]}}`
}

// known are the cases in which a finding differs: content is almost an image, a number is
// almost too large.
var known = []string{
	"lmc404_images_in_chunks.jsonl", "lmc411_paths.json", "lmc001_leading_zero.jsonl", "wb004_export_integer_size.jsonl",
}

// Of each case of the suite and each bad example, the findings are the same after it was
// redacted, and no content is left.
func TestTheSuiteIsRedacted(t *testing.T) {
	done := 0
	check := func(name string, config lint.Config, text []byte) {
		r, err := redact.Text(t.Context(), options(name, config), text)
		if err != nil {
			return // it is of no protocol
		}
		done++
		if !slices.Contains(known, filepath.Base(name)) {
			assert.Empty(t, append(r.Lost, r.Added...), "%s\n%s", name, r.Text)
		}
		assert.Empty(t, leftOf(string(text), string(r.Text)), "%s\n%s", name, r.Text)
	}
	for _, path := range exhaustive.Sample(files(t), 90) {
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		if _, content, err := apply.Read(bytes.NewReader(raw)); err == nil {
			check(path, lint.Config{}, content.Text)
		}
	}
	for _, rule := range exhaustive.Sample(rules.All(), 30) {
		for _, e := range rule.Bad {
			config, err := protocol.ExampleConfig(e)
			require.NoError(t, err)
			if config.Against = nil; e.Against == "" {
				check(rule.ID+" "+e.Name, config, []byte(e.Text()))
			}
		}
	}
	assert.Greater(t, done, 80)
}

// Hostile inputs neither keep their content nor change their findings.
func TestHostileInputsAreRedacted(t *testing.T) {
	inputs := slices.Concat(hostile.Inputs(), hostile.Records(), hostile.Contents())
	for _, in := range exhaustive.Sample(inputs, 80) {
		text := in.Make(600)
		r, err := redact.Text(t.Context(), options(in.File, lint.Config{}), text)
		if err != nil {
			continue // it is of no protocol
		}
		assert.Empty(t, leftOf(string(text), string(r.Text)), "%s\n%s", in.Name, r.Text)
		assert.Less(t, len(r.Text), 2*len(text)+1000, in.Name)
	}
}

// Words in every place of a recording, in every form: none is left.
func TestNoWordIsLeft(t *testing.T) {
	secrets := []string{"hunter2password", "Schlüsselbund", "漢字秘密情報", "4929123456781234", "alice@example.org", "/home/alice/.ssh/id_rsa", "2024-05-17T12:34:56Z", "0a1b2c3d-1111-4222-8333-444455556666"}
	of := func(s string) string {
		return fmt.Sprintf(`{"role": "user", "type": "message", "content": "%[1]s and %[1]s.", "id": "%[1]s", "%[1]s/x": {"deep": ["%[1]s", 123456789, {"created_at": 1715949296}]}, "created_at": "%[1]s"}`, s) + "\n" +
			fmt.Sprintf(`{"role": "%[1]s", "type": "%[1]s", "format": "%[1]s", "content": "%[1]s"}`, s) + "\n" +
			fmt.Sprintf(`{"role": "assistant", "type": "message", "content": "%[1]s`, s) + "\n"
	}
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	for _, secret := range secrets {
		lines := of(secret)
		for name, text := range map[string]string{
			"a.jsonl":  lines + secret + "\n// " + secret + "\n",
			"a.json":   `{"title": "` + secret + `", "messages": [` + strings.ReplaceAll(strings.TrimSpace(lines), "\n", ",\n") + "]}",
			"a.log":    secret + "\n" + secret + " 12:00 DEBUG " + strings.ReplaceAll(lines, "\n", " "+secret+"\n"+secret+" 12:01 DEBUG "),
			"a.sse":    ": " + secret + "\nid: " + secret + "\ndata: " + strings.ReplaceAll(lines, "\n", "\n\nevent: "+secret+"\ndata: "),
			"a.ndjson": `{"dir": "send", "session": "` + secret + `", "text": "` + quote.Replace(strings.SplitN(lines, "\n", 2)[0]) + "\"}\n",
			"a.har":    har(secret, quote.Replace(strings.SplitN(lines, "\n", 2)[0])),
			"a.ipynb":  `{"nbformat": 4, "metadata": {"author": "` + secret + `"}, "cells": [{"source": ["` + secret + `"], "outputs": [{"text": ["` + strings.Join(strings.Split(quote.Replace(lines), `\n`), `\n", "`) + `"]}]}]}`,
			"b.txt":    strings.NewReplacer(`"`, "'", "null", "None").Replace(lines),
		} {
			r, err := redact.Text(t.Context(), options(name, lint.Config{}), []byte(text))
			require.NoError(t, err, text)
			assert.Empty(t, leftOf(text, string(r.Text)), "%s\n%s\n%s", name, text, r.Text)
			for _, f := range append(r.Lost, r.Added...) {
				assert.NotEqual(t, lint.SeverityError, f.Severity, "%s: %v\n%s\n%s", name, f, text, r.Text)
			}
		}
	}
}

// A word at any place of a case is gone, unless it is in the name of a key.
func TestNoPlaceIsLeft(t *testing.T) {
	const secret = "kwyj"
	for _, path := range exhaustive.Sample(files(t), 8) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for at := 0; at <= len(text) && len(text) < 1<<14 && utf8.Valid(text); at += len(text)/7 + 1 {
			with := string(text[:at]) + secret + string(text[at:])
			if !strings.Contains(keyNames.ReplaceAllString(with, " "), secret) {
				continue
			}
			if r, err := redact.Text(t.Context(), options(path, lint.Config{}), []byte(with)); err == nil {
				assert.NotContains(t, string(r.Text), secret, "%s: at %d of %s", path, at, with)
			}
		}
	}
}

var (
	words    = regexp.MustCompile(`[\pL\pN]+`)
	keyNames = regexp.MustCompile(`\\*["'][A-Za-z_$\\][\w$\\-]{0,45}\\*["']\s*:`)
	// Escapes, digests of redacted code, exponents, numbers in phrases, and the letters of times.
	others = regexp.MustCompile(`\\+(?:u[0-9a-f]{4}|x[0-9a-f]{2}|U[0-9a-f]{8}|[bfnrt])|\b[0-9a-f]{64}\b|\d[eE]\+?\d+|##active_line\d*|(?:\d[TtZz])+`)
)

// decoded returns a text with that of its base64, if there is some.
func decoded(text string) string {
	return regexp.MustCompile(`[A-Za-z0-9+/]{16,}={0,2}`).ReplaceAllStringFunc(text, func(data string) string {
		if text, err := base64.StdEncoding.DecodeString(data); err == nil && strings.Contains(string(text), `"role"`) {
			return string(text)
		}
		return data
	})
}

// addRuns adds the runs of four letters or digits of a text.
func addRuns(runs map[string]bool, text string) {
	for _, word := range words.FindAllString(strings.ToLower(text), -1) {
		letters := []rune(word)
		for i := range max(0, len(letters)-3) {
			runs[string(letters[i:i+4])] = true
		}
	}
}

// constants are the runs that are not content.
var constants = sync.OnceValue(func() map[string]bool {
	runs := map[string]bool{}
	for _, text := range redact.Constants() {
		addRuns(runs, text)
	}
	return runs
})

// leftOf returns the runs of four letters or digits of a recording's values that are in the
// redacted one, and are no part of the protocols' vocabulary.
func leftOf(before, after string) (left []string) {
	before, after = decoded(before), decoded(after)
	had, has := map[string]bool{}, map[string]bool{}
	addRuns(had, others.ReplaceAllString(before, " "))
	for _, known := range []*regexp.Regexp{others, keyNames} {
		after = known.ReplaceAllString(after, " ")
	}
	addRuns(has, after)
	for run := range has {
		if isFiller := strings.Trim(run, "abc012äöü甲乙丙☺☻☼😀😁😂") == ""; had[run] && !constants()[run] && !isFiller {
			left = append(left, run)
		}
	}
	return left
}

// The vocabulary is words, and no values of examples.
func TestVocabulary(t *testing.T) {
	for _, constant := range redact.Constants() {
		if !strings.ContainsAny(constant, "=+(") { // no image
			assert.NotRegexp(t, `^\w*\d{3}[\w-]*$`, constant)
		}
	}
}
