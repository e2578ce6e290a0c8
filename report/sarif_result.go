package report

import (
	"cmp"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// sarifWriter writes the parts of a SARIF run.
type sarifWriter struct {
	document
	run *Run
}

func (d *sarifWriter) result(f *lint.Finding, rule int) {
	d.begin()
	d.text("ruleId", f.Rule.ID)
	d.number("ruleIndex", rule)
	d.text("level", f.Severity.String())
	message := EscapeControls(f.Message)
	if f.Help != "" {
		message += "\nhelp: " + EscapeControls(f.Help)
	}
	d.message(message)
	d.list("locations", 1, func(int) { d.location(f.Path, &f.Place) })
	if len(f.Related) > 0 {
		d.list("relatedLocations", len(f.Related), func(i int) {
			d.number("id", i)
			d.message(EscapeControls(f.Related[i].Message))
			d.location(cmp.Or(f.Related[i].Path, f.Path), &f.Related[i].Place)
		})
	}
	d.within("partialFingerprints", func() { d.text(lint.FingerprintVersion, f.Fingerprint) })
	d.within("properties", func() {
		d.text("pointer", f.Place.Pointer)
		d.index("record", f.Place.Record)
		d.index("conversation", f.Conversation)
	})
	d.end()
}

// message writes a text that may show data. Square brackets in it are no link.
func (d *sarifWriter) message(text string) {
	if strings.Contains(text, "](") {
		text = strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`).Replace(text)
	}
	d.within("message", func() { d.text("text", text) })
}

func (d *sarifWriter) location(path string, p *source.Place) {
	d.within("physicalLocation", func() {
		d.artifact(path)
		d.within("region", func() { d.region(p) })
		if part, whole := covered(p); whole && part != p.Excerpt.Text {
			d.within("contextRegion", func() { d.context(p) })
		}
	})
}

// artifact names a file as seen from the root of the repository.
func (d *sarifWriter) artifact(path string) {
	below, ok := d.run.locate(path)
	d.within("artifactLocation", func() {
		if !ok {
			d.text("uri", (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(below, "/")}).String())
			return
		}
		d.text("uri", (&url.URL{Path: below}).String())
		d.text("uriBaseId", "%SRCROOT%")
	})
}

func (d *sarifWriter) region(p *source.Place) {
	start, end := known(p.Span.Start), known(p.Span.End)
	d.number("startLine", start.Line)
	d.number("startColumn", start.Column)
	d.number("endLine", end.Line)
	d.number("endColumn", end.Column)
	d.number64("byteOffset", start.Offset)
	d.number64("byteLength", end.Offset-start.Offset)
	if part, whole := covered(p); whole {
		d.within("snippet", func() { d.text("text", part) })
	}
}

// context is the part of the line that an excerpt shows.
func (d *sarifWriter) context(p *source.Place) {
	e := &p.Excerpt
	d.number("startLine", known(p.Span.Start).Line)
	d.number("startColumn", e.Column)
	d.number("endColumn", e.Column+utf8.RuneCountInString(e.Text))
	d.within("snippet", func() { d.text("text", e.Text) })
}

// covered returns the text of a place, if its excerpt shows the whole of it.
func covered(p *source.Place) (string, bool) {
	start, end, e := p.Span.Start, p.Span.End, &p.Excerpt
	if start.Line != end.Line || e.Column < 1 || e.Column > start.Column || start.Column >= end.Column {
		return "", false
	}
	rest, ok := behind(e.Text, start.Column-e.Column)
	if !ok {
		return "", false
	}
	after, ok := behind(rest, end.Column-start.Column)
	return rest[:len(rest)-len(after)], ok
}

// behind returns what follows the first n code points of a text, if it has so
// many.
func behind(text string, n int) (string, bool) {
	for ; n > 0; n-- {
		_, size := utf8.DecodeRuneInString(text)
		if size == 0 {
			return "", false
		}
		text = text[size:]
	}
	return text, true
}
