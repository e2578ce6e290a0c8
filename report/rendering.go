package report

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/jsonreport"
	"github.com/lmclint/lmclint/lint"
)

// rendering makes the objects of the JSON report, and with Options.Rendered adds
// what the text report shows. The zero value adds nothing.
type rendering struct {
	text   Reporter // writes to buffer; nil to add nothing
	buffer *bytes.Buffer
	made   jsonreport.Finding // the last one
}

func newRendering(o Options) rendering {
	if !o.Rendered {
		return rendering{}
	}
	buffer := &bytes.Buffer{}
	reporter, _ := New(FormatText, buffer, Options{}) // fails for an unknown format only
	return rendering{text: reporter, buffer: buffer}
}

// begin begins the text report.
func (r *rendering) begin(run Run) error {
	if r.text == nil {
		return nil
	}
	return r.text.Begin(run)
}

// finding returns the object of a finding, which is valid until the next call.
// Its text has no empty line at either end.
func (r *rendering) finding(f *lint.Finding) (*jsonreport.Finding, error) {
	r.made = jsonreport.NewFinding(f)
	if r.text == nil {
		return &r.made, nil
	}
	r.buffer.Reset()
	if err := r.text.Finding(*f); err != nil {
		return nil, err
	}
	r.made.Rendered = string(bytes.Trim(r.buffer.Bytes(), "\n"))
	return &r.made, nil
}

// summary returns the object of a summary.
func (r *rendering) summary(s Summary) jsonreport.Summary {
	made := jsonreport.Summary{
		Files: s.Files, Skipped: s.Skipped, Records: s.Records,
		Errors: s.Errors, Warnings: s.Warnings, Notes: s.Notes,
		Known: s.Suppressed, Hidden: s.Hidden, Fixable: s.Fixable, Unsafe: s.FixableUnsafely, Incomplete: s.Incomplete,
	}
	if r.text != nil {
		made.Rendered = s.String()
	}
	return made
}
