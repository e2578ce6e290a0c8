package report

import (
	"io"

	"github.com/lmclint/lmclint/lint"
)

// jsonLines writes a finding a line as soon as it is decided, and the summary
// as the last line.
type jsonLines struct{ out io.Writer }

func (j *jsonLines) Begin(Run) error { return nil }

func (j *jsonLines) Finding(f lint.Finding) error { return j.line(modelFinding(f)) }

func (j *jsonLines) File(File) error { return nil }

func (j *jsonLines) End(s Summary) error {
	return j.line(struct {
		Summary jsonSummary `json:"summary"`
	}{modelSummary(s)})
}

// line writes a value with one call of Write, so that a reader on the other
// end of a pipe has it at once and whole.
func (j *jsonLines) line(value any) error {
	line, err := encode(value)
	if err != nil {
		return err
	}
	_, err = j.out.Write(append(line, '\n'))
	return err
}
