package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// How the bytes of an input may arrive at the gate.
var arrivals = map[string]func(text string) io.Reader{
	"one block":       func(text string) io.Reader { return strings.NewReader(text) },
	"byte by byte":    func(text string) io.Reader { return iotest.OneByteReader(strings.NewReader(text)) },
	"line by line":    slowly,
	"half a kibibyte": func(text string) io.Reader { return &blocks{text: text, size: 512} },
}

// As many records are passed on however they arrive, and none at or after the
// first error.
func TestStopOnPassesAsMuchHoweverItArrives(t *testing.T) {
	for _, rule := range exhaustive.Sample(rules.All(), 30) {
		for _, e := range exhaustive.Sample(rule.Bad, 1) {
			if rule.Severity < lint.SeverityError && !exhaustive.Enabled() {
				continue
			}
			if e.MaxDepth == 0 && (e.Make == nil || exhaustive.Enabled() || len(e.Text()) < 64<<10) {
				t.Run(rule.ID+" "+e.Name, func(t *testing.T) { checkPassed(t, &e) })
			}
		}
	}
}

func checkPassed(t *testing.T, e *lint.Example) {
	text := e.Text()
	if rest := len(text); rest > 0 && text[rest-1] != '\n' {
		text += "\n" // as a program writes it
	}
	args := append([]string{"check", "--isolated", "--tee", "--stop-on", "error"}, flagsOf(t, e)...)
	end, sound := firstError(t, e, text)
	oneByLine := isLines(text)
	passed := map[string]string{}
	for name, arrive := range arrivals {
		var out, report strings.Builder
		c := Command{Stdin: arrive(text), Stdout: &out, Stderr: &report}
		status := c.Main(append(args, "-"))
		passed[name] = out.String()
		before, closing := splitPassed(out.String(), text[:end])
		for line := range strings.Lines(closing) {
			assert.Regexp(t, closingLine, line, report.String())
		}
		if oneByLine && before != text[:end] {
			// The error is that of an earlier record, which waited until the first records
			// showed what they are.
			next, _, _ := strings.Cut(text[len(before):], "\n")
			assert.True(t, hasError(t, e, strings.NewReader(before+next+"\n")), report.String())
		}
		assert.Equal(t, sound, status == exitClean, report.String())
	}
	for name, out := range passed {
		assert.Equal(t, passed["one block"], out, name)
	}
}

// closingLine matches a line that ends a stream after a stop.
var closingLine = regexp.MustCompile(`^(event: .*|(data: )?\{.*("end": true|"stopped by lmclint: \w+"|"complete").*\})?\r?\n$`)

// splitPassed divides an output into the lines that it has in common with the start of an
// input, and those that end the stream after a stop.
func splitPassed(out, start string) (before, closing string) {
	for line := range strings.Lines(out) {
		if !strings.HasPrefix(start[len(before):], line) {
			break
		}
		before += line
	}
	return before, out[len(before):]
}

// firstError returns the offset of the line that decides the first error in an
// example, the size of the text if no line does, and whether the example has no error.
func firstError(t *testing.T, e *lint.Example, text string) (end int, sound bool) {
	t.Helper()
	more := errors.New("there is more to come")
	for line := range strings.Lines(text) {
		if hasError(t, e, io.MultiReader(strings.NewReader(text[:end+len(line)]), failing{more})) {
			return end, false
		}
		end += len(line)
	}
	return end, !hasError(t, e, strings.NewReader(text))
}

// hasError reports whether the linter finds an error in an input, with what an example
// sets.
func hasError(t *testing.T, e *lint.Example, src io.Reader) (found bool) {
	t.Helper()
	config, err := protocol.ExampleConfig(*e)
	require.NoError(t, err)
	config.Immediate = true
	_, _ = linttest.MustNew(rules.All(), lint.WithConfig(config)).Run(t.Context(), source.Stdin, src, func(f lint.Finding) error {
		found = found || f.Severity == lint.SeverityError
		return nil
	})
	return found
}

// flagsOf returns the flags for what an example sets.
func flagsOf(t *testing.T, e *lint.Example) (flags []string) {
	t.Helper()
	for name, value := range map[string]string{"--protocol": e.Protocol, "--dialect": e.Dialect, "--kind": e.Kind} {
		if value != "" {
			flags = append(flags, name, value)
		}
	}
	for name, on := range map[string]bool{"--auto-run": e.AutoRun, "--partial": e.Partial} {
		if on {
			flags = append(flags, name)
		}
	}
	if e.MaxRecordBytes > 0 {
		flags = append(flags, "--max-record-bytes", strconv.FormatInt(e.MaxRecordBytes, 10))
	}
	if e.Against != "" {
		path := filepath.Join(t.TempDir(), "conversation.json")
		require.NoError(t, os.WriteFile(path, []byte(e.Against), 0o600))
		flags = append(flags, "--against", path)
	}
	return flags
}

// slowly returns a reader of lines that arrive apart.
func slowly(text string) io.Reader {
	pause := 50 * time.Microsecond
	if exhaustive.Enabled() {
		pause = 20 * time.Millisecond
	}
	return &blocks{text: text, pause: pause}
}

// blocks is a reader of blocks of a size, or of lines if that is 0.
type blocks struct {
	text  string
	size  int
	pause time.Duration
}

func (b *blocks) Read(p []byte) (int, error) {
	if b.text == "" {
		return 0, io.EOF
	}
	time.Sleep(b.pause)
	n := b.size
	if n == 0 {
		line, _, _ := strings.Cut(b.text, "\n")
		n = len(line) + 1
	}
	n = copy(p, b.text[:min(n, len(b.text))])
	b.text = b.text[n:]
	return n, nil
}

// That code runs unconfirmed shows at its first output: neither that nor what follows
// it is passed on.
func TestStopOnHoldsBackUnconfirmedCode(t *testing.T) {
	lines := strings.SplitAfter(confirmedRun, "\n")
	text := strings.Join(append(lines[:3:3], lines[4:]...), "")
	for name, arrive := range arrivals {
		var out bytes.Buffer
		var report strings.Builder
		c := Command{Stdin: arrive(text), Stdout: &out, Stderr: &report}
		assert.Equal(t, exitFindings, c.Main([]string{"check", "--tee", "--stop-on", "error", "-"}), name)
		assert.Equal(t, strings.Join(append(lines[:3:3], lines[4]), "")+`{"role": "computer", "type": "console", "end": true}`+"\n", out.String(), name)
		assert.Contains(t, report.String(), "LMC301")
		assert.Contains(t, report.String(), "dialect interpreter", "auto is decided at once, and that is said")
	}
}

// What a form makes one document goes out whole or not at all; in the others an
// error holds back what follows.
func TestStopOnInOtherForms(t *testing.T) {
	const (
		hello   = `{"role": "user", "type": "message", "content": "Hi"}`
		unknown = `{"role": "usr", "type": "message", "content": "Hi"}`
		event   = "event: chunk\nid: 1\ndata: " + `{"role": "assistant", "type": "message", `
	)
	events := event + `"start": true}` + "\n\n" + event + `"content": "Hi"}` + "\n\n" + event + `"end": true}` + "\n\n"
	cr := strings.NewReplacer("\n", "\r")
	frames := `{"dir": "send", "frame": {"role": "user", "start": true}}
{"dir": "send", "frame": {"role": "user", "type": "message", "content": "Hi"}}
{"dir": "send", "frame": {"role": "user", "end": true}}
`
	for name, form := range map[string]struct{ text, passed string }{
		"an array":                     {"[\n" + hello + ",\n" + unknown + "\n]\n", ""},
		"a sound array":                {"[\n" + hello + ",\n" + hello + "\n]\n", "[\n" + hello + ",\n" + hello + "\n]\n"},
		"the second conversation":      {"[" + hello + "]\n[" + hello + "," + unknown + "]\n[" + hello + "]\n", "[" + hello + "]\n"},
		"an envelope":                  {`{"messages": [` + hello + "," + unknown + "]}\n", ""},
		"a transcript in lines":        {hello + "\n" + unknown + "\n" + hello + "\n", hello + "\n"},
		"two records on a line":        {hello + "\n" + hello + " " + unknown + "\n" + hello + "\n", hello + "\n"},
		"text after a record":          {hello + "\n" + hello + " x\n" + hello + "\n", hello + "\n"},
		"events with carriage returns": {cr.Replace(events + event + `"content": "Bye"}` + "\n\n"), cr.Replace(events)},
		"events":                       {events + event + `"content": "Bye"}` + "\n\n", events},
		"events, the last one missing": {strings.TrimSuffix(events, event+`"end": true}`+"\n\n"), strings.TrimSuffix(events, event+`"end": true}`+"\n\n") + strings.Replace(event, "id: 1\n", "", 1) + `"end": true}` + "\n\n"},
		"events, the last one torn":    {events + event + "\n\n", events},
		"a session without an answer":  {frames, frames},
		"compressed":                   {gzipped(hello + "\n" + unknown + "\n"), ""},
		"compressed and sound":         {gzipped(hello + "\n" + hello + "\n"), gzipped(hello + "\n" + hello + "\n")},
	} {
		t.Run(name, func(t *testing.T) {
			for arrival, arrive := range arrivals {
				var out, report strings.Builder
				c := Command{Stdin: arrive(form.text), Stdout: &out, Stderr: &report}
				status := c.Main([]string{"check", "--isolated", "--tee", "--stop-on", "error", "-"})
				assert.Equal(t, form.passed, out.String(), "%s: %s", arrival, report.String())
				assert.Equal(t, strings.Contains(name, "sound"), status == exitClean, "%s: %s", arrival, report.String())
			}
		})
	}
}

func gzipped(text string) string {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write([]byte(text)) // a bytes.Buffer does not fail
	_ = w.Close()
	return packed.String()
}

// More than the limit is not held back: the run ends.
func TestStopOnHoldsNoMoreThanItsLimit(t *testing.T) {
	if !exhaustive.Enabled() {
		t.Skip("it needs much memory")
	}
	long := "[" + strings.Repeat(`{"role": "user", "type": "message", "content": "`+strings.Repeat("x", 1<<20)+`"},`, maxHeldBytes>>20)
	var out, report strings.Builder
	c := Command{Stdin: strings.NewReader(long), Stdout: &out, Stderr: &report}
	assert.Equal(t, exitTrouble, c.Main([]string{"check", "--tee", "--stop-on", "error", "-"}))
	assert.Empty(t, out.String())
	assert.Contains(t, report.String(), "hold back more than 256 MiB")
}
