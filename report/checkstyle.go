package report

import (
	"fmt"
	"io"

	"github.com/lmclint/lmclint/lint"
)

// checkstyle is one document as Checkstyle writes it: a file with its errors.
type checkstyle struct {
	out      io.Writer
	run      Run
	line     []byte
	findings spool
	files    []File
}

func (c *checkstyle) Begin(r Run) error {
	c.run = r
	return nil
}

func (c *checkstyle) Finding(f lint.Finding) error {
	c.line = c.finding(c.line[:0], &f)
	return c.findings.add(&f, c.line)
}

func (c *checkstyle) File(f File) error {
	c.files = append(c.files, f)
	return nil
}

func (c *checkstyle) finding(b []byte, f *lint.Finding) []byte {
	start := known(f.Place.Span.Start)
	message := f.Message
	if f.Help != "" {
		message += "; " + f.Help
	}
	severity := f.Severity.String()
	if f.Severity == lint.SeverityNote {
		severity = "info"
	}
	return fmt.Appendf(b, `    <error line="%d" column="%d" severity="%s" message="%s" source="%s"/>`+"\n",
		start.Line, start.Column, severity, escapeXML(message), escapeXML(c.run.Tool+"."+f.Rule.ID))
}

func (c *checkstyle) End(Summary) error {
	sortFiles(c.files)
	c.findings.sort()
	d := document{out: c.out}
	d.write(xmlHead + `<checkstyle version="10.0">` + "\n")
	next := 0
	for i := range c.files {
		f := &c.files[i]
		for next < c.findings.len() && c.findings.path(next) < f.Path {
			next = c.file(&d, &File{Result: lint.Result{Path: c.findings.path(next)}}, next)
		}
		next = c.file(&d, f, next)
	}
	for next < c.findings.len() {
		next = c.file(&d, &File{Result: lint.Result{Path: c.findings.path(next)}}, next)
	}
	d.write("</checkstyle>\n")
	return d.close()
}

// file writes a file with its findings, of which the next one has that number.
// Findings may be in files that are no inputs: inputs are compared with them.
func (c *checkstyle) file(d *document, f *File, next int) int {
	d.write(fmt.Sprintf(`  <file name="%s">`+"\n", escapeXML(f.Path)))
	if f.Err != nil {
		d.write(fmt.Sprintf(`    <error line="1" severity="error" message="%s" source="%s"/>`+"\n", escapeXML(reason(f)), escapeXML(c.run.Tool)))
	}
	for ; next < c.findings.len() && c.findings.path(next) == f.Path; next++ {
		d.spooled(&c.findings, next)
	}
	d.write("  </file>\n")
	return next
}
