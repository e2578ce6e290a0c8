package proxy

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime/debug"
	"sync"

	"github.com/lmclint/lmclint/lint"
)

// judge passes a text to the linter while it arrives, and knows how much of it
// may be passed on.
//
// The linter runs in a separate goroutine and reads the text from the judge.
// It checks all that it has before it reads again, and says how far it came.
type judge struct {
	stopOn   lint.Severity // 0: no finding stops
	observer Observer
	finished chan struct{} // closed when the linter has ended

	mu      sync.Mutex   // guards the fields below
	more    *sync.Cond   // the linter waits for more, or for the end
	changed *sync.Cond   // others wait for the linter
	pending bytes.Buffer // added, and not read by the linter
	added   int64        // bytes
	closed  int64        // of these, what was added before the end; the linter gets nothing later
	checked int64        // offset up to which the records were checked
	latest  int64        // the last argument of Checked: checked, once the linter reads on
	waiting bool         // the linter waits for more
	end     error        // what the linter reads at the end, nil while there may be more
	ended   bool         // the linter has ended
	stop    *lint.Finding
	closing []string // lint.Result.Closing
	failure error    // why the linter ended early
}

// newJudge starts the linter for a text.
func newJudge(linter *lint.Linter, name string, stopOn lint.Severity, observer Observer) *judge {
	j := &judge{stopOn: stopOn, observer: observer, finished: make(chan struct{})}
	j.more, j.changed = sync.NewCond(&j.mu), sync.NewCond(&j.mu)
	go j.run(linter, name)
	return j
}

// run lints the text. A panic is an error of the result, like that of a rule.
func (j *judge) run(linter *lint.Linter, name string) {
	defer close(j.finished)
	result, err := lint.Result{Path: name}, error(nil)
	defer func() {
		if value := recover(); value != nil {
			err = &lint.PanicError{Value: value, Stack: debug.Stack()}
		}
		j.mu.Lock()
		j.ended, j.failure, j.closing = true, err, result.Closing
		j.changed.Broadcast()
		j.mu.Unlock()
		j.observer.Done(result, err)
	}()
	result, err = linter.Run(context.Background(), name, j, j.found)
	if errors.Is(err, errStopped) || errors.Is(err, errInterrupted) {
		err = nil
	}
}

// errStopped ends the linter at the finding that stops, errInterrupted where the
// proxy was stopped.
var (
	errStopped     = errors.New("stopped at a finding")
	errInterrupted = errors.New("interrupted")
)

// found receives the findings of the linter.
func (j *judge) found(f lint.Finding) error {
	j.observer.Finding(f)
	if j.stopOn == 0 || f.Severity < j.stopOn {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.stop = &f
	return errStopped
}

// Read implements [io.Reader] for the linter, which gets a line at a time: when it
// reads on, it has checked all records of the one before.
func (j *judge) Read(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.checked = j.latest
	for j.pending.Len() == 0 && j.end == nil {
		j.waiting = true
		j.changed.Broadcast()
		j.more.Wait()
	}
	j.waiting = false
	if j.pending.Len() == 0 {
		return 0, j.end
	}
	if i := bytes.IndexByte(j.pending.Bytes(), '\n'); i >= 0 {
		p = p[:min(len(p), i+1)]
	}
	n, _ := j.pending.Read(p) // which never fails
	j.changed.Broadcast()     // there is room again
	return n, nil
}

// Checked implements [lint.CheckedReader].
func (j *judge) Checked(end int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.latest = end
}

// add adds a part of the text, and returns the offset of its end. The linter
// reads it after wake, unless the text was closed before: then it is never
// checked. While the linter has too much to read, add waits.
func (j *judge) add(part []byte) (end int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for j.pending.Len() > maxPending && !j.ended {
		j.more.Signal()
		j.changed.Wait()
	}
	j.added += int64(len(part))
	if !j.ended && j.end == nil {
		j.pending.Write(part)
	}
	return j.added
}

// wake has the linter read what was added.
func (j *judge) wake() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.waiting && j.pending.Len() > 0 {
		j.more.Signal()
	}
}

// verdict is what may be passed on.
type verdict struct {
	checked int64         // offset up to which everything was checked
	stop    *lint.Finding // the first finding that stops, nil if there is none
	closing []string      // what ends the response for the client after stop
	failure error         // the linter failed, so that nothing more is checked
}

// passes reports whether the record whose line ends there may be passed on. The
// line end is not a part of it.
func (v verdict) passes(end int64) bool { return end-1 <= v.checked }

// settle waits until the linter has checked all that was added.
func (j *judge) settle() verdict {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.more.Signal()
	for !j.ended && (!j.waiting || j.pending.Len() > 0) {
		j.changed.Wait()
	}
	return verdict{checked: j.checked, stop: j.stop, closing: j.closing, failure: j.failure}
}

// close ends the text and waits for the linter. Only the first call has an
// effect.
func (j *judge) close() verdict { return j.closeWith(io.EOF) }

// interrupt is close where the text would have gone on: nothing is reported for
// its end.
func (j *judge) interrupt() { j.closeWith(errInterrupted) }

func (j *judge) closeWith(end error) verdict {
	j.mu.Lock()
	if j.end == nil {
		j.end, j.closed = end, j.added
	}
	j.more.Signal()
	j.mu.Unlock()
	<-j.finished
	v := j.settle()
	if v.failure == nil && v.stop == nil {
		v.checked = j.closed
	}
	return v
}
