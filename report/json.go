package report

import (
	"io"

	"github.com/lmclint/lmclint/lint"
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
	line     object
	findings spool
}

func (j *jsonReport) Begin(r Run) error {
	j.run = r
	return nil
}

func (j *jsonReport) Finding(f lint.Finding) error {
	j.line.json = j.line.json[:0]
	j.line.finding(&f)
	return j.findings.add(&f, j.line.json)
}

func (j *jsonReport) File(f File) error {
	j.files = append(j.files, f)
	return nil
}

func (j *jsonReport) End(s Summary) error {
	sortFiles(j.files)
	j.findings.sort()
	d := document{out: j.out}
	d.write("{\n")
	d.member("version")
	d.json = append(d.json, '0'+jsonVersion)
	d.write(",\n")
	d.member("tool")
	d.tool(j.run)
	d.write(",\n")
	d.array("files", len(j.files), func(i int) { d.file(&j.files[i]) })
	d.array("findings", j.findings.len(), func(i int) { d.spooled(&j.findings, i) })
	d.member("summary")
	d.summary(s)
	d.write("\n}\n")
	return d.close()
}
