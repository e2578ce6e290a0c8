package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/lmclint/lmclint/internal/plugin"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/internal/source/text"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/interrupt"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/assemble"
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

func (c *Command) assembleCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "assemble [flags] STREAM...",
		Short: "print the transcript that a consumer builds from a stream",
		Long: `CONSUMER is interpreter (Open Interpreter), server (its WebSocket server) or
docs-js (processChunk, the JavaScript example in the documentation).

The transcript is printed as one JSON array, as Open Interpreter writes it.
Several streams are consecutive turns of one conversation; - is standard input.
Streams contain no user messages, so neither does the transcript; a session
does. Records that the consumer mishandles are listed on standard error:

  lost     not stored
  merged   appended to an unrelated message
  split    stored as two messages instead of one
  stored   stored although it is not a message
  crash    raises an exception; only the server continues

Exit status: 0 stored as sent, 1 records mishandled, 2 failed.`,
		Example: name + " assemble stream.jsonl > conversation.json\n" +
			name + " assemble --as docs-js --output transcript.json turn1.jsonl turn2.jsonl",
		Args: operands(1, -1, "nothing to assemble: name a stream, or - for standard input"),
	}
	o := defineAssembleFlags(command.Flags())
	command.RunE = func(_ *cobra.Command, operands []string) error { return c.assemble(o, operands) }
	return command
}

// assembleFlags are the flags of assemble.
type assembleFlags struct {
	consumerFlags
	form, dialect         *choice
	output, stdinFilename string
	allowEmpty            bool
	maxRecordBytes        number
}

// consumerFlags say how a consumer stores a stream.
type consumerFlags struct {
	as            *choice
	autoRun, goOn bool
	maxOutput     number
}

func newConsumerFlags() consumerFlags {
	return consumerFlags{maxOutput: number{value: -1, unset: -1, shown: "N", expected: "a whole number of characters, or 0 for all"}}
}

// assembly returns the options of the flags for a dialect, "" for the default
// one. It exists.
func (o *consumerFlags) assembly(dialect string) assemble.Options {
	known, _ := schema.Lookup(cmp.Or(dialect, schema.Names()[0]))
	assembly := assemble.Options{
		As: assemble.Consumer(o.as.value), StorageRules: known.StorageRules,
		AutoRun: o.autoRun, ContinueAfterCrash: o.goOn,
	}
	if o.maxOutput.value >= 0 {
		assembly.MaxOutput = int(o.maxOutput.value)
	}
	return assembly
}

func defineAssembleFlags(flags *pflag.FlagSet) *assembleFlags {
	o := &assembleFlags{consumerFlags: newConsumerFlags(), maxRecordBytes: recordLimit()}
	o.as = choiceFlag(flags, "as", "CONSUMER", "consumer to emulate", consumerNames())
	o.form = formFlag(flags)
	o.dialect = choiceFlag(flags, "dialect", "NAME", "dialect to emulate", append([]string{auto}, schema.Names()...))
	flags.BoolVar(&o.autoRun, "auto-run", false, "the recording has no confirmations")
	flags.Var(&o.maxOutput, "max-output", "keep N characters of output, 0 for all")
	flags.BoolVar(&o.goOn, "go-on", false, "continue after a crash")
	flags.BoolVar(&o.allowEmpty, "allow-empty", false, "accept a stream without records")
	outputFlag(flags, &o.output, "", "write the transcript to `FILE`, atomically")
	flags.StringVar(&o.stdinFilename, "stdin-filename", "<stdin>", "file `NAME` to use for stdin")
	flags.Var(&o.maxRecordBytes, "max-record-bytes", "maximum record size")
	return o
}

func consumerNames() []string {
	var names []string
	for _, c := range assemble.Consumers() {
		names = append(names, string(c))
	}
	return names
}

// assemble prints the transcript of the streams.
func (c *Command) assemble(o *assembleFlags, operands []string) error {
	inputs, err := c.withoutOutputs(walk.Expand(operands), []string{o.output})
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

// assembleRun is one run of assemble over its streams.
type assembleRun struct {
	command    *Command
	flags      *assembleFlags
	out        *array
	assembler  *assemble.Assembler
	path       string               // of the stream that is being read
	others     protocol.OtherEvents // of that stream
	deviations int
}

func newAssembleRun(c *Command, o *assembleFlags, out *array) *assembleRun {
	r := &assembleRun{command: c, flags: o, out: out}
	r.assembler = assemble.New(o.assembly(unlessAuto(o.dialect.value)), out.add, r.printDeviation)
	return r
}

// printDeviation prints what the consumer mishandled to standard error.
func (r *assembleRun) printDeviation(m assemble.Deviation) {
	r.deviations++
	r.command.printAt(r.path, m.Place.Span.Start, "%s: %s", m.Kind, m.Message)
}

// all reads the streams, until the consumer stops.
func (r *assembleRun) all(ctx context.Context, inputs []walk.Input) error {
	for _, in := range inputs {
		err := r.input(ctx, in)
		switch {
		case errors.Is(err, assemble.ErrStopped):
			r.command.printStderr("The consumer stopped here; --go-on continues.\n")
			return r.assembler.Finish()
		case err != nil && r.path != "":
			return fmt.Errorf("%s: %w", r.path, trimPathError(err))
		case err != nil:
			return err
		}
	}
	return r.assembler.Finish()
}

func (r *assembleRun) input(ctx context.Context, in walk.Input) error {
	r.path, r.others = nameOf(in, r.flags.stdinFilename), protocol.OtherEvents{}
	switch {
	case in.Err != nil:
		return in.Err
	case !in.Named:
		return errors.New("found in a directory: name the streams one by one, in their order")
	}
	opened, err := r.command.open(ctx, in)
	if err != nil {
		return err
	}
	defer func() { _ = opened.Close() }()
	return r.read(ctx, opened)
}

// read passes the records of a stream to the assembler.
func (r *assembleRun) read(ctx context.Context, in io.Reader) error {
	reader := text.NewReader(in, source.Options{
		Form: source.Form(unlessAuto(r.flags.form.value)), MaxRecordBytes: r.flags.maxRecordBytes.value,
		Name: r.path, Detect: protocol.MeaningOf,
	})
	if err := r.begin(ctx, reader); err != nil {
		return err
	}
	for {
		rec, err := next(ctx, reader)
		if rec == nil || err != nil {
			return err
		}
		if err := r.add(rec); err != nil {
			return err
		}
	}
}

// next reads a record. It returns nil at the end.
func next(ctx context.Context, reader *source.Reader) (*source.Record, error) {
	rec, err := reader.Next()
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, io.EOF):
		return nil, nil
	}
	return rec, err
}

// begin reads the first records until they are known to be chunks, and passes
// them to the assembler.
func (r *assembleRun) begin(ctx context.Context, reader *source.Reader) error {
	var first []*source.Record
	for known := false; !known; {
		rec, err := next(ctx, reader)
		if err != nil {
			return err
		}
		if rec != nil {
			first = append(first, rec.Clone())
		}
		if known, err = r.sniff(first, reader.Form(), rec == nil); err != nil {
			return err
		}
	}
	for _, rec := range first {
		if err := r.add(rec); err != nil {
			return err
		}
	}
	return nil
}

// sniff reports whether the first records are known to be chunks; final means
// that they are all records. It fails if they are something else.
func (r *assembleRun) sniff(first []*source.Record, form source.Form, final bool) (known bool, err error) {
	v := protocol.LMC{}.Sniff(first, form, plugin.Config{FormNamed: r.flags.form.value != auto}, final)
	switch {
	case v.LooksLike != "":
		return false, errors.New("not LMC: " + v.LooksLike)
	case final && len(first) == 1 && first[0].IsGap && len(first[0].Problems) > 0 && first[0].Problems[0].IsFatal():
		return false, errors.New(first[0].Problems[0].Detail) // nothing of the input was read
	case final && len(first) == 0 && !r.flags.allowEmpty:
		return false, errors.New("the input contains no records")
	case v.Inputs == lint.Transcripts && len(first) > 0 && first[0].Pointer != "":
		return false, errors.New("the input is a transcript, expected a stream")
	}
	return v.Kind != "", nil
}

// add passes a record to the assembler.
func (r *assembleRun) add(src *source.Record) error {
	switch {
	case src.Binary:
		r.assembler.Binary(src)
		return nil
	case src.IsGap, r.others.Skips(src):
		return nil
	}
	for _, p := range src.Problems {
		if p.IsFatal() && p.Kind != source.DuplicateKey {
			r.assembler.Unreadable(src, p.Detail)
			return nil
		}
	}
	return r.assembler.Add(lmc.NewRecord(src))
}

// conclude completes the output and returns the exit status.
func (r *assembleRun) conclude(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		_ = r.out.discard()
		return fmt.Errorf("%w: the transcript is incomplete", context.Cause(ctx))
	case err != nil:
		return errors.Join(err, r.out.discard())
	}
	if err := r.out.close(); err != nil {
		return err
	}
	if r.deviations > 0 {
		return statusError(exitFindings)
	}
	return nil
}

// array writes a JSON array, one element at a time.
type array struct {
	*destination
	out   *bufio.Writer
	count int
}

// openArray begins an array on standard output or in a file.
func (c *Command) openArray(output string) (*array, error) {
	to, err := c.openDestination(output)
	if err != nil {
		return nil, err
	}
	return &array{destination: to, out: bufio.NewWriter(to)}, nil
}

func (a *array) add(element []byte) error {
	separator := ", "
	if a.count == 0 {
		separator = "["
	}
	a.count++
	_, _ = a.out.WriteString(separator)
	_, err := a.out.Write(element)
	return err
}

// close ends the array.
func (a *array) close() error {
	if a.count == 0 {
		_ = a.out.WriteByte('[')
	}
	_, _ = a.out.WriteString("]\n")
	if err := a.out.Flush(); err != nil {
		return errors.Join(err, a.destination.discard())
	}
	return a.commit()
}

// discard abandons the array. On standard output the array is closed if it was
// begun, so that it does not look like an empty transcript.
func (a *array) discard() error {
	if a.file == nil && a.count > 0 {
		return a.close()
	}
	return a.destination.discard()
}
