// Package aside has findings written while the next ones are looked for.
package aside

import (
	"fmt"
	"sync"

	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

// batchFindings is how many findings are handed over at once. So many are
// worth a goroutine, and so many may wait while as many are written.
const batchFindings = 256

// Reporter passes a run on to another reporter, in order. Where there are many
// findings a goroutine writes them, and an error of the other reporter is
// returned by a later call; from then on by every one. Whoever wants to know
// what became of all findings calls Flush. It is safe for concurrent use.
type Reporter struct {
	to report.Reporter

	mu      sync.Mutex
	waiting []lint.Finding
	room    []lint.Finding // memory of those that are being written
	writing chan struct{}  // closed when they are; nil if nobody writes
	err     error          // the goroutine's, while it writes
}

// NewReporter makes a reporter that passes everything on to another.
func NewReporter(to report.Reporter) *Reporter { return &Reporter{to: to} }

// Begin implements [report.Reporter].
func (r *Reporter) Begin(run report.Run) error { return r.to.Begin(run) }

// Finding implements [report.Reporter].
func (r *Reporter) Finding(f lint.Finding) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting = append(r.waiting, f)
	if len(r.waiting) < batchFindings {
		return nil
	}
	return r.handOver()
}

// File implements [report.Reporter].
func (r *Reporter) File(f report.File) error {
	if err := r.Flush(); err != nil {
		return err
	}
	return r.to.File(f)
}

// End implements [report.Reporter].
func (r *Reporter) End(s report.Summary) error {
	if err := r.Flush(); err != nil {
		return err
	}
	return r.to.End(s)
}

// Flush has all findings so far written, and nobody at work when it returns.
func (r *Reporter) Flush() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wait()
	if r.err == nil && len(r.waiting) > 0 {
		r.err = r.write(r.waiting)
		r.waiting = r.waiting[:0]
	}
	return r.err
}

// handOver has a goroutine write what waits, when the one before is done.
func (r *Reporter) handOver() error {
	r.wait()
	if r.err != nil {
		return r.err
	}
	batch, done := r.waiting, make(chan struct{})
	r.waiting, r.room, r.writing = r.room[:0], batch, done
	go func() {
		defer close(done)
		r.err = r.write(batch)
	}()
	return nil
}

func (r *Reporter) wait() {
	if r.writing != nil {
		<-r.writing
		r.writing = nil
	}
}

// write writes findings, and lets go of them.
func (r *Reporter) write(batch []lint.Finding) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("internal error: %v", cause)
		}
	}()
	for i := range batch {
		if err := r.to.Finding(batch[i]); err != nil {
			return err
		}
		batch[i] = lint.Finding{}
	}
	return nil
}
