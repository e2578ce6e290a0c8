package convert

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/assemble"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// conversion is the conversion of one input. The linter reads its records and finds out
// what they are; as its observer, the conversion passes each one to its conversation. It
// implements [plugin.Observer].
type conversion struct {
	options Options
	report  func(Loss)
	stop    context.CancelCauseFunc // ends the reading
	out     io.Writer
	writer  *writer // nil before the first conversation
	result  Result

	failed       error                    // why the reading was ended
	form         source.Form              // of the input
	others       protocol.OtherEvents     // of a stream of server-sent events
	conversation *conversationConverter   // under way, or nil
	groups       []*conversationConverter // in a log or a browser's traffic, where they are interleaved
	groupedBytes int
	gap          *source.Record // before the first record: maybe nothing else of the input can be read
	old          int            // records of Open Interpreter 0.1
}

// maxGrouped is how many bytes of records are held to separate the conversations
// of a log or of a browser's traffic.
const maxGrouped = 256 << 20

// isWorkbench says why an input of the other protocol does not become messages or chunks.
const isWorkbench = "it is Semantic Workbench, which is only converted to another form: pass --to jsonl, json, sse or python"

// lose reports what could not be kept of a record.
func (c *conversion) lose(kind assemble.DeviationKind, r *source.Record, format string, args ...any) {
	c.report(Loss{Kind: kind, Place: r.Place(), Message: fmt.Sprintf(format, args...)})
}

// leaveOut reports a record that cannot be written.
func (c *conversion) leaveOut(r *source.Record, why error) { c.lose(LeftOut, r, "%v", why) }

// fail ends the conversion with an error, unless it is nil.
func (c *conversion) fail(err error) {
	if err != nil && c.failed == nil {
		c.failed = err
		c.stop(err)
	}
}

// Begin implements [plugin.Observer].
func (c *conversion) Begin(p plugin.Conversation) plugin.ConversationObserver {
	isLMC := p.Protocol == (protocol.LMC{}).Name()
	if !isLMC && c.options.needsLMC() {
		c.fail(&lint.UnknownInputError{Looks: isWorkbench, Named: true})
		return nil
	}
	c.form = source.Form(p.Form)
	v := &conversationConverter{c: c, kind: p.Kind, several: p.Number >= 0, number: p.Number}
	v.skipsOthers = isLMC && c.form == source.FormSSE && c.outputForm() != source.FormSSE
	v.joins = isLMC && p.Kind != protocol.KindTranscript && protocol.JoinsLists(c.form)
	if !protocol.JoinsLists(c.form) {
		if last := len(c.groups) - 1; last >= 0 && c.groups[last].number == v.number { // a part of another kind
			if v = c.groups[last]; p.Kind == protocol.KindStream {
				v.kind = p.Kind
			}
			return v
		}
		c.groups, v.holds = append(c.groups, v), true
		return v
	}
	if before := c.conversation; before != nil && max(before.number, 0) == max(v.number, 0) { // records before the first list
		if !before.begun {
			before.kind = v.kind
		}
		return before
	}
	c.endConversation(false)
	c.conversation = v
	return v
}

// endConversation ends the conversation under way.
func (c *conversion) endConversation(interrupted bool) {
	v := c.conversation
	c.conversation = nil
	if v == nil || !v.begun {
		return
	}
	v.finish()
	switch {
	case !interrupted || c.options.To == Messages || c.options.To == Chunks:
	case c.writer.form == source.FormPython: // in a text, a note is not read
		c.report(Loss{Kind: LeftOut, Message: "the note that the connection was interrupted"})
	default:
		c.writer.interrupt()
	}
	c.writer.end()
}

// outputForm is the recorded form of the output.
func (c *conversion) outputForm() source.Form {
	switch {
	case c.options.To == Messages:
		return source.FormJSON
	case c.options.To == Chunks:
		return source.FormJSONL
	case c.options.To != "":
		return source.Form(c.options.To)
	case slices.Contains(Targets(), Target(c.form)):
		return c.form
	}
	return source.FormJSONL
}

// output returns the writer. Its form may be that of the input, which is known
// with the first conversation.
func (c *conversion) output() *writer {
	if c.writer == nil {
		form := c.outputForm()
		c.writer = &writer{out: bufio.NewWriterSize(c.out, 64<<10), layout: layouts[form], form: form}
		if c.options.To == Messages {
			c.writer.layout.several = true // concatenated arrays are documents
		}
	}
	return c.writer
}

// end ends the input, of which the linter returned the result.
func (c *conversion) end(read lint.Result) error {
	for _, v := range c.groups {
		c.endConversation(false)
		c.conversation, v.several, v.holds = v, len(c.groups) > 1, false
		for _, r := range v.held {
			v.Record(r)
		}
	}
	c.endConversation(read.Interrupted)
	switch {
	case c.failed != nil:
		return c.failed
	case c.gap != nil && read.Records == 0:
		return errors.New(c.gap.Fatal().Detail)
	case c.result.Records == 0 && !c.options.AllowEmpty && (read.Empty || read.Records > 0):
		return ErrNoRecords
	case c.result.Records > 0 && c.options.FromVersion != "" && c.old == 0:
		return errNoPreLMC
	}
	c.reportGap()
	form := source.Form(read.Form)
	c.result.Upgraded, c.result.Written = c.old > 0, c.output().written
	return c.writer.finish(read.Records == 0 && !read.Empty || form == source.FormJSON || form == source.FormPython)
}

// unreadable reports what is wrong with a record that could not be read, as the linter
// says it.
func (c *conversion) unreadable(r *source.Record) {
	p := r.Fatal()
	if p == nil {
		return
	}
	what := p.Detail
	switch {
	case p.Kind != source.InvalidJSON:
	case r.Python:
		what = "not a valid Python literal: " + what
	default:
		what = "not valid JSON: " + what
	}
	c.report(Loss{Kind: LeftOut, Place: p.Place, Message: what})
}

// reportGap reports the gap that was held, if there is one.
func (c *conversion) reportGap() {
	if c.gap != nil {
		c.unreadable(c.gap)
		c.gap = nil
	}
}

// conversationConverter converts one conversation of an input. It implements
// [plugin.ConversationObserver].
type conversationConverter struct {
	c      *conversion
	kind   string
	number int
	holds  bool // its records are held
	held   []*source.Record

	// step is the first step of the conversion, and finish ends the step that may keep
	// something. A step passes records on to the next one, and reports what it does not
	// pass on. A record is valid until it returns.
	//
	// No step fails: the error of the output stays in the writer, and ends the
	// conversion after the record of the input that led to it.
	step   func(*source.Record)
	finish func()

	begun       bool // a record could be read
	several     bool // the input has other conversations
	joins       bool // the lists of the input are parts of it
	skipsOthers bool // events without a record are omitted
}

// Record implements [plugin.ConversationObserver]: it passes a record to the steps.
func (v *conversationConverter) Record(r *source.Record) {
	c := v.c
	isLost := r.IsGap || r.Root == nil && !r.Binary
	switch {
	case c.failed != nil, v.holds && isLost && r.Fatal() == nil: // text between records
		return
	case v.holds:
		if c.groupedBytes += len(r.Data); c.groupedBytes > maxGrouped {
			c.fail(fmt.Errorf("the conversations of this input exceed %d bytes, the limit of convert", maxGrouped))
		}
		v.held = append(v.held, r.Clone())
		return
	case r.IsGap && r.Fatal() != nil && !v.begun && c.gap == nil && c.result.Records == 0:
		c.gap = r.Clone()
		return
	}
	c.reportGap()
	switch {
	case v.skipsOthers && r.Event != "" && c.others.Skips(r): // without a name it may be a record of the conversion
	case isLost:
		c.unreadable(r)
	default:
		if !v.begun {
			v.begun = true
			c.fail(v.plan(r))
		}
		c.result.Records++
		v.step(r)
		if c.options.Live {
			c.fail(c.writer.out.Flush())
		} else {
			c.fail(c.writer.err())
		}
	}
}

// Event implements [plugin.ConversationObserver].
func (*conversationConverter) Event(plugin.Mask, any) {}

// Reported implements [plugin.ConversationObserver].
func (*conversationConverter) Reported(uint8, []source.Place) {}

// End implements [plugin.ConversationObserver]. The conversation ends when the next one
// begins, or with the input.
func (*conversationConverter) End(string) {}

// plan makes the steps for a conversation that begins with a record.
func (v *conversationConverter) plan(first *source.Record) error {
	c, o := v.c, &v.c.options
	v.finish = func() {}
	v.step = func(r *source.Record) {
		if err := c.writer.add(r); err != nil {
			c.leaveOut(r, err)
		}
	}
	switch whole := v.kind == protocol.KindTranscript; {
	case o.To == Messages && !whole:
		assembly := newAssembly(c, v.step, v.kind)
		v.step, v.finish = assembly.add, assembly.assembler.Finish
	case o.To == Chunks && whole:
		streamer := newStreamer(c, v.step)
		v.step, v.finish = streamer.add, streamer.finish
	}
	isOld := first.Root != nil && first.Root.Kind == source.Object && (protocol.LMC{}).MeaningOf(first.Root) == source.Old
	if o.FromVersion != "" || o.needsLMC() && isOld {
		v.step = (&upgrade{c: c, next: v.step}).add
	}
	inList := first.Pointer != ""
	return c.output().begin(v.several && (!v.joins || !inList), inList && !v.joins)
}
