package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/lmclint/lmclint/internal/exhaustive"
)

// How the bytes of an input may arrive at the gate.
var arrivals = map[string]func(text string) io.Reader{
	"one block":       func(text string) io.Reader { return strings.NewReader(text) },
	"byte by byte":    func(text string) io.Reader { return iotest.OneByteReader(strings.NewReader(text)) },
	"line by line":    slowly,
	"half a kibibyte": func(text string) io.Reader { return &blocks{text: text, size: 512} },
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
		assert.Equal(t, exitFindings, c.Main([]string{"check", "--tee", "--stop-on", "error", "--stop-hard", "-"}), name)
		assert.Equal(t, strings.Join(append(lines[:3:3], lines[4]), ""), out.String(), name)
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
		"events":                       {events + event + `"content": "Bye"}` + "\n\n", events},
		"events, the last one missing": {strings.TrimSuffix(events, event+`"end": true}`+"\n\n"), strings.TrimSuffix(events, event+`"end": true}`+"\n\n")},
		"events, the last one torn":    {events + event + "\n\n", events},
		"a session without an answer":  {frames, frames},
		"compressed":                   {gzipped(hello + "\n" + unknown + "\n"), ""},
		"compressed and sound":         {gzipped(hello + "\n" + hello + "\n"), gzipped(hello + "\n" + hello + "\n")},
	} {
		t.Run(name, func(t *testing.T) {
			for arrival, arrive := range arrivals {
				var out, report strings.Builder
				c := Command{Stdin: arrive(form.text), Stdout: &out, Stderr: &report}
				status := c.Main([]string{"check", "--isolated", "--tee", "--stop-on", "error", "--stop-hard", "-"})
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
