package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

const xmlHead = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"

var xmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "\n", "&#10;")

// escapeXML makes data fit for an attribute or a text of XML.
func escapeXML(text string) string { return xmlEscapes.Replace(plain(text)) }

// plain is Visible without the two characters besides, which XML and YAML do
// not take.
func plain(text string) string {
	text = EscapeControls(text)
	if !strings.ContainsAny(text, "\ufffe\uffff") {
		return text
	}
	b := make([]byte, 0, len(text))
	for _, r := range text {
		if r == '\ufffe' || r == '\uffff' {
			b = fmt.Appendf(b, "<U+%04X>", r)
		} else {
			b = utf8.AppendRune(b, r)
		}
	}
	return string(b)
}

// section is what a document says about a file.
type section struct {
	path string
	text []byte
}

// writeSections writes sections in the order of their paths.
func writeSections(w io.Writer, sections []section) error {
	slices.SortStableFunc(sections, func(a, b section) int { return cmp.Compare(a.path, b.path) })
	for _, s := range sections {
		if _, err := w.Write(s.text); err != nil {
			return err
		}
	}
	return nil
}
