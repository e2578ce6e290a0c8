package lint

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/lmclint/lmclint/internal/source"
)

// run is the check of one input. When that has ended it is used again, for the
// memory of its reader.
type run struct {
	linter *Linter
	ctx    context.Context
	reader *source.Reader
	emit   func(Finding) error
	result Result

	process Processor // nil keeps every finding

	protocol Protocol
	verdict  Detection
	conv     *conversation    // the open one, nil before the first record
	wrong    int              // records in a row that were read and in which something was found
	pending  []*source.Record // read, but not judged
	failed   error            // what reading ended with behind them
	prints   Fingerprints
}

func newRun(l *Linter) *run { return &run{linter: l, reader: source.NewReader(nil, l.source)} }

// begin makes the run one of an input.
func (r *run) begin(ctx context.Context, name string, src io.Reader, emit func(Finding) error) {
	*r = run{linter: r.linter, reader: r.reader, ctx: ctx, emit: emit, result: Result{Path: name}}
	r.reader.Reset(src)
	if r.linter.processor != nil {
		r.process = r.linter.processor(name)
	}
}

// end lets go of the input.
func (r *run) end() Result {
	result := r.result
	result.Form = r.reader.Form()
	*r = run{linter: r.linter, reader: r.reader}
	r.reader.Reset(nil)
	r.linter.runs.Put(r)
	return result
}

// all reads the input to its end.
func (r *run) all() (err error) {
	defer r.recoverPanic(&err)
	if err := r.detect(); err != nil {
		return err
	}
	for {
		if err := r.skim(); err != nil {
			return err
		}
		rec, err := r.next()
		if errors.Is(err, io.EOF) {
			return r.finish()
		}
		if err != nil {
			return errors.Join(err, r.interrupt())
		}
		if err := r.step(rec); err != nil {
			return err
		}
	}
}

// manyWrong is from how many wrong records in a row on the next one is expected
// to be wrong, too.
const manyWrong = 4

// skim passes over the records that come next and are recognised. Only sound
// ones are: behind many wrong ones it waits until a sound one was read.
func (r *run) skim() error {
	if r.wrong >= manyWrong || r.conv == nil || r.conv.skimmer == nil || len(r.pending) > 0 || r.failed != nil {
		return nil //nolint:nilerr // what failed is told where records are read
	}
	for r.ctx.Err() == nil {
		stretch, ok := r.reader.Peek()
		if !ok || stretch.Conversation != r.conv.number {
			return nil
		}
		s := r.conv.skim(stretch)
		if s.Records == 0 && s.Lacks > 0 && r.reader.WaitForMore(s.Lacks) {
			continue
		}
		if s.Records == 0 {
			return nil
		}
		r.reader.Advance(s.Records, s.Behind)
		r.count(s.Records)
		if err := r.flush(); err != nil {
			return err
		}
	}
	return nil
}

// next reads a record, unless the run was cancelled.
func (r *run) next() (*source.Record, error) {
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	if len(r.pending) > 0 {
		rec := r.pending[0]
		r.pending[0] = nil
		r.pending = r.pending[1:]
		return rec, nil
	}
	if r.failed != nil {
		return nil, r.failed
	}
	return r.reader.Next()
}

// detect reads records until a protocol knows the input, and judges them.
func (r *run) detect() error {
	var first []*source.Record
	for {
		rec, err := r.next()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if err == nil {
			first = append(first, rec)
		}
		known, sniffErr := r.sniff(first, err != nil)
		if sniffErr != nil {
			return sniffErr
		}
		if known {
			r.pending = first
			return nil
		}
		if err == nil {
			first[len(first)-1] = rec.Clone() // it has to wait for others
		}
	}
}

// sniff asks the protocols in turn. The one that knows the most records so far
// has the input, the first of those that still know as many where there is no
// end of that. Without any answer at the end of the input, the word of the one
// that knows most on what it looks like counts.
func (r *run) sniff(first []*source.Record, final bool) (known bool, err error) {
	var best, foreign Detection
	var leader Protocol
	strangers, tied := 0, false
	candidates := r.linter.candidates()
	for _, p := range candidates {
		v := p.Sniff(first, r.reader.Form(), r.linter.config, final)
		switch {
		case v.LooksLike != "":
			strangers++
			if foreign.LooksLike == "" || v.MatchCount > foreign.MatchCount {
				foreign = v
			}
		case leader == nil || v.MatchCount > best.MatchCount:
			best, leader, tied = v, p, false
		default:
			tied = tied || v.MatchCount == best.MatchCount
		}
	}
	switch {
	case len(candidates) == 0:
		return false, fmt.Errorf("unknown protocol %q", r.linter.config.Protocol)
	case strangers == len(candidates):
		return false, &UnknownInputError{Looks: foreign.LooksLike}
	case leader == nil || best.Kind == "" || tied && !final && isUndecided(first):
		return false, nil
	}
	r.protocol, r.verdict = leader, best
	r.result.Protocol, r.result.Kind = leader.Name(), best.Kind
	return true, nil
}

// step judges one record, in a conversation of its own where it begins one.
func (r *run) step(rec *source.Record) error {
	if r.conv != nil && rec.Conversation != r.conv.number {
		if err := r.closeConversation(); err != nil {
			return err
		}
	}
	if r.conv == nil {
		rec = r.sort(rec)
		if err := r.openConversation(rec.Conversation); err != nil {
			return err
		}
	}
	if !rec.IsGap {
		r.count(1)
	}
	r.conv.step(rec)
	if len(r.conv.findings) > 0 {
		r.wrong++
	} else {
		r.wrong = 0
	}
	return r.flush()
}

func (r *run) count(records int) {
	r.result.Records += records
	if r.linter.judged != nil {
		r.linter.judged(records)
	}
}

// finish ends the input. An input without any record is a conversation too.
func (r *run) finish() error {
	if r.conv == nil {
		if err := r.openConversation(-1); err != nil {
			return err
		}
	}
	return r.closeConversation()
}

// interrupt hands over what is known when reading fails half-way. The end of
// the conversation was not seen, so nothing is said about it.
func (r *run) interrupt() error {
	if r.conv == nil {
		return nil
	}
	return r.flush()
}

func (r *run) openConversation(number int) error {
	if r.conv = r.linter.idleConversation(conversationKind{r.protocol, r.verdict.Inputs}); r.conv != nil {
		r.conv.begin(r, number)
		return nil
	}
	opener, err := r.linter.openers.of(r.protocol, r.linter.config)
	if err != nil {
		return err
	}
	r.conv = newConversation(r, opener.NewSession(r.verdict.Kind))
	r.conv.begin(r, number)
	return nil
}

func (r *run) closeConversation() error {
	r.conv.finish()
	err := r.flush()
	r.conv.release()
	r.conv = nil
	return err
}

// flush hands over the findings that the last record decided, in order.
func (r *run) flush() error {
	findings := r.conv.take()
	r.result.Dialect = r.conv.session.Dialect()
	for i := range findings {
		f := &findings[i]
		if r.linter.fingerprints {
			f.Fingerprint = r.prints.Next(f)
		}
		if r.process != nil && !r.process(f) {
			r.result.Suppressed++
			continue
		}
		r.result.count(f.Severity)
		if err := r.emit(*f); err != nil {
			return err
		}
	}
	return nil
}

// recoverPanic turns a panic into an error that names the rule.
func (r *run) recoverPanic(err *error) {
	value := recover()
	if value == nil {
		return
	}
	p := &PanicError{Value: value, Stack: debug.Stack()}
	if r.conv != nil && r.conv.working > 0 {
		p.Rule = r.conv.wiring.rules[r.conv.working-1].ID
	}
	*err = p
}
