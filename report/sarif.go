package report

import (
	"cmp"
	"fmt"
	"io"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// sarifMost is how many findings a SARIF report holds: code scanning refuses a
// run with more.
const maxSARIFResults = 25_000

const sarifHead = `{
"$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
"version": "2.1.0",
"runs": [{
`

// sarif is one document for code scanning. It holds the gravest findings, and
// a notification of how many others there are.
type sarif struct {
	out      io.Writer
	run      Run
	findings mostSevere
	prints   fingerprints
	failed   []File
	rules    ruleIndex
}

func newSARIF(w io.Writer) *sarif { return &sarif{out: w, findings: mostSevere{most: maxSARIFResults}} }

func (s *sarif) Begin(r Run) error {
	s.run = r
	for _, rule := range r.Rules {
		s.rules.of(rule)
	}
	return nil
}

func (s *sarif) Finding(f lint.Finding) error {
	f.Fingerprint = s.prints.of(&f)
	s.rules.of(f.Rule)
	s.findings.add(f)
	return nil
}

func (s *sarif) File(f File) error {
	if f.Err != nil {
		s.failed = append(s.failed, f)
	}
	return nil
}

func (s *sarif) End(sum Summary) error {
	findings := s.findings.sorted()
	sortFiles(s.failed)
	d := &sarifWriter{document{out: s.out}, &s.run}
	d.write(sarifHead)
	d.member("tool")
	d.driver(s.rules.rules)
	d.member("invocations")
	d.invocations(sum, s.failed, s.findings.left)
	d.member("originalUriBaseIds")
	d.write(`{"%SRCROOT%":{"description":{"text":"The root of the repository."}}},` + "\n")
	d.array("results", len(findings), func(i int) { d.result(&findings[i], s.rules.of(findings[i].Rule)) })
	d.member("columnKind")
	d.write(`"unicodeCodePoints"` + "\n}]\n}\n")
	return d.close()
}

// ruleIndex numbers rules.
type ruleIndex struct {
	rules []*lint.Rule
	index map[*lint.Rule]int
}

func (x *ruleIndex) of(r *lint.Rule) int {
	i, ok := x.index[r]
	if ok {
		return i
	}
	if x.index == nil {
		x.index = map[*lint.Rule]int{}
	}
	x.index[r] = len(x.rules)
	x.rules = append(x.rules, r)
	return x.index[r]
}

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

// informationURI is where the program is at home.
const informationURI = "https://github.com/lmclint/lmclint"

// longestExample is how many bytes an example has at most that help shows.
const longestExample = 2000

// driver describes the program and its rules.
func (d *sarifWriter) driver(rules []*lint.Rule) {
	d.begin()
	d.within("driver", func() {
		d.text("name", d.run.Tool)
		d.optional("version", d.run.Version)
		d.text("informationUri", informationURI)
		d.list("rules", len(rules), func(i int) { d.rule(rules[i]) })
	})
	d.end()
	d.write(",\n")
}

func (d *sarifWriter) rule(r *lint.Rule) {
	said := func(name, text string) {
		if text != "" {
			d.within(name, func() { d.text("text", text) })
		}
	}
	d.text("id", r.ID)
	d.text("name", r.Name)
	said("shortDescription", r.Summary)
	said("fullDescription", r.Rationale)
	d.within("help", func() {
		d.text("text", r.Summary+".\n\n"+r.Rationale+"\n\n"+d.run.Tool+" explain "+r.ID+" says more.")
		d.text("markdown", ruleMarkdown(r))
	})
	d.within("defaultConfiguration", func() { d.text("level", r.Severity.String()) })
	d.within("properties", func() { d.text("problem.severity", problemSeverity(r.Severity)) })
}

// problemSeverity is the severity in the words of code scanning.
func problemSeverity(s lint.Severity) string {
	if s == lint.SeverityNote {
		return "recommendation"
	}
	return s.String()
}

// ruleMarkdown explains a rule with an example of each kind.
func ruleMarkdown(r *lint.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s %s**: %s.\n\n%s\n", r.ID, r.Name, r.Summary, r.Rationale)
	example := func(title string, examples []lint.Example) {
		for _, e := range examples {
			if text := e.Text(); len(text) <= longestExample {
				fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
				fmt.Fprintf(&b, "\n%s: %s\n\n%s\n%s\n%s\n", title, e.Name, fence, strings.TrimSuffix(text, "\n"), fence)
				return
			}
		}
	}
	example("Wrong", r.Bad)
	example("Right", r.Good)
	for i, e := range r.Evidence {
		if i == 0 {
			b.WriteString("\nIt rests on:\n\n")
		}
		fmt.Fprintf(&b, "- %s\n", e)
	}
	return b.String()
}

// longestRun returns the length of the longest run of a byte.
func longestRun(text string, c byte) (longest int) {
	run := 0
	for i := range len(text) {
		if text[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// invocations says how the run went, and what is not in the report.
func (d *sarifWriter) invocations(sum Summary, failed []File, left int) {
	var warnings []string
	if left > 0 {
		warnings = append(warnings, are(left)+" not in this report, which holds the gravest "+thousands(maxSARIFResults))
	}
	if sum.Hidden > 0 {
		warnings = append(warnings, are(sum.Hidden)+" not shown")
	}
	d.write("[")
	d.begin()
	d.boolean("executionSuccessful", !sum.Incomplete)
	if n := len(failed) + len(warnings); n > 0 {
		d.list("toolExecutionNotifications", n, func(i int) {
			if i < len(failed) {
				d.failure(&failed[i])
				return
			}
			d.text("level", "warning")
			d.message(warnings[i-len(failed)])
		})
	}
	d.end()
	d.write("],\n")
}

// failure says why a file was not checked.
func (d *sarifWriter) failure(f *File) {
	d.text("level", "error")
	d.message(EscapeControls(reason(f)))
	d.list("locations", 1, func(int) {
		d.within("physicalLocation", func() { d.artifact(f.Path) })
	})
}

// are writes a number of findings, as in "1 more finding is".
func are(more int) string {
	if more == 1 {
		return "1 more finding is"
	}
	return thousands(more) + " more findings are"
}
