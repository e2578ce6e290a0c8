package job

import (
	"bytes"
	"errors"

	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

// maxBatch is how many bytes of findings are passed on as one element.
const maxBatch = 256 << 10

// findings collects the findings of an input as the lines of lmclint's report
// jsonl, and passes them on in batches.
type findings struct {
	emit     func([]byte)
	text     bytes.Buffer
	reporter report.Reporter
	outcome  *Outcome
	panicked any // of emit: the engine failed, not the input
}

func newFindings(outcome *Outcome, emit func([]byte)) (*findings, error) {
	f := &findings{emit: emit, outcome: outcome}
	var err error
	if f.reporter, err = report.New(report.FormatJSONL, &f.text, report.Options{}); err != nil {
		return nil, err
	}
	return f, f.reporter.Begin(report.Run{Tool: "lmclint"})
}

// add adds a finding. The linter takes a panic for one of its own, so that a
// panic of the engine is kept for flush.
func (f *findings) add(found lint.Finding) (err error) {
	f.outcome.count(&found)
	if err := f.reporter.Finding(found); err != nil {
		return err
	}
	if f.text.Len() < maxBatch {
		return nil
	}
	defer func() {
		if f.panicked = recover(); f.panicked != nil {
			err = errEngine
		}
	}()
	f.send()
	return nil
}

// errEngine ends a check because the engine takes no more findings.
var errEngine = errors.New("the engine failed")

// flush passes on what is left.
func (f *findings) flush() {
	if f.panicked != nil {
		panic(f.panicked)
	}
	if f.text.Len() > 0 {
		f.send()
	}
}

// send passes on what was collected.
func (f *findings) send() {
	text := bytes.Clone(f.text.Bytes())
	f.text.Reset()
	f.emit(text)
}
