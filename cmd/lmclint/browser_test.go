package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
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
	out, err := exec.Command("node", append([]string{filepath.Join(browserTests, script)}, args...)...).CombinedOutput()
	t.Log(string(out))
	require.NoError(t, err)
}

// TestReportsInBrowser makes pages of recordings and uses them in a real browser.
func TestReportsInBrowser(t *testing.T) {
	needsBrowser(t)
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	recorded := func(pattern string) []string {
		paths, err := filepath.Glob("../../testdata/recorded/v0.4.2/" + pattern)
		require.NoError(t, err)
		require.NotEmpty(t, paths)
		return paths
	}
	for name, inputs := range map[string][]string{
		"recorded": append(recorded("*.chunks.jsonl"), recorded("*.messages.json")...),
		"session":  recorded("ws_error.ws.jsonl"),
		"clean":    recorded("docs_34_24.chunks.jsonl"),
		"several":  {write("several.jsonl", strings.Repeat("[{\"role\": \"user\", \"type\": \"message\", \"content\": \" \"}]\n[{\"role\": \"user\", \"type\": \"message\", \"content\": \"Hi\"}]\n", 20))},
		"hostile":  {write("hostile <title><script>globalThis.pwned=3 \u202e.json", hostileRecording(t))},
		"large":    {write("large.jsonl", largeRecording(100_000))},
	} {
		page, data := filepath.Join(folder, name+".html"), filepath.Join(folder, name+".json")
		status, out := run(append([]string{"--quiet", "--exit-zero", "--format", "html:" + page, "--format", "json:" + data}, inputs...)...)
		require.Zero(t, status, out)
	}
	runInBrowser(t, "report.mjs", folder)
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
	runInBrowser(t, "playground.mjs", folder)
}
