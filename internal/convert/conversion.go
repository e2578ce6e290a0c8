package convert

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/lmclint/lmclint/internal/plugin"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// conversion is the conversion of one input: it reads the records, and passes
// each one to its conversation.
type conversion struct {
	options Options
	sink    func(Loss)
	known   bool             // the input is known to be of a protocol
	waiting []Loss           // until that is known
	broken  []*source.Record // the first ones that could not be read, until then
	reader  *source.Reader
	events  eventSieve
	out     io.Writer
	writer  *writer // nil before the first record
	result  Result

	conversation *conversation            // under way, or nil
	grouped      map[int][]*source.Record // by conversation, if they are interleaved
	order        []int                    // of the conversations in grouped
	groupedBytes int
	old          int  // records of Open Interpreter 0.1
	directed     bool // a frame of the other direction was omitted, as Options.Only requires
}

// maxGrouped is how many bytes of records are held to separate the conversations
// of a log or of a browser's traffic.
const maxGrouped = 256 << 20

// maxBroken is how many unreadable records show what an input without readable
// ones is. With more of them it counts as a recording, however broken.
const maxBroken = 1000

// report reports a loss, once the input is known to be worth it.
func (c *conversion) report(l Loss) {
	if !c.known {
		if c.waiting = append(c.waiting, l); len(c.waiting) < maxBroken {
			return
		}
		c.recognize()
		return
	}
	c.sink(l)
}

// recognize notes that the input is of a known protocol.
func (c *conversion) recognize() {
	waiting := c.waiting
	c.known, c.waiting, c.broken = true, nil, nil
	for _, l := range waiting {
		c.sink(l)
	}
}

// lose reports what could not be kept of a record.
func (c *conversion) lose(kind LossKind, r *source.Record, format string, args ...any) {
	c.report(Loss{kind, r.Place(), fmt.Sprintf(format, args...)})
}

// leaveOut reports a record that cannot be written.
func (c *conversion) leaveOut(r *source.Record, why error) { c.lose(LeftOut, r, "%v", why) }

// all converts the records of the input, up to its end.
func (c *conversion) all(ctx context.Context) error {
	for {
		r, err := c.reader.Next()
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, io.EOF):
			return c.end()
		case err != nil:
			return err
		case c.reader.Form() == source.FormSSE && c.form() != source.FormSSE:
			err = c.events.add(r, c.take)
		default:
			err = c.take(r)
		}
		if err != nil {
			return err
		}
	}
}

// take converts a record, unless it cannot be read or is not of the direction that is
// asked for. With a direction it is one of a stream.
func (c *conversion) take(r *source.Record) error {
	switch only := c.options.Only; {
	case r.IsGap || r.Root == nil && !r.Binary:
		c.unreadable(r)
		return nil
	case only == source.Undirected:
	case r.Direction != only:
		c.directed = c.directed || r.Direction != source.Undirected
		return nil
	case r.Binary:
		c.lose(LeftOut, r, "a binary frame has no place in a stream")
		return nil
	default:
		r.Direction, r.Time = source.Undirected, nil
	}
	c.result.Records++
	return c.sort(r)
}

// unreadable reports what is wrong with a record that could not be read, as the linter
// says it.
func (c *conversion) unreadable(r *source.Record) {
	for i := range r.Problems {
		p := &r.Problems[i]
		if !p.IsFatal() {
			continue
		}
		what := p.Detail
		switch {
		case p.Kind != source.InvalidJSON:
		case r.Python:
			what = "not a valid Python literal: " + what
		default:
			what = "not valid JSON: " + what
		}
		c.report(Loss{LeftOut, p.Place, what})
		break
	}
	if !c.known && len(c.broken) < maxBroken {
		c.broken = append(c.broken, r.Clone())
	}
}

// sort passes on a record, or holds it if records of other conversations may be
// between those of its own.
func (c *conversion) sort(r *source.Record) error {
	switch c.reader.Form() {
	case source.FormText, source.FormHAR:
	default:
		return c.add(r, r.Conversation >= 0)
	}
	if c.grouped == nil {
		c.grouped = map[int][]*source.Record{}
	}
	if c.groupedBytes += len(r.Data); c.groupedBytes > maxGrouped {
		return fmt.Errorf("the conversations of this input exceed %d bytes, the limit of convert", maxGrouped)
	}
	if c.grouped[r.Conversation] == nil {
		c.order = append(c.order, r.Conversation)
	}
	c.grouped[r.Conversation] = append(c.grouped[r.Conversation], r.Clone())
	return nil
}

// add passes a record to its conversation, and fails if the output did. Several
// says that the input has several conversations, each in its place.
func (c *conversion) add(r *source.Record, several bool) error {
	if v := c.conversation; v != nil {
		list := v.number
		switch {
		case !v.contains(r):
			if err := c.endConversation(); err != nil {
				return err
			}
		case v.number != list:
			c.writer.join()
		}
	}
	if c.conversation == nil {
		c.conversation = &conversation{
			c: c, number: max(r.Conversation, 0),
			mayJoin: r.Pointer != "" && protocol.JoinsLists(c.reader.Form()) && c.options.Kind != protocol.KindTranscript,
		}
		if err := c.output().begin(c.sequel(r, several)); err != nil {
			return err
		}
	}
	if err := c.conversation.add(r); err != nil {
		return err
	}
	if c.options.Live {
		return c.writer.out.Flush()
	}
	return c.writer.err()
}

// sequel returns what may follow the conversation that begins with a record.
func (c *conversion) sequel(r *source.Record, several bool) sequel {
	switch {
	case several && c.conversation.mayJoin && !c.options.Live:
		return listOrPart
	case several:
		return conversations
	case r.Pointer != "":
		return document
	}
	return nothing
}

// endConversation ends the conversation under way.
func (c *conversion) endConversation() error {
	if err := c.conversation.end(); err != nil {
		return err
	}
	c.conversation = nil
	c.writer.end()
	return nil
}

// output returns the writer. Its form may be that of the input, which is known
// with the first record.
func (c *conversion) output() *writer {
	if c.writer != nil {
		return c.writer
	}
	form := c.form()
	c.writer = &writer{out: bufio.NewWriterSize(c.out, 64<<10), layout: layouts[form], form: form}
	if c.options.To == Messages {
		c.writer.layout.several = true // concatenated arrays are documents
	}
	return c.writer
}

// form is the recorded form of the output.
func (c *conversion) form() source.Form {
	if c.options.To != "" {
		return c.options.To.Form()
	}
	if own := c.reader.Form(); slices.Contains(Targets(), Target(own)) {
		return own
	}
	return source.FormJSONL
}

// end ends the input.
func (c *conversion) end() error {
	if err := c.events.finish(c.take); err != nil {
		return err
	}
	if err := c.recognizeGrouped(); err != nil {
		return err
	}
	for _, number := range c.order {
		for _, r := range c.grouped[number] {
			if err := c.add(r, len(c.order) > 1); err != nil {
				return err
			}
		}
	}
	list := c.reader.HasEnvelope() || c.reader.Form() == source.FormJSON || c.reader.Form() == source.FormPython
	if c.conversation == nil {
		if err := c.checkEmpty(); err != nil {
			return err
		}
		return c.output().finish(list)
	}
	if err := c.endConversation(); err != nil {
		return err
	}
	if c.options.FromVersion != "" && c.old == 0 {
		return errNoPreLMC
	}
	c.result.Upgraded = c.old > 0
	c.result.Written = c.writer.written
	return c.writer.finish(list)
}

// recognizeGrouped fails if no conversation of a log or of a browser's traffic is
// of a known protocol.
func (c *conversion) recognizeGrouped() error {
	if len(c.order) == 0 || c.options.needsLMC() {
		return nil
	}
	var first []*source.Record
	for _, number := range c.order {
		first = append(first, c.grouped[number]...)
	}
	if v := c.sniff(first, true); v.LooksLike != "" {
		return &lint.UnknownInputError{Looks: v.LooksLike}
	}
	c.recognize()
	return nil
}

// checkEmpty fails if an input may not be without records.
func (c *conversion) checkEmpty() error {
	if !c.known {
		if v := c.sniff(c.broken, true); v.LooksLike != "" {
			return &lint.UnknownInputError{Looks: v.LooksLike}
		}
		if len(c.broken) == 1 && c.broken[0].IsGap && len(c.waiting) > 0 { // nothing of the input was read
			return errors.New(c.waiting[0].Message)
		}
		c.recognize()
	}
	switch {
	case c.options.Only != source.Undirected && !c.directed:
		return errNoDirection
	case c.options.Only != source.Undirected, !c.options.AllowEmpty:
		return ErrNoRecords
	}
	return nil
}

// sniff detects what the first records of a conversation are.
func (c *conversion) sniff(first []*source.Record, final bool) plugin.Detection {
	config := plugin.Config{Settings: plugin.Settings{
		Kind: c.options.Kind, Form: string(c.options.Source.Form), Discovered: c.options.Discovered,
	}}
	v := protocol.LMC{}.Sniff(first, c.reader.Form(), config, final)
	if v.LooksLike != "" && !c.options.needsLMC() {
		if other := (protocol.Workbench{}).Sniff(first, c.reader.Form(), config, final); other.Kind != "" {
			return other
		}
	}
	return v
}
