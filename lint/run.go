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
	isUndecided  bool             // the detection is not final
	passed       []*source.Record // the records that were checked while it was not
	reported     []placeOfRule    // findings about them
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
	causes       causes
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
	r.causes.isEach = r.linter.each || r.linter.config.Fixing
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
	result.Repeated = r.causes.repeated()
	result.Form = string(r.reader.Form())
	result.Interrupted = r.reader.IsInterrupted()
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
		if r.isUndecided {
			if rec, err = r.reconsider(rec); err != nil {
				return err
			}
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
	if r.input != nil || r.withFindings >= maxWithFindings || r.conv == nil || r.conv.fast == nil || len(r.pending) > 0 || r.readErr != nil {
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
		r.count(1)
	}
	if r.wasRead && r.input == nil && r.conv.fast != nil {
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
	if !r.conv.reported {
		r.withFindings = 0
	}
	if r.isUndecided && slices.ContainsFunc(r.conv.findings, isOfOneKind) {
		return nil // it waits until the kind is known
	}
	if err := r.flush(); err != nil {
		return err
	}
	if len(r.pending) == 0 {
		r.reader.NoteChecked()
	}
	if r.input != nil && (len(r.pending) == 0 || r.pending[0].ReadTo > rec.ReadTo) { // none was read with it
		r.input.Checked(rec.ReadTo)
	}
	return nil
}

// isOfOneKind reports whether a finding does not hold in an input of another kind.
func isOfOneKind(f Finding) bool {
	return f.Rule.Inputs != 0 && !f.Rule.Inputs.Has(plugin.Transcripts|plugin.Streams)
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
	if r.conv != nil {
		if err := r.enterPart(rec); err != nil {
			return nil, err
		}
	}
	if r.conv == nil {
		rec = r.classify(rec)
		r.openConversation(rec.Conversation)
		r.conv.part = rec.Fragment
	}
	r.conv.hasRecord = r.conv.hasRecord || !rec.IsGap
	return rec, nil
}

// enterPart ends the conversation if a record begins a part of a text that is of another
// kind. Nothing is missing at the end of a part.
func (r *run) enterPart(rec *source.Record) error {
	if r.detection.KindOfPart == nil || rec.Fragment <= r.conv.part {
		return nil
	}
	switch kind := r.detection.KindOfPart(rec, r.conv.kind.Names()[0]); kind {
	case "":
		return nil
	case r.conv.kind.Names()[0]:
	default:
		err := r.emitFindings(r.conv)
		r.conv.end()
		r.conv.release()
		r.detection.Kind = kind
		r.openConversation(rec.Conversation)
		if err != nil {
			return err
		}
	}
	r.conv.part = rec.Fragment
	return nil
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
	c.number, c.path, c.result, c.causes = number, r.result.Path, &r.result, &r.causes
	c.hasRecord, c.recordsBefore = false, r.result.Records
	r.result.RulesRun, r.result.RulesOff = c.table.rules, c.table.off
	if o := r.result.Observer; o != nil {
		c.observer = o.Begin(plugin.Conversation{
			Number: number, Protocol: r.result.Protocol, Kind: r.detection.Kind, Form: string(r.reader.Form()), State: c.session.State(),
		})
	}
	r.conv = c
}

// closeConversation ends the current conversation. One that consists of gaps is
// none if the input has others, and of one that was interrupted nothing is missing.
func (r *run) closeConversation() error {
	if r.conv.hasRecord && !r.reader.IsInterrupted() || r.ended && r.result.Records == 0 {
		r.conv.session.Finish()
	}
	err := r.emitAll(r.conv)
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
			err = errors.Join(err, r.emitAll(open))
		}
	}
	return err
}

// flush emits the findings of the current record. If fixes are wanted whole, those that have
// one are not until the conversation ends: what was emitted does not change.
func (r *run) flush() error {
	c := r.conv
	if len(c.findings) == 0 {
		return nil
	}
	if r.linter.config.Fixing {
		c.findings = slices.DeleteFunc(c.findings, func(f Finding) bool {
			if f.Fix != nil {
				c.fixes = append(c.fixes, f)
			}
			return f.Fix != nil
		})
	}
	return r.emitFindings(c)
}

// emitAll emits the findings of a conversation that were not emitted.
func (r *run) emitAll(c *conversation) error {
	c.findings, c.fixes = append(c.findings, c.fixes...), nil
	return r.emitFindings(c)
}

// emitFindings emits the findings of a conversation since the last call, by offset, rule and
// message.
func (r *run) emitFindings(c *conversation) error {
	findings := c.findings
	c.findings = c.findings[:0]
	sortFindings(findings)
	for i := range findings {
		f := &findings[i]
		if covered := r.result.Coverage; covered != nil {
			for _, id := range f.Rule.Requirements {
				covered.Touched[id] = true
			}
		}
		if r.isUndecided {
			r.reported = append(r.reported, placeOfRule{f.Rule.ID, f.Place.Span.Start.Offset})
		}
		of, isFirst := r.causes.add(f)
		if isFirst {
			f.Fingerprint = of.finding.Fingerprint
			if r.suppress != nil && r.suppress(f) {
				of.suppressed = true
				r.result.Suppressed++
			} else {
				r.result.Count(f)
			}
		}
		if of.suppressed {
			continue
		}
		if c.observer != nil {
			r.observe(c.observer, f)
		}
		if !isFirst {
			r.result.countPlace(f.Severity)
			continue
		}
		if err := r.emit(*f); err != nil {
			if r.linter.config.Immediate {
				c.stoppedBy = f.Rule.ID
			}
			return err
		}
	}
	return nil
}

// sortFindings sorts findings by offset, rule and message.
func sortFindings(findings []Finding) {
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.Place.Span.Start.Offset, b.Place.Span.Start.Offset),
			cmp.Compare(a.Rule.ID, b.Rule.ID),
			cmp.Compare(a.Message, b.Message),
		)
	})
}

// observe tells an observer the places of a finding that are in the input.
func (r *run) observe(observer plugin.ConversationObserver, f *Finding) {
	var places []source.Place
	if f.Path == r.result.Path {
		places = append(places, f.Place)
	}
	for i := range f.Related {
		if cmp.Or(f.Related[i].Path, f.Path) == r.result.Path {
			places = append(places, f.Related[i].Place)
		}
	}
	observer.Reported(uint8(f.Severity), places)
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
