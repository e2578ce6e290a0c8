package main

import (
	"context"

	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/interrupt"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/assemble"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

func assembleCommand() command {
	return command{
		name:     "assemble",
		operands: "[flags] STREAM...",
		summary:  "print the transcript that a consumer makes of a stream",
		about: `The consumer is Open Interpreter itself (interpreter), its WebSocket server
(server), or processChunk, the example of the documents (docs-js).

The transcript is one JSON array, as Open Interpreter writes it. Several streams
are the turns of one conversation, in their order; - is standard input. The
user's messages are in no stream, so the transcript has none; of a session it
has them. What the consumer does wrong is told on standard error, a line each:

  lost     it is not stored
  glued    it is joined to what it does not belong to
  split    what belongs together becomes two messages
  stored   it becomes a message, and is none
  crash    it fails there; only the server goes on, as it does in truth

Exit status: 0 all is stored as it was sent, 1 something is not, 2 the result
cannot be trusted.`,
		examples: []string{
			name + " assemble stream.jsonl > conversation.json",
			name + " assemble --as docs-js --output page.json turn1.jsonl turn2.jsonl",
		},
		setup: func(flags *pflag.FlagSet) action {
			o := defineAssembleFlags(flags)
			return func(c *Command, operands []string) error {
				if len(operands) == 0 {
					return &usageError{message: "nothing to assemble: name a stream, or - for standard input", command: "assemble"}
				}
				return c.assemble(o, operands)
			}
		},
	}
}

// assembleFlags are the flags of assemble.
type assembleFlags struct {
	as, form, dialect     *choice
	output, stdinFilename string
	autoRun, goOn         bool
	allowEmpty            bool
	maxOutput             outputLimit
	maxRecordBytes        byteCount
}

func defineAssembleFlags(flags *pflag.FlagSet) *assembleFlags {
	o := &assembleFlags{maxRecordBytes: source.DefaultMaxRecordBytes}
	o.as = defineChoice(flags, "as", "CONSUMER", "whose rules hold", consumerNames())
	o.form = defineForm(flags)
	o.dialect = defineChoice(flags, "dialect", "NAME", "whose interpreter stores", append([]string{auto}, schema.Names()...))
	flags.BoolVar(&o.autoRun, "auto-run", false, "recorded without confirmations")
	o.maxOutput = defaultMaxOutput
	flags.Var(&o.maxOutput, "max-output", "keep that much console output, 0 for all")
	flags.BoolVar(&o.goOn, "go-on", false, "pass over records at which it crashes")
	flags.BoolVar(&o.allowEmpty, "allow-empty", false, "no record is no mistake")
	flags.StringVar(&o.output, "output", "", "write to `FILE`, whole or not at all")
	flags.StringVar(&o.stdinFilename, "stdin-filename", "<stdin>", "`NAME` of standard input")
	flags.Var(&o.maxRecordBytes, "max-record-bytes", "limit of one record")
	return o
}

func consumerNames() []string {
	var names []string
	for _, c := range assemble.Consumers() {
		names = append(names, string(c))
	}
	return names
}

// assembly is what the flags ask for. They name a dialect that exists.
func (o *assembleFlags) assembly() assemble.Options {
	name := unlessAuto(o.dialect.value)
	if name == "" {
		name = schema.Names()[0]
	}
	dialect, _ := schema.Lookup(name)
	assembly := assemble.Options{
		As: assemble.Consumer(o.as.value), StorageRules: assemble.StorageRules(dialect.StorageRules),
		AutoRun: o.autoRun, ContinueAfterCrash: o.goOn,
	}
	if o.maxOutput >= 0 {
		assembly.MaxOutput = int(o.maxOutput)
	}
	return assembly
}

// assemble writes what a consumer makes of the streams.
func (c *Command) assemble(o *assembleFlags, operands []string) error {
	inputs, err := withoutOutput(walk.Expand(operands), o.output)
	if err != nil {
		return err
	}
	ctx, stop := interrupt.Context(context.Background())
	defer stop()
	out, err := c.openArray(o.output)
	if err != nil {
		return err
	}
	run := newAssembleRun(c, o, out)
	return run.conclude(ctx, run.all(ctx, inputs))
}
