package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/lmclint/lmclint/internal/jsonreport"
	"github.com/lmclint/lmclint/lint"
)

// jsonReport writes one sorted document when the run ends, a file or finding
// per line.
type jsonReport struct {
	base
	rendering rendering
	files     []File
	encoder   jsonEncoder
	findings  sortedTexts
}

func (j *jsonReport) Begin(r Run) error {
	j.run = r
	return j.rendering.begin(r)
}

func (j *jsonReport) Finding(f lint.Finding) error {
	finding, err := j.rendering.finding(&f)
	if err != nil {
		return err
	}
	text, err := j.encoder.encode(finding)
	if err != nil {
		return err
	}
	j.findings.add(&f, text)
	return nil
}

func (j *jsonReport) File(f File) error {
	j.files = append(j.files, f)
	return nil
}

func (j *jsonReport) End(s Summary) error {
	sortFiles(j.files)
	j.findings.sort()
	d := document{out: j.out}
	d.write(fmt.Sprintf("{\n  \"version\": %d,\n  \"tool\": ", jsonreport.Version))
	d.value(jsonreport.Tool{Name: j.run.Tool, Version: j.run.Version})
	d.write(",\n  \"files\": ")
	d.array("  ", len(j.files), func(i int) { d.value(jsonreport.NewFile(&j.files[i].Result, j.files[i].Err)) })
	d.write(",\n  \"findings\": ")
	d.array("  ", len(j.findings), func(i int) { d.write(j.findings[i].text) })
	if s.Coverage != nil {
		d.write(",\n  \"coverage\": ")
		d.value(s.Coverage)
	}
	d.write(",\n  \"summary\": ")
	d.value(j.rendering.summary(s))
	d.write("\n}\n")
	return d.close()
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

func (j *jsonLines) Begin(r Run) error { return j.rendering.begin(r) }

func (j *jsonLines) Finding(f lint.Finding) error {
	finding, err := j.rendering.finding(&f)
	if err != nil {
		return err
	}
	return j.encoder.writeLine(j.out, finding)
}

func (j *jsonLines) File(f File) error {
	if f.Err == nil {
		return nil
	}
	return j.encoder.writeLine(j.out, struct {
		File jsonreport.File `json:"file"`
	}{jsonreport.NewFile(&f.Result, f.Err)})
}

func (j *jsonLines) End(s Summary) error {
	return j.encoder.writeLine(j.out, struct {
		Summary jsonreport.Summary `json:"summary"`
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

// encodeLine is encode with a line feed.
func (e *jsonEncoder) encodeLine(value any) ([]byte, error) {
	text, err := e.encode(value)
	return append(text, '\n'), err
}

// writeLine writes a value and a line feed in one Write.
func (e *jsonEncoder) writeLine(w io.Writer, value any) error {
	line, err := e.encodeLine(value)
	if err == nil {
		_, err = w.Write(line)
	}
	return err
}
