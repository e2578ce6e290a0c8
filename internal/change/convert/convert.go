// Package convert writes the records of an input in another recorded form, as
// the messages that a consumer stores, or as the chunks of a stream.
//
// A record on its way passes the steps that the options ask for: those of
// Open Interpreter 0.1 become LMC, chunks become messages or messages chunks. Then a
// layout writes it. Each step passes records on one by one and keeps only what is
// open. What a step cannot keep is a [Loss].
package convert

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/assemble"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
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

// PreLMC is the version of [Options.FromVersion].
const PreLMC = "0.1"

// Options say what becomes of an input.
type Options struct {
	To          Target // "": the form of the input if it can be written, else JSON Lines
	FromVersion string // PreLMC if the records are of Open Interpreter 0.1, "" to detect that where it matters

	Dialect *schema.Dialect // of the input and of the chunks that are made, nil for the default one

	Assembly assemble.Options // for Messages; without a consumer, that of the input's kind
	AutoRun  bool             // no confirmations, unless the dialect always has them

	Form           source.Form // of the input, source.FormAuto to detect
	Kind           string      // transcript, stream or session, "" to detect
	MaxRecordBytes int64
	Discovered     bool // the input was found in a directory, and not named
	AllowEmpty     bool // accept an input without records
	Live           bool // write each record as soon as it is converted
}

// needsLMC reports whether the input must be LMC.
func (o *Options) needsLMC() bool {
	return o.To == Messages || o.To == Chunks || o.FromVersion != ""
}

// Loss is a part of the input that could not be kept, or not be rewritten. Those of a
// consumer are deviations.
type Loss = assemble.Deviation

// The other kinds of losses.
const (
	LeftOut assemble.DeviationKind = "left out" // a record, or text between records, is not in the output
	Changed assemble.DeviationKind = "changed"  // a record lacks a part, or has a part that the input has not
)

// Result says what was done.
type Result struct {
	Records  int  // of the input, without those that could not be read
	Written  int  // records of the output
	Upgraded bool // records of Open Interpreter 0.1 became LMC
}

// errNoPreLMC reports that no record is of the named version.
var errNoPreLMC = errors.New("no record is from Open Interpreter 0.1.16 or older")

// ErrNoRecords reports an input without records.
var ErrNoRecords = errors.New("the input contains no records")

// Converter converts inputs, one at a time.
type Converter struct {
	options Options
	linter  *lint.Linter
	current *conversion
}

// New returns a converter. NewReader makes the linter that reads the inputs, and runs no
// rule.
func New(o Options, newReader func(lint.Config, ...lint.Option) (*lint.Linter, error)) (*Converter, error) {
	c := &Converter{options: o}
	config := lint.Config{
		Kind: o.Kind, Form: string(o.Form), MaxRecordBytes: o.MaxRecordBytes, Discovered: o.Discovered, AllowEmpty: o.AllowEmpty,
	}
	var err error
	c.linter, err = newReader(config, lint.WithObserver(func(string) plugin.Observer { return c.current }))
	return c, err
}

// Run converts the input of a name. It passes losses to report, in the order of the input.
// If it returns an error, out is incomplete. An error is that of the input, the
// output or the context, a [*lint.UnknownInputError], or says what the output cannot
// express.
func (c *Converter) Run(ctx context.Context, name string, in io.Reader, out io.Writer, report func(Loss)) (Result, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	c.current = &conversion{options: c.options, report: report, out: out, stop: stop}
	read, err := c.linter.Run(ctx, name, in, func(lint.Finding) error { return nil })
	switch {
	case c.current.failed != nil:
		err = c.current.failed
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case err == nil:
		err = c.current.end(read)
	}
	return c.current.result, err
}

// assembly makes the messages that a consumer stores of a stream.
type assembly struct {
	c         *conversion
	assembler *assemble.Assembler
	at        source.Record // the place of the record under way, which messages get
	stopped   bool          // the consumer has crashed
}

// newAssembly returns the step for a stream or a session. Without a consumer, the
// server stores a session, and the interpreter what it streams.
func newAssembly(c *conversion, next func(*source.Record), kind string) *assembly {
	s := &assembly{c: c}
	o := c.options.Assembly
	if o.As == "" && kind == protocol.KindSession {
		o.As = assemble.Server
	}
	s.assembler = assemble.New(o, func(message []byte) {
		r := s.at // the message is at the place of the record that completes it
		r.Data = message
		next(&r) // which only writes it, so that it needs no values
	}, c.report)
	return s
}

func (s *assembly) add(r *source.Record) {
	s.at = source.Record{Start: r.Start, Index: r.Index, Conversation: r.Conversation, Pointer: r.Pointer}
	switch {
	case s.stopped:
	case r.Binary:
		s.assembler.Binary(r)
	case r.Root.Kind != source.Object:
		s.c.lose(LeftOut, r, "not an object, so not a chunk")
	default:
		if !s.assembler.Add(lmc.NewRecord(r)) {
			s.stopped = true
			s.c.lose(LeftOut, r, "the consumer stopped here: what follows is not stored; --go-on continues")
		}
	}
}

// object is a record that is being rewritten: its members in order, as JSON.
type object []member

// member is a member of an object. Its name is JSON, too, so that a name with invalid
// UTF-8 remains unchanged.
type member struct {
	name  string
	value string
}

// newObject returns an object with members: names, and values as JSON, in turn.
func newObject(members ...string) (o object) {
	for i := 0; i < len(members); i += 2 {
		o = append(o, member{quoted(members[i]), members[i+1]})
	}
	return o
}

// objectOf returns the members of a record. It fails if they cannot be written
// as JSON.
func objectOf(r *source.Record) (o object, err error) {
	w := newTextWriter(r.Data, r.Python, false)
	for i := range r.Root.Children {
		n := &r.Root.Children[i]
		o = append(o, member{string(w.Name(nil, n)), string(w.Append(nil, n))})
	}
	return o, w.err
}

// with returns the object with another member at its end.
func (o object) with(name, json string) object {
	return append(o[:len(o):len(o)], member{quoted(name), json})
}

// find returns the index of the first member with a name, or -1.
func (o object) find(name string) int {
	return slices.IndexFunc(o, func(m member) bool { return m.name == quoted(name) })
}

// without returns the object without the members of some names, only the one without
// the others.
func (o object) without(names ...string) object { return o.filtered(names, false) }
func (o object) only(names ...string) object    { return o.filtered(names, true) }

func (o object) filtered(names []string, keep bool) object {
	return slices.DeleteFunc(slices.Clone(o), func(m member) bool {
		return keep != slices.ContainsFunc(names, func(name string) bool { return m.name == quoted(name) })
	})
}

// json returns the object as JSON.
func (o object) json() []byte {
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(append(append(b, m.name...), ": "...), m.value...)
	}
	return append(b, '}')
}

// quoted returns a text as a JSON string.
func quoted(text string) string { return string(assemble.AppendASCII(nil, []byte(text))) }

// derive returns a record with other members at the place of a record. It stays
// valid. It fails if a record cannot be like that: if it has too many values, say.
func derive(from *source.Record, o object) (*source.Record, error) {
	data := o.json()
	scan := value.Scanner{MaxDepth: value.MaxDepth}
	v := scan.Scan(data, true)
	if v.Stop != nil {
		return nil, errors.New(v.Stop.Detail)
	}
	root := &value.Node{}
	v.Root.CloneTo(root, data)
	frame := from.Frame
	frame.Time = bytes.Clone(frame.Time)
	return &source.Record{
		Index: from.Index, Conversation: from.Conversation, Pointer: from.Pointer, Data: data, Root: root,
		Start: from.Start, Frame: frame,
	}, nil
}

// derive passes a record with other members, at the place of a record, to add, or
// reports that there is none.
func (c *conversion) derive(from *source.Record, o object, add func(*source.Record)) {
	made, err := derive(from, o)
	if err != nil {
		c.leaveOut(from, err)
		return
	}
	add(made)
}
