package report

import (
	"fmt"
	"io"

	"github.com/lmclint/lmclint/lint"
)

// checkstyle is one document as Checkstyle writes it: a file with its errors.
type checkstyle struct {
	out   io.Writer
	run   Run
	open  []lint.Finding // of the file at hand
	files []section
}

func (c *checkstyle) Begin(r Run) error {
	c.run = r
	return nil
}

func (c *checkstyle) Finding(f lint.Finding) error {
	c.open = append(c.open, withoutExcerpts(f))
	return nil
}

func (c *checkstyle) File(f File) error {
	sortFindings(c.open)
	b := fmt.Appendf(nil, `  <file name="%s">`+"\n", escapeXML(f.Path))
	if f.Err != nil {
		b = fmt.Appendf(b, `    <error severity="error" message="%s" source="%s"/>`+"\n", escapeXML(reason(&f)), escapeXML(c.run.Tool))
	}
	for i := range c.open {
		b = c.finding(b, &c.open[i])
	}
	c.files = append(c.files, section{f.Path, append(b, "  </file>\n"...)})
	clear(c.open)
	c.open = c.open[:0]
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
	if _, err := io.WriteString(c.out, xmlHead+`<checkstyle version="10.0">`+"\n"); err != nil {
		return err
	}
	if err := writeSections(c.out, c.files); err != nil {
		return err
	}
	_, err := io.WriteString(c.out, "</checkstyle>\n")
	return err
}
