package report

import (
	"encoding/xml"
	"slices"

	"github.com/lmclint/lmclint/lint"
)

// checkstyle writes one document in the XML of Checkstyle: files with their
// errors.
type checkstyle struct {
	base
	findings list[*checkstyleError]
	files    []File
}

type checkstyleError struct {
	XMLName  xml.Name `xml:"error"`
	Line     int      `xml:"line,attr"`
	Column   int      `xml:"column,attr,omitempty"`
	Severity string   `xml:"severity,attr"`
	Message  string   `xml:"message,attr"`
	Source   string   `xml:"source,attr"`
}

func (c *checkstyle) Finding(f lint.Finding) error {
	start := known(f.Place.Span.Start)
	severity := f.Severity.String()
	if f.Severity == lint.SeverityNote {
		severity = "info"
	}
	c.findings.add(&f, &checkstyleError{
		Line: start.Line, Column: start.Column, Severity: severity,
		Message: escapeStrict(oneLine(&f)), Source: escapeStrict(c.run.Tool + "." + f.Rule.ID),
	})
	return nil
}

func (c *checkstyle) File(f File) error {
	c.files = append(c.files, f)
	return nil
}

// End writes each file with its findings. Findings may be in files that are
// not inputs, such as a conversation that a stream is compared with.
func (c *checkstyle) End(Summary) error {
	findings := c.findings.sorted()
	failures := map[string][]string{}
	var paths []string
	for i := range c.files {
		f := &c.files[i]
		paths = append(paths, f.Path)
		if f.Err != nil {
			failures[f.Path] = append(failures[f.Path], reason(f))
		}
	}
	for i := range findings {
		if path := findings[i].path; i == 0 || path != findings[i-1].path {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	d := documentWriter{out: c.out}
	d.write(xmlHead + `<checkstyle version="10.0">` + "\n")
	next := 0
	for _, path := range slices.Compact(paths) {
		d.write(`  <file name="` + xmlAttribute(path) + `">` + "\n")
		for _, failure := range failures[path] {
			d.xml("    ", &checkstyleError{Line: 1, Severity: "error", Message: escapeStrict(failure), Source: escapeStrict(c.run.Tool)})
		}
		for ; next < len(findings) && findings[next].path == path; next++ {
			d.xml("    ", findings[next].value)
		}
		d.write("  </file>\n")
	}
	d.write("</checkstyle>\n")
	return d.err
}
