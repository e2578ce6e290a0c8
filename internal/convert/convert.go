package convert

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/lmclint/lmclint/internal/assemble"
	"github.com/lmclint/lmclint/internal/plugin"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/embedded"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

// Target is what an input is converted to: a recorded form, or what the records
// become.
type Target string

// The targets.
const (
	JSONL    Target = "jsonl"    // a record per line
	JSON     Target = "json"     // one array
	SSE      Target = "sse"      // server-sent events
	Python   Target = "python"   // a list of dict literals
	Messages Target = "messages" // the messages that a consumer stores, as JSON
	Chunks   Target = "chunks"   // the chunks of a stream, as JSON Lines
)

// Targets lists the targets.
func Targets() []Target { return []Target{JSONL, JSON, SSE, Python, Messages, Chunks} }

// Form is the recorded form of the output.
func (t Target) Form() source.Form {
	switch t {
	case Messages:
		return source.FormJSON
	case Chunks:
		return source.FormJSONL
	}
	return source.Form(t)
}

// PreLMC is the version of [Options.FromVersion].
const PreLMC = "0.1"

// Options say what becomes of an input.
type Options struct {
	To          Target // "": the form of the input if it can be written, else JSON Lines
	FromVersion string // PreLMC if the records are of Open Interpreter 0.1, "" to detect that where it matters

	Dialect   *schema.Dialect // of the input, nil to detect it
	ToDialect *schema.Dialect // that the records are rewritten for, or nil

	Assembly assemble.Options // for Messages; without a consumer, that of the input's kind
	AutoRun  bool             // no confirmations, unless the dialect always has them

	Only source.Direction // write the frames of this direction only, as a stream

	Source     source.Options
	Kind       string // transcript, stream or session, "" to detect
	Discovered bool   // an input of unknown protocol is an error for every target
	AllowEmpty bool   // accept an input without records
	Live       bool   // write each record as soon as it is converted
}

// needsLMC reports whether the input must be LMC, and its kind known.
func (o *Options) needsLMC() bool {
	return o.To == Messages || o.To == Chunks || o.ToDialect != nil || o.FromVersion != ""
}

// needsProtocol reports whether the input must be of a known protocol.
func (o *Options) needsProtocol() bool { return o.needsLMC() || o.Discovered }

// LossKind is what happened to what could not be kept.
type LossKind string

// The kinds of losses besides those of [assemble.Deviation].
const (
	LeftOut LossKind = "left out" // a record, or text between records, is not in the output
	Changed LossKind = "changed"  // a record lacks a part, or has a part that the input has not
	Kept    LossKind = "kept"     // a record is unchanged, though it does not fit
)

// Loss is a part of the input that could not be kept, or not be rewritten.
type Loss struct {
	Kind    LossKind
	Place   source.Place
	Message string // one line, without the place
}

// Result says what was done.
type Result struct {
	Records  int  // of the input, without those that could not be read
	Written  int  // records of the output
	Upgraded bool // records of Open Interpreter 0.1 became LMC
}

// errNoPreLMC reports that no record is of the named version.
var errNoPreLMC = errors.New("no record is from Open Interpreter 0.1.16 or older")

// errNoDirection reports an input that is not a session.
var errNoDirection = errors.New("no record was sent or received: the input is not the log of a connection")

// ErrNoRecords reports an input without records.
var ErrNoRecords = errors.New("the input contains no records")

// Run converts an input. It passes losses to report, in the order of the input.
// If it returns an error, out is incomplete. An error is that of the input, the
// output or the context, a [*lint.UnknownInputError], a [*MismatchError], or says
// what the output cannot express.
func Run(ctx context.Context, in io.Reader, out io.Writer, o Options, report func(Loss)) (Result, error) {
	o.Source.IsRecord = isRecord
	c := &conversion{options: o, sink: report, known: !o.needsProtocol(), reader: embedded.NewReader(in, o.Source)}
	c.verifier = newVerifier(source.Options{
		MaxRecordBytes: o.Source.MaxRecordBytes, MaxDepth: o.Source.MaxDepth, IsRecord: isRecord,
	})
	c.out = io.MultiWriter(out, c.verifier)
	err := c.all(ctx)
	if err != nil {
		c.verifier.abandon(err)
		return c.result, err
	}
	return c.result, c.verifier.finish()
}

// isRecord reports whether an object among other text is a record.
func isRecord(r *source.Record) bool {
	return protocol.LMC{}.IsRecord(r) || protocol.Workbench{}.IsRecord(r)
}

// step is one step of a conversion. It passes records on to the next one. A
// record is valid until add returns.
type step interface {
	add(r *source.Record) error
	finish() error // ends the conversation
}

// conversion is the conversion of one input.
type conversion struct {
	options  Options
	sink     func(Loss)
	known    bool             // the input is of a known protocol, as far as that is asked for
	waiting  []Loss           // until that is known
	broken   []*source.Record // the first ones that could not be read, until then
	reader   *source.Reader
	events   eventSieve
	verifier *verifier
	out      io.Writer
	writer   *writer // nil before the first record
	result   Result

	begun        bool // a conversation is under way
	conversation int  // its number
	steps        step // nil until its kind is known
	first        []*source.Record
	grouped      map[int][]*source.Record // by conversation, if they are interleaved
	order        []int                    // of the conversations in grouped
	groupedBytes int
	old          int  // records of Open Interpreter 0.1
	directed     bool // a frame of the other direction was left out, as asked for
}

// maxGrouped is how many bytes of records are held to separate the conversations
// of a log or of a browser's traffic.
const maxGrouped = 256 << 20

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

// maxBroken is how many unreadable records show what an input without readable
// ones is. With more of them it counts as a recording, however broken.
const maxBroken = 1000

// lose reports what could not be kept of a record.
func (c *conversion) lose(kind LossKind, r *source.Record, format string, args ...any) {
	c.report(Loss{kind, r.Place(), fmt.Sprintf(format, args...)})
}

// leaveOut reports a record that cannot be written.
func (c *conversion) leaveOut(r *source.Record, why error) error {
	c.lose(LeftOut, r, "%v", why)
	return nil
}

// all converts the records of the input, up to its end.
func (c *conversion) all(ctx context.Context) error {
	for {
		r, err := c.reader.Next()
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, io.EOF):
			if err := c.events.finish(c.take); err != nil {
				return err
			}
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

// take converts a record, or reports that it cannot be read.
func (c *conversion) take(r *source.Record) error {
	if r = c.readable(r); r == nil {
		return nil
	}
	c.result.Records++
	return c.sort(r)
}

// readable returns a record of the reader if it is to be converted, and reports
// what is wrong with one that cannot be.
func (c *conversion) readable(r *source.Record) *source.Record {
	kept := !r.IsGap && (r.Root != nil || r.Binary) && !r.IsElided()
	for i := range r.Problems {
		if p := &r.Problems[i]; p.IsFatal() && !kept {
			c.report(Loss{LeftOut, p.Place, problemText(r, p)})
			break
		}
	}
	if !kept && !c.known && len(c.broken) < maxBroken {
		c.broken = append(c.broken, r.Clone())
	}
	switch {
	case !kept:
		return nil
	case c.options.Only == source.Undirected:
		return r
	case r.Direction != c.options.Only:
		c.directed = c.directed || r.Direction != source.Undirected
		return nil
	case r.Binary:
		c.lose(LeftOut, r, "a binary frame has no place in a stream")
		return nil
	}
	r.Direction, r.Time = source.Undirected, nil
	return r
}

// problemText describes a problem as the linter does.
func problemText(r *source.Record, p *source.Problem) string {
	switch {
	case p.Kind != source.InvalidJSON:
		return p.Detail
	case r.Python:
		return "not a valid Python literal: " + p.Detail
	}
	return "not valid JSON: " + p.Detail
}

// sort passes on a record, or holds it if records of other conversations may be
// between those of its own.
func (c *conversion) sort(r *source.Record) error {
	switch c.reader.Form() {
	case source.FormLog, source.FormHAR, source.FormMarkdown, source.FormNotebook:
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

// end ends the input.
func (c *conversion) end() error {
	for _, number := range c.order {
		for _, r := range c.grouped[number] {
			if err := c.add(r, len(c.order) > 1); err != nil {
				return err
			}
		}
	}
	list := c.reader.HasEnvelope() || c.reader.Form() == source.FormJSON || c.reader.Form() == source.FormPython
	if c.result.Records == 0 && !c.known {
		if v := c.sniff(c.broken, true); v.LooksLike != "" {
			return &lint.UnknownInputError{Looks: v.LooksLike}
		}
		c.recognize()
	}
	switch {
	case c.result.Records == 0 && c.options.Only != source.Undirected:
		if !c.directed {
			return errNoDirection
		}
		return ErrNoRecords
	case c.result.Records == 0 && !list && !c.options.AllowEmpty:
		return ErrNoRecords
	case !c.begun:
		c.writer = newWriter(c.out, c.form(), c.verifier)
		return c.writer.finish(list)
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

// form is the recorded form of the output.
func (c *conversion) form() source.Form {
	if c.options.To != "" {
		return c.options.To.Form()
	}
	if form := c.reader.Form(); slices.Contains(Targets(), Target(form)) {
		return form
	}
	return source.FormJSONL
}

// add passes a record to the steps. Several says that the input has several
// conversations, each in its place.
func (c *conversion) add(r *source.Record, several bool) error {
	number := max(r.Conversation, 0)
	if c.begun && number != c.conversation {
		if err := c.endConversation(); err != nil {
			return err
		}
	}
	if !c.begun {
		if c.writer == nil {
			c.writer = newWriter(c.out, c.form(), c.verifier)
			if c.options.To == Messages {
				c.writer.layout.several = true // concatenated arrays are documents
			}
		}
		c.begun, c.conversation = true, number
		if err := c.writer.begin(several, r.Pointer != "" && !several); err != nil {
			return err
		}
	}
	if c.steps != nil {
		return c.pass(r)
	}
	if c.options.needsProtocol() {
		c.first = append(c.first, r.Clone())
	} else {
		c.steps = &output{c}
		return c.pass(r)
	}
	return c.detect(false)
}

// pass passes a record to the steps.
func (c *conversion) pass(r *source.Record) error {
	if err := c.steps.add(r); err != nil {
		return err
	}
	if c.options.Live {
		return c.writer.out.Flush()
	}
	return nil
}

// sniff detects what the first records of a conversation are.
func (c *conversion) sniff(first []*source.Record, final bool) plugin.Detection {
	config := plugin.Config{
		Kind: c.options.Kind, FormNamed: c.options.Source.Form != source.FormAuto, Discovered: c.options.Discovered,
	}
	v := protocol.LMC{}.Sniff(first, c.reader.Form(), config, final)
	if v.LooksLike != "" && !c.options.needsLMC() {
		if other := (protocol.Workbench{}).Sniff(first, c.reader.Form(), config, final); other.Kind != "" {
			return other
		}
	}
	return v
}

// detect finds out from the first records of a conversation what it is, and
// passes them on once that is known.
func (c *conversion) detect(final bool) error {
	v := c.sniff(c.first, final)
	switch {
	case v.LooksLike != "":
		return &lint.UnknownInputError{Looks: v.LooksLike}
	case v.Kind == "" && final:
		v.Kind = protocol.KindTranscript
	case v.Kind == "":
		return nil
	}
	c.recognize()
	c.steps = c.plan(v.Kind)
	first := c.first
	c.first = nil
	for _, r := range first {
		if err := c.pass(r); err != nil {
			return err
		}
	}
	return nil
}

// endConversation ends the conversation under way.
func (c *conversion) endConversation() error {
	if c.steps == nil {
		if err := c.detect(true); err != nil {
			return err
		}
	}
	if err := c.steps.finish(); err != nil {
		return err
	}
	c.steps, c.begun = nil, false
	return c.writer.end()
}

// plan returns the steps for a conversation of a kind, the first one of them.
func (c *conversion) plan(kind string) step {
	o := &c.options
	whole := kind == protocol.KindTranscript
	var s step = &output{c}
	switch {
	case o.To == Messages && !whole:
		s = c.rewriting(s, schema.Message)
		s = newAssembly(c, s, kind)
	case o.To == Chunks && whole:
		s = newStreamer(c, s)
		s = c.rewriting(s, schema.Message)
	case whole:
		s = c.rewriting(s, schema.Message)
	default:
		s = c.rewriting(s, schema.Chunk)
	}
	isOld := o.FromVersion != "" || (o.To == Messages || o.To == Chunks || o.ToDialect != nil) && c.isOld()
	if isOld {
		s = &upgrade{c: c, next: s}
	}
	return s
}

// isOld reports whether the first records are certainly of Open Interpreter 0.1.
func (c *conversion) isOld() bool {
	for _, r := range c.first {
		if r.Root != nil && r.Root.Kind == source.Object {
			return protocol.IsPreLMC(r)
		}
	}
	return false
}

// targetDialect is the dialect of the output.
func (c *conversion) targetDialect() *schema.Dialect {
	for _, d := range []*schema.Dialect{c.options.ToDialect, c.options.Dialect} {
		if d != nil {
			return d
		}
	}
	d, _ := schema.Lookup(schema.Names()[0])
	return d
}

// output is the last step: it writes records.
type output struct{ c *conversion }

func (s *output) add(r *source.Record) error {
	err := s.c.writer.add(r)
	var kept *keepError
	if errors.As(err, &kept) {
		return s.c.leaveOut(r, kept)
	}
	return err
}

func (s *output) finish() error { return nil }
