package report

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"strings"

	"github.com/lmclint/lmclint/internal/show/page"
	"github.com/lmclint/lmclint/lint"
)

// pageFiles is the code of the page, as plain files. The playground uses the same.
//
//go:embed page
var pageFiles embed.FS

// html writes one self-contained page when the run ends: it shows the document
// of page.
type html struct {
	base
	builder page.Builder
}

func (h *html) Finding(f lint.Finding) error {
	h.builder.Finding(f)
	return nil
}

func (h *html) File(f File) error {
	h.builder.File(&f.Result, f.Err)
	return nil
}

// End writes the page. Nothing in it needs to be escaped: it consists of files of
// this package, and of JSON without "<".
func (h *html) End(s Summary) error {
	if s.Coverage != nil {
		h.builder.Coverage = s.Coverage.Lines()
	}
	h.builder.Unread = s.unread()
	data := h.builder.Document(h.run.Tool, h.run.Version, s)
	style, script := pageFile("page.css"), ""
	for _, name := range pageScripts {
		script += pageFile(name)
	}
	_, err := strings.NewReplacer(
		"{style}", style, "{style hash}", sourceHash(style),
		"{script}", script, "{script hash}", sourceHash(script),
		"{data}", string(data),
	).WriteString(h.out, pageFile("page.html"))
	return err
}

// pageScripts are the scripts of the page, in the order in which they run.
var pageScripts = [...]string{"elements.js", "view.js", "drawing.js", "timeline.js", "findings.js", "page.js", "boot.js"}

// pageFile returns a file of the page.
func pageFile(name string) string {
	text, err := pageFiles.ReadFile("page/" + name)
	if err != nil {
		panic("report: " + err.Error()) // it is embedded
	}
	return string(text)
}

// sourceHash returns the source of a Content-Security-Policy that allows a text.
func sourceHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
