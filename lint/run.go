package lint

import (
	"cmp"
	"context"
	"errors"
	"io"
	"runtime/debug"
	"slices"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/source"
)

// run is the check of one input. A linter uses it again for another input,
// because of its reader's buffers.
type run struct {
	linter *Linter
	reader *source.Reader

	// What follows is about the current input.
	ctx          context.Context
	emit         func(Finding) error
	suppress     func(*Finding) bool // whether the baseline lists a finding; nil without a baseline
	result       Result
	protocol     plugin.Protocol  // nil before detection
	detection    plugin.Detection // of the input, or of the open conversation
	detected     int              // the conversation from which the input's detection is
	conv         *conversation    // of the current record; nil between conversations
	outer        *conversation    // of a text, while a list in it is checked; else nil
	withFindings int              // consecutive records with findings on the slow path
	pending      []*source.Record // read, but not checked; all but the last are clones
	wasRead      bool             // the current record was pending: the fast path has not seen it
	ended        bool             // no record follows
	readErr      error            // what reading ended with after the pending records
	joined       int              // lists that are parts of the conversation before them
	lastJoined   int              // Record.Conversation of the last of these; 0 without one
	prints       fingerprints
	input        CheckedReader // the input if it is one and the config is Immediate, else nil
}

// CheckedReader is an input that goes on to a consumer as far as it was checked,
// such as a pipe. Checked is called whenever a record was checked and its findings
// were emitted: end is the offset up to which the decompressed input was read with
// it, or the start of the JSON document that it is a part of. Of several records that
// were read at once, such as those of a frame, all are checked before the next Read.
// Checked is also called before a Read, with an offset up to which no other record begins.
// All is checked when the run ends without an error.
type CheckedReader interface {
	io.Reader
	Checked(end int64)
}

// checkedInput is the input of a run that is a [CheckedReader].
type checkedInput struct{ run *run }

func (c checkedInput) Read(p []byte) (int, error) {
	if end := c.run.reader.SkippedTo(); end > 0 {
		c.run.input.Checked(end)
	}
	return c.run.input.Read(p)
}

// begin makes the run one of an input.
func (r *run) begin(ctx context.Context, name string, src io.Reader, emit func(Finding) error) {
	*r = run{linter: r.linter, reader: r.reader, ctx: ctx, emit: emit, result: Result{Path: name}}
	if checked, ok := src.(CheckedReader); ok && r.linter.config.Immediate {
		r.input, src = checked, checkedInput{r}
	}
	r.reader.Reset(name, src)
	if observe := r.linter.observe; observe != nil {
		r.result.Observer = observe(name)
	}
	if r.linter.config.Coverage {
		r.result.Coverage = plugin.NewCoverage()
	}
	if b := r.linter.baseline; b != nil {
		path := name
		if r.linter.baselinePath != nil {
			path = r.linter.baselinePath(name)
		}
		r.suppress = b.begin(path)
	}
}

// end releases the input, with what reads ahead of it. The run is used again,
// unless it ended in a panic.
func (r *run) end(err error) Result {
	for _, open := range []*conversation{r.outer, r.conv} { // after an error
		if open != nil {
			open.end()
		}
	}
	result := r.result
	result.Form = string(r.reader.Form())
	result.Conversations = max(0, r.reader.Conversations()-r.joined)
	r.reader.Reset("", nil)
	if p := new(PanicError); !errors.As(err, &p) {
		*r = run{linter: r.linter, reader: r.reader}
		r.linter.runs.Put(r)
	}
	return result
}

// all reads the input to its end.
func (r *run) all() (err error) {
	defer r.recoverPanic(&err)
	if err := r.detect(); err != nil {
		return err
	}
	for {
		if err := r.stepFast(); err != nil {
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

// maxWithFindings is the number of consecutive records with findings after which
// the fast path is not tried.
const maxWithFindings = 4

// stepFast steps over the next records as far as the fast path recognizes them.
// It recognizes valid records only: after many with findings it is not tried
// until one without was read.
func (r *run) stepFast() error {
	if r.input != nil || r.withFindings >= maxWithFindings || r.conv == nil || !r.conv.isFast || len(r.pending) > 0 || r.readErr != nil {
		return nil //nolint:nilerr // next returns readErr
	}
	for r.ctx.Err() == nil {
		window, ok := r.reader.Peek()
		if !ok || window.Conversation != r.conv.number {
			return nil
		}
		done := r.conv.stepFast(window)
		if done.Records == 0 && done.MissingBytes > 0 && r.reader.WaitForMore(done.MissingBytes) {
			continue
		}
		if done.Records == 0 {
			return nil
		}
		r.reader.Advance(done.Records, done.End, done.ShowsJSON)
		r.conv.hasRecord = true
		r.count(done.Records)
		if err := r.flush(); err != nil {
			return err
		}
	}
	return nil
}

// next returns a pending record, or reads one. It returns an error if the run
// was canceled.
func (r *run) next() (*source.Record, error) {
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	if len(r.pending) > 0 {
		rec := r.pending[0]
		r.pending[0] = nil
		r.pending, r.wasRead = r.pending[1:], true
		return rec, nil
	}
	r.wasRead = false
	if r.readErr != nil {
		return nil, r.readErr
	}
	return r.read()
}

// read reads the next record.
func (r *run) read() (*source.Record, error) {
	rec, err := r.reader.Next()
	if err == nil && r.linter.config.Fixing && !rec.IsGap {
		at := rec.Span()
		r.result.Spans = append(r.result.Spans, RecordSpan{at.Start.Offset, at.End.Offset, rec.IsLost()})
	}
	return rec, err
}

// step checks one record on the slow path. It opens a conversation if the record
// begins one.
func (r *run) step(rec *source.Record) error {
	rec, err := r.enterConversation(rec)
	if err != nil {
		return err
	}
	if !rec.IsGap {
		r.count(1 + rec.Skipped)
	}
	if r.wasRead && r.input == nil && r.conv.isFast {
		if window, ok := r.reader.WindowOf(rec); ok && r.conv.stepFast(window).Records > 0 {
			return r.flush()
		}
	}
	if r.conv.observer != nil {
		r.conv.observer.Record(rec)
	}
	r.conv.reported = false
	r.conv.session.Step(rec)
	r.withFindings++
	if len(r.conv.findings) == 0 {
		r.withFindings = 0
	}
	if err := r.flush(); err != nil {
		return err
	}
	if len(r.pending) == 0 {
		r.reader.Settle()
	}
	if r.input != nil && (len(r.pending) == 0 || r.pending[0].ReadTo > rec.ReadTo) { // none was read with it
		r.input.Checked(rec.ReadTo)
	}
	return nil
}

func (r *run) count(records int) {
	r.result.Records += records
	if r.linter.progress != nil {
		r.linter.progress(records)
	}
}

// finish ends the input. An input without records is a conversation, too, but
// an empty list of messages is complete, and nothing is wrong with it.
func (r *run) finish() error {
	r.result.Empty = r.result.Records == 0 && !r.reader.HasEmptyList()
	if r.conv == nil {
		r.openConversation(-1)
		if r.reader.HasEmptyList() {
			return r.emitFindings(r.conv)
		}
	}
	for r.ended = true; r.conv != nil; r.conv, r.outer = r.outer, nil {
		if err := r.closeConversation(); err != nil {
			return err
		}
	}
	return nil
}

// enterConversation makes the conversation of a record the current one. It ends
// the one before, unless that is of a text and the record is in a list in it. It
// returns the record, which stays valid.
func (r *run) enterConversation(rec *source.Record) (*source.Record, error) {
	if r.conv != nil && r.conv.number != rec.Conversation {
		r.joinList(rec)
	}
	if r.conv != nil && r.conv.number != rec.Conversation {
		if r.conv.number < 0 && rec.Conversation >= 0 {
			r.outer, r.conv = r.conv, nil
		} else if err := r.closeConversation(); err != nil {
			return nil, err
		}
	}
	if r.conv == nil && r.outer != nil && r.outer.number == rec.Conversation {
		r.conv, r.outer = r.outer, nil
	}
	if r.conv == nil {
		rec = r.classify(rec)
		r.openConversation(rec.Conversation)
	}
	r.conv.hasRecord = r.conv.hasRecord || !rec.IsGap
	return rec, nil
}

// joinList makes a record of another list one of the current conversation if the
// lists of the input are parts of one.
//
// The numbers that the record gets are those of the conversation. The fast path, which
// has the reader's numbers, does not step over records of joined lists.
func (r *run) joinList(rec *source.Record) {
	if !r.conv.hasRecord || !r.detection.JoinsLists {
		return
	}
	if rec.Conversation != r.lastJoined {
		r.lastJoined = rec.Conversation
		r.joined++
	}
	if rec.IsGap {
		rec.Conversation = r.conv.number
	} else {
		rec.Assign(r.conv.number, r.result.Records-r.conv.recordsBefore)
	}
}

func (r *run) openConversation(number int) {
	c := r.linter.conversationOf(r.protocol, r.detection)
	c.number, c.path, c.result = number, r.result.Path, &r.result
	c.hasRecord, c.recordsBefore = false, r.result.Records
	r.result.RulesRan = r.result.RulesRan || len(c.table.rules) > 0
	if o := r.result.Observer; o != nil {
		c.observer = o.Begin(plugin.Conversation{Number: number, Protocol: r.result.Protocol, Kind: r.detection.Kind, State: c.session.State()})
	}
	r.conv = c
}

// closeConversation ends the current conversation. One that consists of gaps is
// none if the input has others, and of one that was interrupted nothing is missing.
func (r *run) closeConversation() error {
	if r.conv.hasRecord && !r.reader.IsInterrupted() || r.ended && r.result.Records == 0 {
		r.conv.session.Finish()
	}
	err := r.emitFindings(r.conv)
	r.conv.end()
	r.conv.release()
	r.conv = nil
	return err
}

// interrupt emits the findings so far. The end of the open conversations was not read, so
// nothing is reported about it.
func (r *run) interrupt() (err error) {
	for _, open := range []*conversation{r.outer, r.conv} {
		if open != nil {
			err = errors.Join(err, r.emitFindings(open))
		}
	}
	return err
}

// flush emits the findings of the current record. If fixes are wanted whole, they are not
// until the conversation ends: what was emitted does not change.
func (r *run) flush() error {
	if len(r.conv.findings) == 0 || r.linter.config.Fixing {
		return nil
	}
	return r.emitFindings(r.conv)
}

// emitFindings emits the findings of a conversation since the last call, by offset, rule and
// message.
func (r *run) emitFindings(c *conversation) error {
	findings := c.findings
	c.findings = c.findings[:0]
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.Place.Span.Start.Offset, b.Place.Span.Start.Offset),
			cmp.Compare(a.Rule.ID, b.Rule.ID),
			cmp.Compare(a.Message, b.Message),
		)
	})
	for i := range findings {
		f := &findings[i]
		if covered := r.result.Coverage; covered != nil {
			for _, id := range f.Rule.Requirements {
				covered.Touched[id] = true
			}
		}
		if r.linter.fingerprints {
			f.Fingerprint = r.prints.next(f)
		}
		if r.suppress != nil && r.suppress(f) {
			r.result.Suppressed++
			continue
		}
		r.result.Count(f)
		if c.observer != nil {
			var places []source.Place // in the input
			if f.Path == r.result.Path {
				places = append(places, f.Place)
			}
			for i := range f.Related {
				if cmp.Or(f.Related[i].Path, f.Path) == r.result.Path {
					places = append(places, f.Related[i].Place)
				}
			}
			c.observer.Reported(places)
		}
		if err := r.emit(*f); err != nil {
			if r.linter.config.Immediate {
				r.result.Closing = c.session.Closing(f.Rule.ID)
			}
			return err
		}
	}
	return nil
}

// recoverPanic turns a panic into an error that names the rule. The findings
// before the panic are emitted, those of the current record included.
func (r *run) recoverPanic(err *error) {
	value := recover()
	if value == nil {
		return
	}
	p := &PanicError{Value: value, Stack: debug.Stack()}
	*err = p
	if r.conv != nil && r.conv.running > 0 {
		p.Rule = r.conv.table.rules[r.conv.running-1].ID
	}
	defer func() { _ = recover() }() // what panicked may have been emit
	if emitErr := r.interrupt(); emitErr != nil {
		*err = errors.Join(p, emitErr)
	}
}
