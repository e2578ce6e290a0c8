package job

import (
	"bytes"

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
	open     []lint.Finding // of the input that is being read: how often each came shows at its end
}

func newFindings(outcome *Outcome, emit func([]byte)) (*findings, error) {
	f := &findings{emit: emit, outcome: outcome}
	var err error
	if f.reporter, err = report.New(report.FormatJSONL, &f.text, report.Options{}); err != nil {
		return nil, err
	}
	return f, f.reporter.Begin(report.Run{Tool: "lmclint"})
}

// add adds a finding of the input that is being read.
func (f *findings) add(found lint.Finding) error {
	f.open = append(f.open, found)
	return nil
}

// end passes on the findings of an input that was read, also of one that cannot be read
// to its end.
func (f *findings) end(r *lint.Result) error {
	f.outcome.note(r)
	r.Complete(f.open)
	defer func() { f.open = nil }()
	for i := range f.open {
		f.outcome.count(&f.open[i])
		if err := f.reporter.Finding(f.open[i]); err != nil {
			return err
		}
		if f.text.Len() >= maxBatch {
			f.send()
		}
	}
	return nil
}

// flush passes on what is left.
func (f *findings) flush() {
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
