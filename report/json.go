package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/lmclint/lmclint/internal/show/jsonreport"
	"github.com/lmclint/lmclint/lint"
)

// jsonReport writes one sorted document when the run ends, a file or finding
// per line.
type jsonReport struct {
	base
	rendering rendering
	files     []File
	findings  list[*jsonreport.Finding]
}

func (j *jsonReport) Finding(f lint.Finding) error {
	j.findings.add(&f, j.rendering.finding(&f))
	return nil
}

func (j *jsonReport) File(f File) error {
	j.files = append(j.files, f)
	return nil
}

func (j *jsonReport) End(s Summary) error {
	sortFiles(j.files)
	findings := j.findings.sorted()
	d := documentWriter{out: j.out}
	d.write(fmt.Sprintf("{\n  \"version\": %d,\n  \"tool\": ", jsonreport.Version))
	d.value(jsonreport.Tool{Name: j.run.Tool, Version: j.run.Version})
	d.write(",\n  \"files\": ")
	d.array("  ", len(j.files), func(i int) { d.value(jsonreport.NewFile(&j.files[i].Result, j.files[i].Err)) })
	d.write(",\n  \"findings\": ")
	d.array("  ", len(findings), func(i int) { d.value(findings[i].value) })
	if s.Coverage != nil {
		d.write(",\n  \"coverage\": ")
		d.value(s.Coverage)
	}
	d.write(",\n  \"summary\": ")
	d.value(j.rendering.summary(s))
	d.write("\n}\n")
	return d.err
}

// jsonLines writes a finding per line, a file per line if it was not checked to its
// end, and the summary as the last line. Each
// line is one Write, so that a reader at the other end of a pipe receives whole
// lines.
type jsonLines struct {
	base
	rendering rendering
	encoder   jsonEncoder
}

func (j *jsonLines) Finding(f lint.Finding) error {
	return j.encoder.writeLine(j.out, j.rendering.finding(&f))
}

func (j *jsonLines) File(f File) error {
	for i := range f.Repeated {
		line := struct {
			Repeated jsonreport.Repeated `json:"repeated"`
		}{jsonreport.NewRepeated(&f.Repeated[i])}
		if err := j.encoder.writeLine(j.out, line); err != nil {
			return err
		}
	}
	if f.Err == nil {
		return nil
	}
	return j.encoder.writeLine(j.out, struct {
		File jsonreport.File `json:"file"`
	}{jsonreport.NewFile(&f.Result, f.Err)})
}

func (j *jsonLines) End(s Summary) error {
	return j.encoder.writeLine(j.out, struct {
		Summary renderedSummary `json:"summary"`
	}{j.rendering.summary(s)})
}

// jsonEncoder encodes values as encoding/json does, but it does not escape
// HTML, and it escapes characters that would control a terminal. The zero value
// is ready for use.
type jsonEncoder struct {
	buffer  bytes.Buffer
	encoder *json.Encoder
}

// encode returns a value as JSON on one line. The text is valid until the next
// call.
func (e *jsonEncoder) encode(value any) ([]byte, error) {
	if e.encoder == nil {
		e.encoder = json.NewEncoder(&e.buffer)
		e.encoder.SetEscapeHTML(false)
	}
	e.buffer.Reset()
	if err := e.encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	return jsonreport.EscapeHidden(bytes.TrimSuffix(e.buffer.Bytes(), []byte("\n"))), nil
}

// writeLine writes a value and a line feed in one Write.
func (e *jsonEncoder) writeLine(w io.Writer, value any) error {
	text, err := e.encode(value)
	if err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	return err
}

// rendering makes the objects of the JSON report. With Options.Rendered it adds what the
// text report shows; the zero value adds nothing.
type rendering struct{ text *findingText }

func newRendering(o Options) rendering {
	if !o.Rendered {
		return rendering{}
	}
	return rendering{newFindingText(Options{})}
}

// finding returns the object of a finding. Its text has no empty line at either end.
func (r rendering) finding(f *lint.Finding) *jsonreport.Finding {
	made := jsonreport.NewFinding(f)
	if r.text != nil {
		made.Rendered = strings.Trim(string(escapeCommands([]byte(r.text.body(f)), visibleHash)), "\n")
	}
	return &made
}

// renderedSummary is a summary, with its text if that was asked for.
type renderedSummary struct {
	Summary
	Rendered string `json:"rendered,omitempty"`
}

// summary returns the object of a summary.
func (r rendering) summary(s Summary) renderedSummary {
	made := renderedSummary{Summary: s}
	if r.text != nil {
		made.Rendered = s.String()
	}
	return made
}
