package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// browserTests is where the tests are that need a browser.
const browserTests = "../../.ci/browser"

// needsBrowser skips a test that runs a script in a browser. It takes a minute, so
// that it runs only where .ci/browser/run asks for it; there a missing program is
// an error.
func needsBrowser(t *testing.T) {
	t.Helper()
	if os.Getenv("LMCLINT_BROWSER") == "" {
		t.Skip("needs node, chromium and playwright-core: .ci/browser/run installs and runs them")
	}
}

// runInBrowser runs a script of the tests with arguments.
func runInBrowser(t *testing.T, script string, args ...string) {
	t.Helper()
	out, err := exec.Command("node", append([]string{script}, args...)...).CombinedOutput()
	t.Log(string(out))
	require.NoError(t, err)
}

// TestReportsInBrowser makes pages of recordings and uses them in a real browser.
func TestReportsInBrowser(t *testing.T) {
	needsBrowser(t)
	script, err := filepath.Abs(filepath.Join(browserTests, "report.mjs"))
	require.NoError(t, err)
	testdata, err := filepath.Abs("../../testdata")
	require.NoError(t, err)
	pages, folder := t.TempDir(), filepath.Join(t.TempDir(), "here")
	require.NoError(t, os.Mkdir(folder, 0o755))
	t.Chdir(folder)
	write := func(name, text string) string {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
		return name
	}
	recorded := func(pattern string) []string {
		paths, err := filepath.Glob(filepath.Join(testdata, "recorded/v0.4.2", pattern))
		require.NoError(t, err)
		require.NotEmpty(t, paths)
		return paths
	}
	as := func(name, path string) string {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		return write(name, string(data))
	}
	const broken = `{"role": "user", "type": "message", "content": "Hi", "odd": 1}` + "\n"
	thousand := []string{}
	for i := range 1000 {
		thousand = append(thousand, write(fmt.Sprintf("many/a recording with a long name that differs at its end %04d.jsonl", i), broken))
	}
	clean, cut := recorded("docs_34_24.chunks.jsonl")[0], recorded("close_mid_code.chunks.jsonl")[0]
	(&Command{Stdout: io.Discard, Stderr: io.Discard}).Main([]string{"--baseline", "baseline.json", "--write-baseline", cut})
	as("some/clean.jsonl", clean)
	write("some/notes.txt", "hello\n")
	for name, inputs := range map[string][]string{
		"recorded": append(recorded("*.chunks.jsonl"), recorded("*.messages.json")...),
		"session":  recorded("ws_error.ws.jsonl"),
		"auth":     recorded("ws_auth.ws.jsonl"),
		"clean":    recorded("docs_34_24.chunks.jsonl"),
		"several":  {write("several.jsonl", strings.Repeat("[{\"role\": \"user\", \"type\": \"message\", \"content\": \" \"}]\n[{\"role\": \"user\", \"type\": \"message\", \"content\": \"Hi\"}]\n", 20))},
		"hostile":  {write("hostile <title><script>globalThis.pwned=3 \u202e.json", hostileRecording(t))},
		"large":    {write("large.jsonl", largeRecording(100_000))},
		"switch": {
			as("A.jsonl", recorded("close_mid_code.chunks.jsonl")[0]), as("B.jsonl", recorded("docs_34_24.chunks.jsonl")[0]),
			as("W.json", filepath.Join(testdata, "workbench/bad/wb001_request.json")), write("notes.txt", "hello\n"),
		},
		"names-absolute":   {write("a.json", broken), write(filepath.Join(t.TempDir(), "b.json"), broken)},
		"names-two-roots":  {write(filepath.Join(t.TempDir(), "b.json"), broken), write(filepath.Join(t.TempDir(), "deep/c.json"), broken)},
		"names-parent":     {"a.json", write("../c.json", broken)},
		"names-stdin":      {"-", write(filepath.Join(t.TempDir(), "d.json"), broken)},
		"names-everything": {"-", "a.json", write("deep/er/a.json", broken), "../c.json", write(filepath.Join(t.TempDir(), "e.json"), broken)},
		"files-1000":       thousand,
		"findings-5000":    {write("5000.jsonl", unknownKeys(5000, "odd%d"))},
		"findings-300":     {write("300.jsonl", unknownKeys(300, "odd%d"))},
		"equal-10000":      {write("equal.jsonl", unknownKeys(10_000, "odd"))},
		"incomplete":       {write("good.jsonl", strings.Replace(broken, `, "odd": 1`, "", 1)), "missing.jsonl"},
		"off":              {"--ignore", "LMC2,LMC3", cut},
		"baseline":         {"--baseline", "baseline.json", cut},
		"no-rules":         {"--select", "WB", clean},
		"skipped":          {"some"},
		"lanes":            {write("lanes.jsonl", lanesRecording(14))},
		"written":          {write("written.jsonl", writtenRecording)},
		"control":          {write("a\nb\x1b.jsonl", broken), write("c.jsonl", broken)},
		"cause":            {write("cause.jsonl", unknownKeys(46, "odd"))},
		"huge":             {write("huge.jsonl", strings.Repeat(hugeBlock, 110_000))},
		"fixable":          {as("fixable.jsonl", filepath.Join(testdata, "core/bad/lmc119_alias.jsonl"))},
	} {
		page, data := filepath.Join(pages, name+".html"), filepath.Join(pages, name+".json")
		var out bytes.Buffer
		c := Command{Stdin: strings.NewReader(broken), Stdout: io.Discard, Stderr: &out}
		if name != "equal-10000" && name != "cause" && name != "huge" && name != "baseline" { // whose findings have one cause
			inputs = append([]string{"--each"}, inputs...)
		}
		status := c.Main(append([]string{"--quiet", "--fail-on", "never", "--format", "html:" + page, "--format", "json:" + data}, inputs...))
		if name != "incomplete" && name != "switch" && name != "no-rules" {
			require.Zero(t, status, out.String())
		}
	}
	runInBrowser(t, script, pages)
}

// hugeBlock has a finding in each of its many repetitions.
const hugeBlock = `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hi", "odd": 1}
{"role": "assistant", "type": "message", "end": true}
`

// writtenRecording has times without an offset and with one.
const writtenRecording = `{"role": "user", "type": "message", "content": "Hi", "created_at": "2026-11-28 10:00:00"}
{"role": "assistant", "type": "message", "content": "Hello", "created_at": "2026-11-28T10:00:01+02:00"}
{"role": "user", "type": "message", "content": "Bye", "created_at": "2026-11-28T10:00:02Z"}
`

// lanesRecording is a transcript of so many roles.
func lanesRecording(roles int) string {
	var b strings.Builder
	for i := range roles {
		fmt.Fprintf(&b, "{\"role\": \"role %d\", \"type\": \"message\", \"content\": \"Hi\"}\n", i)
	}
	return b.String()
}

// unknownKeys is a stream of so many user messages, each with a key that is wrong.
func unknownKeys(records int, key string) string {
	var b strings.Builder
	for i := range records {
		name := key
		if strings.Contains(key, "%") {
			name = fmt.Sprintf(key, i)
		}
		fmt.Fprintf(&b, "{\"role\": \"user\", \"type\": \"message\", \"content\": \"Hi\", %q: 1}\n", name)
	}
	return b.String()
}

// hostileRecording is a transcript of texts that try to be more than text, and of
// one valid image.
func hostileRecording(t *testing.T) string {
	t.Helper()
	var picture bytes.Buffer
	require.NoError(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 40, 20))))
	messages := []string{}
	for _, content := range []string{
		`</script><script>globalThis.pwned=1</script>`, `<img src=x onerror=globalThis.pwned=2>`, `<b class=injected>`, `\u202etxt.exe`, `a\u0000b`,
		`\ud800`, `a\u2028b`, `<!-- <script>`, `]]>`, `{{7*7}}`, `javascript:alert(1)`,
	} {
		messages = append(messages,
			fmt.Sprintf(`{"role": "user", "type": "message", "content": "%s"}`, content),
			fmt.Sprintf(`{"role": "assistant", "type": "code", "format": "%s", "content": "%[1]s"}`, content),
			fmt.Sprintf(`{"role": "computer", "type": "console", "format": "output", "content": "%s", "%[1]s": 1}`, content))
	}
	messages = append(messages, `{"role": "user", "type": "message", "content": "`+strings.Repeat("0123456789", 1_000_000)+`"}`,
		`{"role": "computer", "type": "image", "format": "base64.png", "content": "PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+"}`,
		`{"role": "computer", "type": "image", "format": "base64.png", "content": "`+base64.StdEncoding.EncodeToString(picture.Bytes())+`"}`)
	return "[" + strings.Join(messages, ",\n") + "]"
}

// largeRecording is a stream of so many records, with a finding in each thousandth
// block.
func largeRecording(records int) string {
	var b strings.Builder
	for i, n := 0, 0; n < records; i++ {
		size := min(4+i%5, records-n)
		if records-n-size < 3 {
			size = records - n
		}
		kind := []string{`"role": "assistant", "type": "message"`, `"role": "user", "type": "message"`}[i%2]
		fmt.Fprintf(&b, "{%s, \"start\": true}\n", kind)
		for j := range size - 2 {
			content := fmt.Sprintf("word %d ", j)
			if i%1000 == 0 && j == 0 {
				content = ""
			}
			fmt.Fprintf(&b, "{%s, \"content\": %q}\n", kind, content)
		}
		fmt.Fprintf(&b, "{%s, \"end\": true}\n", kind)
		n += size
	}
	return b.String()
}

// TestPlaygroundInBrowser builds the playground and types into it.
func TestPlaygroundInBrowser(t *testing.T) {
	needsBrowser(t)
	folder := t.TempDir()
	out, err := exec.Command("../../web/build", folder).CombinedOutput()
	require.NoError(t, err, string(out))
	runInBrowser(t, filepath.Join(browserTests, "playground.mjs"), folder)
}
