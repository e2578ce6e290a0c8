package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// jsonVersion is the version of the document that report.schema.json
// describes. It increases when a reader of the previous version would be
// misled.
const jsonVersion = 1

// The types below are the objects of report.schema.json, in the order of their
// keys.

type jsonTool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type jsonFile struct {
	Path     string `json:"path"`
	Protocol string `json:"protocol,omitempty"`
	Kind     string `json:"kind,omitempty"`
	Form     string `json:"form,omitempty"`
	Dialect  string `json:"dialect,omitempty"`
	Records  int    `json:"records"`
	Errors   int    `json:"errors"`
	Warnings int    `json:"warnings"`
	Notes    int    `json:"notes"`
	Failure  string `json:"failure,omitempty"`
}

type jsonFinding struct {
	Rule         string `json:"rule"`
	Name         string `json:"name"`
	Severity     string `json:"severity"`
	Message      string `json:"message"`
	Help         string `json:"help,omitempty"`
	Path         string `json:"path"`
	Conversation index  `json:"conversation,omitzero"`
	jsonPlace
	Related []jsonRelated `json:"related"`
}

type jsonRelated struct {
	Message string `json:"message"`
	Path    string `json:"path,omitempty"`
	jsonPlace
}

type jsonPlace struct {
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
	Offset    int64  `json:"offset"`
	EndOffset int64  `json:"endOffset"`
	Record    index  `json:"record,omitzero"`
	Pointer   string `json:"pointer"`
}

type jsonSummary struct {
	Files      int  `json:"files"`
	Skipped    int  `json:"skipped"`
	Records    int  `json:"records"`
	Errors     int  `json:"errors"`
	Warnings   int  `json:"warnings"`
	Notes      int  `json:"notes"`
	Known      int  `json:"known,omitempty"`
	Hidden     int  `json:"hidden,omitempty"`
	Incomplete bool `json:"incomplete"`
}

// index is a number from 0. A key whose index is -1 is omitted.
type index int

// IsZero reports whether encoding/json omits the key.
func (i index) IsZero() bool { return i < 0 }

func newJSONFile(f *File) jsonFile {
	failure := ""
	if f.Err != nil {
		failure = cmp.Or(f.Err.Error(), "unknown")
	}
	return jsonFile{
		f.Path, f.Protocol, f.Kind, f.Form, f.Dialect,
		f.Records, f.Errors, f.Warnings, f.Notes, failure,
	}
}

func newJSONFinding(f *lint.Finding) *jsonFinding {
	related := make([]jsonRelated, len(f.Related))
	for i := range f.Related {
		r := &f.Related[i]
		related[i] = jsonRelated{r.Message, r.Path, newJSONPlace(&r.Place)}
	}
	return &jsonFinding{
		f.Rule.ID, f.Rule.Name, f.Severity.String(), f.Message, f.Help, f.Path,
		index(f.Conversation), newJSONPlace(&f.Place), related,
	}
}

func newJSONPlace(p *source.Place) jsonPlace {
	start, end := known(p.Span.Start), known(p.Span.End)
	return jsonPlace{
		start.Line, start.Column, end.Line, end.Column, start.Offset, end.Offset, index(p.Record), p.Pointer,
	}
}

func newJSONSummary(s Summary) jsonSummary {
	return jsonSummary{s.Files, s.Skipped, s.Records, s.Errors, s.Warnings, s.Notes, s.Suppressed, s.Hidden, s.Incomplete}
}

// jsonReport writes one sorted document when the run ends, a file or finding
// per line.
type jsonReport struct {
	base
	files    []File
	encoder  jsonEncoder
	findings spool
}

func (j *jsonReport) Finding(f lint.Finding) error {
	text, err := j.encoder.encode(newJSONFinding(&f))
	if err != nil {
		return err
	}
	return j.findings.add(&f, text)
}

func (j *jsonReport) File(f File) error {
	j.files = append(j.files, f)
	return nil
}

func (j *jsonReport) End(s Summary) error {
	sortFiles(j.files)
	j.findings.sort()
	d := document{out: j.out}
	d.write(fmt.Sprintf("{\n  \"version\": %d,\n  \"tool\": ", jsonVersion))
	d.value(jsonTool{j.run.Tool, j.run.Version})
	d.write(",\n  \"files\": ")
	d.array("  ", len(j.files), func(i int) { d.value(newJSONFile(&j.files[i])) })
	d.write(",\n  \"findings\": ")
	d.array("  ", j.findings.len(), func(i int) { d.spooled(&j.findings, i) })
	d.write(",\n  \"summary\": ")
	d.value(newJSONSummary(s))
	d.write("\n}\n")
	return d.close()
}

// jsonLines writes a finding per line as soon as it is decided, and the summary
// as the last line. Each line is one Write, so that a reader at the other end
// of a pipe receives whole lines.
type jsonLines struct {
	base
	encoder jsonEncoder
}

func (j *jsonLines) Finding(f lint.Finding) error {
	return j.encoder.writeLine(j.out, newJSONFinding(&f))
}

func (j *jsonLines) End(s Summary) error {
	return j.encoder.writeLine(j.out, struct {
		Summary jsonSummary `json:"summary"`
	}{newJSONSummary(s)})
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
	return escapeHidden(bytes.TrimSuffix(e.buffer.Bytes(), []byte("\n"))), nil
}

// writeLine writes a value and a line feed in one Write.
func (e *jsonEncoder) writeLine(w io.Writer, value any) error {
	text, err := e.encode(value)
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// escapeHidden escapes characters in JSON that would control a terminal.
// Programs that parse the JSON get the same strings.
func escapeHidden(text []byte) []byte {
	n := 0
	for n < len(text) && text[n] <= '~' { // encoding/json escapes control characters below a space
		n++
	}
	if n == len(text) {
		return text
	}
	b := append(make([]byte, 0, len(text)+64), text[:n]...)
	for _, r := range string(text[n:]) {
		if !hidden(r) {
			b = utf8.AppendRune(b, r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			b = fmt.Appendf(b, `\u%04x`, unit)
		}
	}
	return b
}
