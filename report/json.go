package report

import (
	"bufio"
	"cmp"
	"io"
	"slices"

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
	files    []jsonFile
	findings []jsonFinding
}

func (j *jsonReport) Begin(r Run) error {
	j.run = r
	return nil
}

func (j *jsonReport) Finding(f lint.Finding) error {
	j.findings = append(j.findings, modelFinding(f))
	return nil
}

func (j *jsonReport) File(f File) error {
	j.files = append(j.files, modelFile(f))
	return nil
}

func (j *jsonReport) End(s Summary) error {
	j.sort()
	d := document{out: bufio.NewWriter(j.out)}
	d.text("{\n")
	d.member("version", jsonVersion)
	d.member("tool", jsonTool{Name: j.run.Tool, Version: j.run.Version})
	array(&d, "files", j.files)
	array(&d, "findings", j.findings)
	d.text(`  "summary": `)
	d.value(modelSummary(s))
	d.text("\n}\n")
	return d.close()
}

func (j *jsonReport) sort() {
	slices.SortStableFunc(j.files, func(a, b jsonFile) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortStableFunc(j.findings, func(a, b jsonFinding) int {
		return cmp.Or(
			cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Offset, b.Offset),
			cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Message, b.Message),
		)
	})
}
