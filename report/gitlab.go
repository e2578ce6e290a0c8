package report

import (
	"crypto/sha256"
	"encoding/hex"
	"io"

	"github.com/lmclint/lmclint/lint"
)

// gitlab is one document as GitLab's Code Quality reads it: an array of issues
// with fingerprints that no two share.
type gitlab struct {
	out      io.Writer
	run      Run
	prints   fingerprints
	line     object
	findings spool
	failed   []File
}

func (g *gitlab) Begin(r Run) error {
	g.run = r
	return nil
}

func (g *gitlab) Finding(f lint.Finding) error {
	f.Fingerprint = g.prints.of(&f)
	g.line.json = g.line.json[:0]
	g.issue(&g.line, &f)
	return g.findings.add(&f, g.line.json)
}

func (g *gitlab) File(f File) error {
	if f.Err != nil {
		g.failed = append(g.failed, f)
	}
	return nil
}

func (g *gitlab) End(Summary) error {
	g.findings.sort()
	sortFiles(g.failed)
	d := document{out: g.out}
	d.write("[")
	for i := range g.failed {
		d.next(i == 0)
		g.failure(&d.object, &g.failed[i])
	}
	for i := range g.findings.len() {
		d.next(len(g.failed)+i == 0)
		d.spooled(&g.findings, i)
	}
	d.write("\n]\n")
	return d.close()
}

func (g *gitlab) issue(d *object, f *lint.Finding) {
	path, _ := g.run.locate(f.Path)
	description := f.Message
	if f.Help != "" {
		description += "; " + f.Help
	}
	d.begin()
	d.text("description", EscapeControls(description))
	d.text("check_name", f.Rule.ID)
	d.text("fingerprint", unique(path, f.Fingerprint))
	d.text("severity", gitlabSeverity(f.Severity))
	d.within("location", func() {
		d.text("path", path)
		d.within("lines", func() {
			d.number("begin", known(f.Place.Span.Start).Line)
			d.number("end", known(f.Place.Span.End).Line)
		})
	})
	d.end()
}

// failure is an issue of a file that was not checked to its end.
func (g *gitlab) failure(d *object, f *File) {
	path, _ := g.run.locate(f.Path)
	d.begin()
	d.text("description", EscapeControls(reason(f)))
	d.text("check_name", "not-checked")
	d.text("fingerprint", unique(path, "not checked"))
	d.text("severity", "blocker")
	d.within("location", func() {
		d.text("path", path)
		d.within("lines", func() { d.number("begin", 1) })
	})
	d.end()
}

func gitlabSeverity(s lint.Severity) string {
	switch s {
	case lint.SeverityError:
		return "major"
	case lint.SeverityWarning:
		return "minor"
	}
	return "info"
}

// fingerprints gives findings that come without a fingerprint the one that the
// engine would have given them.
type fingerprints struct {
	path string
	made lint.Fingerprints
}

func (p *fingerprints) of(f *lint.Finding) string {
	if f.Fingerprint != "" {
		return f.Fingerprint
	}
	if f.Path != p.path {
		*p = fingerprints{path: f.Path}
	}
	return p.made.Next(f)
}

// unique makes a fingerprint one that no finding of another path has.
func unique(path, fingerprint string) string {
	sum := sha256.Sum256([]byte(path + "\x00" + fingerprint))
	return hex.EncodeToString(sum[:16])
}
