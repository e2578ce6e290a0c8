// Package convert writes the records of an input in another recorded form, as
// the messages that a consumer stores, or as the chunks of a stream.
//
// A record on its way passes the steps that the options ask for: those of
// Open Interpreter 0.1 become LMC, chunks become messages or messages chunks. Then a
// layout writes it. Each step passes records on one by one and keeps only what is
// open. What a step cannot keep is a [Loss].
package convert

import (
	"context"
	"errors"
	"io"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/assemble"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/text"
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

	Source     source.Options
	Kind       string // transcript, stream or session, "" to detect
	Discovered bool   // the input was found in a directory, and not named
	AllowEmpty bool   // accept an input without records
	Live       bool   // write each record as soon as it is converted
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

// Run converts an input. It passes losses to report, in the order of the input.
// If it returns an error, out is incomplete. An error is that of the input, the
// output or the context, a [*lint.UnknownInputError], a [*KindError], or says what
// the output cannot express.
func Run(ctx context.Context, in io.Reader, out io.Writer, o Options, report func(Loss)) (Result, error) {
	o.Source.Detect = protocol.MeaningOf
	c := &conversion{options: o, report: report, out: out, reader: text.NewReader(in, o.Source), groupOf: map[int]int{}}
	err := c.all(ctx)
	if unread, ok := errors.AsType[*source.UnreadError](err); ok {
		err = &lint.UnknownInputError{Looks: unread.Error(), Other: !unread.IsCode()}
	}
	return c.result, err
}
