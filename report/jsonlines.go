package report

import (
	"io"

	"github.com/lmclint/lmclint/lint"
)

// jsonLines writes a finding a line as soon as it is decided, and the summary
// as the last line. Each line is one call of Write, so that a reader on the
// other end of a pipe has it whole.
type jsonLines struct {
	out  io.Writer
	line object
}

func (j *jsonLines) Begin(Run) error { return nil }

func (j *jsonLines) Finding(f lint.Finding) error {
	j.line.finding(&f)
	return j.write()
}

func (j *jsonLines) File(File) error { return nil }

func (j *jsonLines) End(s Summary) error {
	j.line.begin()
	j.line.name("summary")
	j.line.summary(s)
	j.line.json = append(j.line.json, '}')
	return j.write()
}

func (j *jsonLines) write() error {
	_, err := j.out.Write(append(j.line.json, '\n'))
	j.line.json = j.line.json[:0]
	return err
}
