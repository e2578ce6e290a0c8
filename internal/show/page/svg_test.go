package page_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/show/page"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

// elements reads a document and counts its elements.
func elements(t *testing.T, document []byte) map[string]int {
	t.Helper()
	counts := map[string]int{}
	d := xml.NewDecoder(strings.NewReader(string(document)))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return counts
		}
		require.NoError(t, err, "%s", document)
		if start, ok := token.(xml.StartElement); ok {
			counts[start.Name.Local]++
			for _, a := range start.Attr {
				assert.False(t, strings.HasPrefix(a.Name.Local, "on"), "a handler")
				assert.NotEqual(t, "href", a.Name.Local, "a reference")
			}
		}
	}
}

func TestVectorDrawings(t *testing.T) {
	for name, c := range drawn(t) {
		document := page.SVG{Title: "a <b>", Escape: report.EscapeControls, ByTime: true}.Draw(c)
		if name != "long" {
			golden(t, name+".svg", document)
		}
		counts := elements(t, document)
		assert.Equal(t, 1, counts["svg"])
		assert.Equal(t, 1, counts["desc"])
		assert.Positive(t, counts["text"])
		assert.Zero(t, counts["script"]+counts["foreignObject"]+counts["image"]+counts["a"])
		text := string(document)
		assert.Contains(t, text, `<title id="title">a &lt;b&gt;</title>`)
		assert.Contains(t, text, "@media (prefers-color-scheme: dark)")
		assert.Equal(t, len(c.Pins), strings.Count(text, `<path class="pin `), "a pin for each finding")
		related := 0
		for _, p := range c.Pins {
			related += len(p.Related)
		}
		assert.Equal(t, related, strings.Count(text, `<path class="related"`))
	}
}

// What comes from a recording is text in the document.
func TestVectorDrawingsEscape(t *testing.T) {
	for _, word := range []string{"</text><script>alert(1)</script>", `"><image href="x"/>`, "\x00\x1b[2J\u202e", "]]>", "&#0;", "<!--", "\ufffe"} {
		c := observe(t, lint.Config{Kind: "stream"}, block(word, word, word, "x")+block("user", "message", "", "x"))
		document := page.SVG{Title: word, Escape: report.EscapeControls}.Draw(c)
		counts := elements(t, document)
		assert.Zero(t, counts["script"]+counts["image"])
		for _, raw := range []string{"\x00", "\x1b", "\u202e"} {
			assert.NotContains(t, string(document), raw)
		}
	}
}
