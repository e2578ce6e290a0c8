package convert

import (
	"bufio"
	"cmp"
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

// conversion is the conversion of one input: it reads the records, and passes
// each one to its conversation.
type conversion struct {
	options Options
	report  func(Loss)
	reader  *source.Reader
	out     io.Writer
	writer  *writer // nil before the first conversation
	result  Result

	known        bool                 // the input is of a protocol
	others       protocol.OtherEvents // of a stream of server-sent events
	conversation *conversation        // under way, or nil
	groups       [][]*source.Record   // by conversation, if these are interleaved
	groupOf      map[int]int          // then: the index of a conversation in groups
	lost         []*source.Record     // then: those that could not be read
	groupedBytes int
	old          int // records of Open Interpreter 0.1
}

// maxGrouped is how many bytes of records are held to separate the conversations
// of a log or of a browser's traffic.
const maxGrouped = 256 << 20

// maxLost is how many records that could not be read show what an input is.
const maxLost = 1000

// lose reports what could not be kept of a record.
func (c *conversion) lose(kind assemble.DeviationKind, r *source.Record, format string, args ...any) {
	c.report(Loss{Kind: kind, Place: r.Place(), Message: fmt.Sprintf(format, args...)})
}

// leaveOut reports a record that cannot be written.
func (c *conversion) leaveOut(r *source.Record, why error) { c.lose(LeftOut, r, "%v", why) }

// all converts the records of the input, up to its end.
func (c *conversion) all(ctx context.Context) error {
	for {
		r, err := c.reader.Next()
		switch form := c.reader.Form(); {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, io.EOF):
			return c.end()
		case err != nil:
			return err
		case form == source.FormText, form == source.FormHAR:
			err = c.group(r)
		default:
			err = c.add(r, r.Conversation >= 0)
		}
		if err != nil {
			return err
		}
	}
}

// group holds a record, as records of other conversations may be between those of its
// own.
func (c *conversion) group(r *source.Record) error {
	if isLost(r) && len(c.lost) >= maxLost && r.Fatal() == nil {
		return nil // text between records
	}
	if c.groupedBytes += len(r.Data); c.groupedBytes > maxGrouped {
		return fmt.Errorf("the conversations of this input exceed %d bytes, the limit of convert", maxGrouped)
	}
	if isLost(r) {
		c.lost = append(c.lost, r.Clone())
		return nil
	}
	at, ok := c.groupOf[r.Conversation]
	if !ok {
		at = len(c.groups)
		c.groupOf[r.Conversation] = at
		c.groups = append(c.groups, nil)
	}
	c.groups[at] = append(c.groups[at], r.Clone())
	return nil
}

// isLost reports whether a record could not be read. It belongs to the conversation
// under way, whichever that is.
func isLost(r *source.Record) bool { return r.IsGap || r.Root == nil && !r.Binary }

// add passes a record to its conversation, and fails if the output did. Several
// says that the input has several conversations, each in its place.
func (c *conversion) add(r *source.Record, several bool) error {
	if v := c.conversation; v != nil && v.begun && !v.joins && !isLost(r) && v.number != max(r.Conversation, 0) { // r is of another
		if err := c.endConversation(); err != nil {
			return err
		}
	}
	if c.conversation == nil {
		c.conversation = &conversation{c: c}
	}
	if err := c.conversation.add(r, several); err != nil {
		return err
	}
	switch {
	case c.writer == nil:
		return nil
	case c.options.Live:
		return c.writer.out.Flush()
	}
	return c.writer.err()
}

// endConversation ends the conversation under way.
func (c *conversion) endConversation() error {
	for c.conversation.step == nil { // the lists after the first may be others
		if err := c.conversation.detect(true); err != nil {
			return err
		}
	}
	v := c.conversation
	c.conversation = nil
	if v.begun {
		v.finish()
		switch {
		case !c.reader.IsInterrupted() || c.options.To == Messages || c.options.To == Chunks:
		case c.writer.form == source.FormPython: // in a text, a note is not read
			c.report(Loss{Kind: LeftOut, Message: "the note that the connection was interrupted"})
		default:
			c.writer.interrupt()
		}
		c.writer.end()
	}
	return nil
}

// form is the recorded form of the output.
func (c *conversion) form() source.Form {
	switch own := c.reader.Form(); {
	case c.options.To == Messages:
		return source.FormJSON
	case c.options.To == Chunks:
		return source.FormJSONL
	case c.options.To != "":
		return source.Form(c.options.To)
	case slices.Contains(Targets(), Target(own)):
		return own
	}
	return source.FormJSONL
}

// output returns the writer. Its form may be that of the input, which is known
// with the first record.
func (c *conversion) output() *writer {
	if c.writer == nil {
		form := c.form()
		c.writer = &writer{out: bufio.NewWriterSize(c.out, 64<<10), layout: layouts[form], form: form}
		if c.options.To == Messages {
			c.writer.layout.several = true // concatenated arrays are documents
		}
	}
	return c.writer
}

// end ends the input.
func (c *conversion) end() error {
	if err := c.addGroups(); err != nil {
		return err
	}
	if c.conversation == nil && !c.known {
		c.conversation = &conversation{c: c} // which has no records
	}
	if c.conversation != nil {
		if err := c.endConversation(); err != nil {
			return err
		}
	}
	switch {
	case c.result.Records == 0 && !c.options.AllowEmpty && !c.reader.HasEmptyList():
		return ErrNoRecords
	case c.result.Records > 0 && c.options.FromVersion != "" && c.old == 0:
		return errNoPreLMC
	}
	c.result.Upgraded = c.old > 0
	c.result.Written = c.output().written
	return c.writer.finish(c.reader.HasEnvelope() || c.reader.Form() == source.FormJSON || c.reader.Form() == source.FormPython)
}

// addGroups converts the conversations of a log or of a browser's traffic. One of them
// must be of a known protocol.
func (c *conversion) addGroups() error {
	if len(c.groups) == 0 && len(c.lost) == 0 {
		return nil
	}
	all := c.lost
	if len(c.groups) > 0 {
		all = slices.Concat(c.groups...)
	}
	if v, _ := c.sniff(all, true); v.LooksLike != "" {
		return unknownInput(v.LooksLike)
	}
	c.known = true
	for _, r := range c.lost {
		c.unreadable(r)
	}
	for i, group := range c.groups {
		if i > 0 {
			if err := c.endConversation(); err != nil {
				return err
			}
		}
		c.conversation = &conversation{c: c, hasStream: c.hasStream(group)}
		for _, r := range group {
			if err := c.add(r, len(c.groups) > 1); err != nil {
				return err
			}
		}
	}
	return nil
}

// decides reports whether some records show the kind of a conversation.
func (c *conversion) decides(records []*source.Record) bool {
	found, _ := c.sniff(records, false)
	return found.Kind != ""
}

// hasStream reports whether a later part of a text is a stream.
func (c *conversion) hasStream(group []*source.Record) bool {
	found, _ := c.sniff(group, true)
	if found.KindOfPart == nil {
		return false
	}
	part := group[0].Fragment
	for _, r := range group {
		if r.Fragment <= part {
			continue
		}
		switch found.KindOfPart(r, found.Kind) {
		case protocol.KindStream:
			return true
		case "":
		default:
			part = r.Fragment
		}
	}
	return false
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

// sniff detects what the first records of a conversation are, and whether they are LMC.
func (c *conversion) sniff(first []*source.Record, final bool) (found plugin.Detection, isLMC bool) {
	config := plugin.Config{Settings: plugin.Settings{
		Kind: c.options.Kind, Form: string(c.options.Source.Form), Discovered: c.options.Discovered,
	}}
	found = protocol.LMC{}.Sniff(first, c.reader.Form(), config, final)
	if found.LooksLike == "" {
		return found, true
	}
	if other := (protocol.Workbench{}).Sniff(first, c.reader.Form(), config, final); other.Kind != "" {
		if !c.options.needsLMC() {
			return other, false
		}
		found.LooksLike = isWorkbench
	}
	return found, false
}

// isWorkbench says why an input of the other protocol does not become messages or chunks.
const isWorkbench = "it is Semantic Workbench, which is only converted to another form: pass --to jsonl, json, sse or python"

func unknownInput(looks string) error {
	return &lint.UnknownInputError{Looks: looks, Named: looks == isWorkbench}
}

// conversation is the conversion of one conversation of an input.
type conversation struct {
	c     *conversion
	first []*source.Record // until its kind is known; then those of later lists may be among them

	// step is the first step of the conversion, nil until its kind is known, and finish
	// ends the step that may keep something. A step passes records on to the next one,
	// and reports what it does not pass on. A record is valid until it returns.
	//
	// No step fails: the error of the output stays in the writer, and ends the
	// conversion after the record of the input that led to it.
	step   func(*source.Record)
	finish func()

	isUnreadable bool // none of the first maxLost records could be read: its kind shows with the first that can
	begun        bool // a record could be read; it says the following
	number       int  // of the last list, if several are parts of it
	several      bool // the input has other conversations
	inList       bool
	hasStream    bool // a part of a text, after messages, is a stream
	joins        bool // the lists of the input are parts of it; or may be, while its kind is not known
	skipsOthers  bool // events without a record are omitted
}

// add passes a record to the steps, once it is known what the conversation is. It fails
// if that is of an unknown protocol.
func (v *conversation) add(r *source.Record, several bool) error {
	if !v.begun && !isLost(r) {
		v.begun, v.number, v.several, v.inList = true, max(r.Conversation, 0), several, r.Pointer != ""
		v.joins = v.inList && protocol.JoinsLists(v.c.reader.Form()) && v.c.options.Kind != protocol.KindTranscript
	}
	if v.step == nil && (v.begun || !v.isUnreadable) {
		v.first = append(v.first, r.Clone())
		if n := len(v.first); !plugin.Sniffs(n) && (isLost(r) || !v.c.decides(v.first[n-1:])) {
			return nil
		}
		return v.detect(false)
	}
	switch {
	case v.skipsOthers && r.Event != "" && v.c.others.Skips(r): // without a name it may be a record of the conversion
	case isLost(r):
		v.c.unreadable(r)
	default:
		if number := max(r.Conversation, 0); v.number != number {
			v.number = number
			v.c.writer.join()
		}
		v.c.result.Records++
		v.step(r)
	}
	return nil
}

// detect finds out from the first records what the conversation is, and passes
// them on once that is known.
func (v *conversation) detect(final bool) error {
	c := v.c
	found, isLMC := c.sniff(v.first, final)
	switch {
	case found.LooksLike != "" && c.known && !c.options.needsLMC():
		found.Kind = cmp.Or(c.options.Kind, protocol.KindTranscript) // beside others of a known protocol
	case found.LooksLike != "":
		return unknownInput(found.LooksLike)
	case found.Kind == "" && !final, !v.begun && !final && len(v.first) < maxLost:
		return nil
	case !v.begun && len(v.first) == 1 && v.first[0].IsGap && v.first[0].Fatal() != nil: // nothing of the input was read
		return errors.New(v.first[0].Fatal().Detail)
	case found.Kind == "":
		found.Kind = protocol.KindTranscript
	}
	if v.hasStream {
		found.Kind = protocol.KindStream
	}
	c.known = true
	v.skipsOthers = isLMC && c.reader.Form() == source.FormSSE && c.form() != source.FormSSE
	if v.isUnreadable = !v.begun && !final; !v.isUnreadable {
		v.joins = v.joins && isLMC && found.Kind != protocol.KindTranscript
		if err := v.plan(found.Kind); err != nil {
			return err
		}
	}
	first := v.first
	v.first = nil
	for _, r := range first {
		if err := c.add(r, v.several); err != nil {
			return err
		}
	}
	return nil
}

// plan makes the steps for a conversation of a kind.
func (v *conversation) plan(kind string) error {
	c, o, written := v.c, &v.c.options, kind
	v.finish = func() {}
	v.step = func(r *source.Record) {
		if err := c.writer.add(r); err != nil {
			c.leaveOut(r, err)
		}
	}
	switch whole := kind == protocol.KindTranscript; {
	case o.To == Messages && !whole:
		assembly := newAssembly(c, v.step, kind)
		v.step, v.finish, written = assembly.add, assembly.assembler.Finish, protocol.KindTranscript
	case o.To == Chunks && whole:
		streamer := newStreamer(c, v.step)
		v.step, v.finish, written = streamer.add, streamer.finish, protocol.KindStream
		if streamer.isSession() {
			written = protocol.KindSession
		}
	}
	first := slices.IndexFunc(v.first, func(r *source.Record) bool { return r.Root != nil && r.Root.Kind == source.Object })
	if o.FromVersion != "" || o.needsLMC() && first >= 0 && (protocol.LMC{}).MeaningOf(v.first[first].Root) == source.Old {
		v.step = (&upgrade{c: c, next: v.step}).add
	}
	if !v.begun {
		return nil
	}
	return c.output().begin(written, v.several && !v.joins, v.inList && !v.joins)
}
