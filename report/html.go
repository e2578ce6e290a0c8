package report

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/lmclint/lmclint/internal/jsonreport"
	"github.com/lmclint/lmclint/internal/pagejson"
	"github.com/lmclint/lmclint/lint"
)

// pageFiles is the code of the page, as plain files. The playground uses the same.
//
//go:embed page
var pageFiles embed.FS

// htmlMost is how many findings and files the tables have that need no
// JavaScript and are printed.
const htmlMost = 2000

// html writes one self-contained page when the run ends. Its tables are readable
// without JavaScript; with it, the page shows the document of pagejson.
type html struct {
	base
	builder  pagejson.Builder
	files    []htmlFile
	findings mostSevere
	hidden   int // files that are not in the table
	failures []string
}

type htmlFile struct {
	Path, Kind                       string
	Records, Errors, Warnings, Notes int
}

// htmlFinding is a row of the table of findings.
type htmlFinding struct {
	Severity, Rule, Name, Place, Message, Help, Excerpt string
	Related                                             []string
}

func (h *html) Finding(f lint.Finding) error {
	h.builder.Finding(f)
	h.findings.add(f)
	return nil
}

func (h *html) File(f File) error {
	h.builder.File(&f.Result, f.Err)
	if f.Err != nil && len(h.failures) < htmlMost {
		h.failures = append(h.failures, EscapeControls(f.Path)+": "+EscapeControls(reason(&f)))
	}
	if len(h.files) >= htmlMost {
		h.hidden++
		return nil
	}
	h.files = append(h.files, htmlFile{EscapeControls(f.Path), f.Kind, f.Records, f.Errors, f.Warnings, f.Notes})
	return nil
}

func (h *html) End(s Summary) error {
	page, err := template.New("page.html").ParseFS(pageFiles, "page/page.html")
	if err != nil {
		return fmt.Errorf("parse the page: %w", err)
	}
	style, script := pageFile("page.css"), pageScript()
	policy := "default-src 'none'; script-src " + sourceHash(script) + "; style-src " + sourceHash(style) + "; img-src data:; base-uri 'none'; form-action 'none'"
	slices.SortStableFunc(h.files, func(a, b htmlFile) int { return cmp.Compare(a.Path, b.Path) })
	var more, moreFiles string
	rows := h.rows()
	if h.findings.left > 0 {
		more = english.Plural(h.findings.left, "less severe finding", "") + " not in this table"
	}
	if h.hidden > 0 {
		moreFiles = english.Plural(h.hidden, "more file", "") + " not in this table"
	}
	data := h.builder.Document(h.run.Tool, h.run.Version, (&rendering{}).summary(s))
	// The three are made of files of this package and of JSON without "<".
	return page.Execute(h.out, map[string]any{
		"Policy": policy, "Tool": h.run.Tool, "Version": h.run.Version, "Title": s.findings() + " – " + h.run.Tool, "Summary": s.String(),
		"Failures": h.failures, "Files": h.files, "MoreFiles": moreFiles, "Findings": rows, "MoreFindings": more,
		"Style":  template.HTML("<style>" + style + "</style>"),
		"Data":   template.HTML(`<script type="application/json" id="data">` + string(data) + "</script>"),
		"Script": template.HTML("<script>" + script + "</script>"),
	})
}

// rows returns the table of findings.
func (h *html) rows() []htmlFinding {
	var rows []htmlFinding
	for _, f := range h.findings.sorted() {
		row := htmlFinding{
			Severity: f.Severity.String(), Rule: f.Rule.ID, Name: f.Rule.Name, Place: placeText(f.Path, jsonreport.NewFinding(&f).Place),
			Message: EscapeControls(f.Message), Help: EscapeControls(f.Help), Excerpt: EscapeControls(strings.TrimRight(f.Place.Excerpt.Text, "\r\n")),
		}
		if f.Place.Excerpt.CutLeft {
			row.Excerpt = cutMark + row.Excerpt
		}
		if f.Place.Excerpt.CutRight {
			row.Excerpt += cutMark
		}
		related := jsonreport.NewFinding(&f).Related
		for _, r := range related {
			row.Related = append(row.Related, placeText(cmp.Or(r.Path, f.Path), r.Place)+": "+EscapeControls(r.Message))
		}
		rows = append(rows, row)
	}
	return rows
}

func placeText(path string, p jsonreport.Place) string {
	return fmt.Sprintf("%s:%d:%d", EscapeControls(path), p.Line, p.Column)
}

// pageScripts are the scripts of the page, in the order in which they run.
var pageScripts = [...]string{"elements.js", "view.js", "drawing.js", "timeline.js", "page.js", "boot.js"}

// pageScript returns all scripts of the page as one.
func pageScript() string {
	var script strings.Builder
	for _, name := range pageScripts {
		script.WriteString(pageFile(name))
	}
	return script.String()
}

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
