package report

import (
	"io"
	"slices"

	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/source"
)

// jsonVersion is the version of the document that report.schema.json
// describes. It grows when a reader of the old one would be misled.
const jsonVersion = 1

// jsonReport is one document with everything in it, sorted. It is written at
// the end, a file or finding a line.
type jsonReport struct {
	out      io.Writer
	run      Run
	files    []File
	findings []lint.Finding
}

func (j *jsonReport) Begin(r Run) error {
	j.run = r
	return nil
}

func (j *jsonReport) Finding(f lint.Finding) error {
	j.findings = append(j.findings, withoutExcerpts(f))
	return nil
}

// withoutExcerpts leaves out what the document does not show, so that it need
// not be kept.
func withoutExcerpts(f lint.Finding) lint.Finding {
	f.Place.Excerpt = source.Excerpt{}
	f.Related = slices.Clone(f.Related)
	for i := range f.Related {
		f.Related[i].Place.Excerpt = source.Excerpt{}
	}
	return f
}

func (j *jsonReport) File(f File) error {
	j.files = append(j.files, f)
	return nil
}

func (j *jsonReport) End(s Summary) error {
	sortFiles(j.files)
	sortFindings(j.findings)
	d := document{out: j.out}
	d.write("{\n")
	d.member("version")
	d.json = append(d.json, '0'+jsonVersion)
	d.write(",\n")
	d.member("tool")
	d.tool(j.run)
	d.write(",\n")
	d.array("files", len(j.files), func(i int) { d.file(&j.files[i]) })
	d.array("findings", len(j.findings), func(i int) { d.finding(&j.findings[i]) })
	d.member("summary")
	d.summary(s)
	d.write("\n}\n")
	return d.close()
}
