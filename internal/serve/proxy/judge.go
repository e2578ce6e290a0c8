package proxy

import (
	"context"
	"errors"
	"sync"

	"github.com/lmclint/lmclint/internal/serve/feed"
	"github.com/lmclint/lmclint/lint"
)

// judge has a text linted while it arrives, and knows how much of it may be passed on.
// It is safe for concurrent use.
type judge struct {
	stopOn   lint.Severity // 0: no finding stops
	observer Observer

	mu      sync.Mutex // guards the fields below, and is held while the linter runs
	feed    *feed.Feed
	verdict verdict
	ended   bool // the linter has ended
}

// verdict is what may be passed on.
type verdict struct {
	added   int64         // bytes of the text
	checked int64         // offset up to which the records were checked
	stop    *lint.Finding // the first finding that stops, nil if there is none
	closing []string      // what ends the response for the client after stop
	failure error         // why the linter failed, so that nothing more is checked
}

// passes reports whether the record that was added last may be passed on. The line end
// is not a part of it.
func (v verdict) passes() bool { return v.added-1 <= v.checked }

// newJudge starts a linter for a text.
func (o *Options) newJudge(linter *lint.Linter, name string) *judge {
	j := &judge{stopOn: o.StopOn, observer: o.Observer}
	j.feed = feed.New(context.Background(), linter, name, j.found, func(end int64) { j.verdict.checked = end })
	return j
}

// errStopped ends the linter at the finding that stops.
var errStopped = errors.New("stopped at a finding")

// stopFault is what is reported then.
func (v verdict) stopFault() error { return errors.New("closed at a finding, " + v.stop.Rule.ID) }

// found receives the findings of the linter.
func (j *judge) found(f lint.Finding) error {
	j.observer.Finding(f)
	if j.stopOn == 0 || f.Severity < j.stopOn {
		return nil
	}
	j.verdict.stop = &f
	return errStopped
}

// add adds a part of the text, and has it checked, unless the linter has ended.
func (j *judge) add(part []byte) verdict {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.verdict.added += int64(len(part))
	if !j.ended && j.feed.Push(part) != nil {
		j.end(j.feed.End())
	}
	return j.verdict
}

// close ends the text. Only the first call has an effect.
func (j *judge) close() verdict {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.ended {
		j.end(j.feed.End())
	}
	return j.verdict
}

// interrupt is close where the text would have gone on: nothing is reported for
// its end.
func (j *judge) interrupt() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.ended {
		j.end(j.feed.Close())
	}
}

// end keeps what the linter ended with. All that was added before is decided then.
func (j *judge) end(result lint.Result, err error) {
	if errors.Is(err, errStopped) {
		err = nil
	}
	j.ended, j.verdict.closing, j.verdict.failure = true, result.Closing, err
	if err == nil && j.verdict.stop == nil {
		j.verdict.checked = j.verdict.added
	}
	j.observer.Done(result, err)
}
