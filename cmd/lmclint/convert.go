package main

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/internal/change/convert"
	"github.com/lmclint/lmclint/internal/model/assemble"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

func (c *Command) convertCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "convert [flags] PATH|GLOB|-...",
		Short: "write recordings in another form, as messages or as chunks",
		Long: `TARGET is jsonl, json (an array), sse or python (a list of dict literals), which
keep the records; messages, the transcript that CONSUMER builds from a stream;
or chunks, a stream made from a transcript. CONSUMER is interpreter (Open
Interpreter) or server (its WebSocket server).

One input is written to standard output or a file, several to a directory.
Whatever could not be converted unchanged is listed on standard error:

  left out  a record that cannot be read or expressed
  changed   a record that lacks a part, or has a new one
  lost, merged, split, stored, crash
            what CONSUMER mishandles; only the server continues after a crash

Exit status: 0 everything converted, 1 something is listed, 2 failed.`,
		Example: name + " convert --to jsonl conversation.json\n" +
			name + " convert --from-version 0.1 --to messages old.json -o new.json\n" +
			name + " convert --to messages --as server -o transcripts/ sessions/",
		Args: operands(1, -1, "nothing to convert: name a file, a directory, or - for standard input"),
	}
	flags := command.Flags()
	o := &convertFlags{maxOutput: number{value: -1, unset: -1, shown: "N", expected: "a whole number of characters, or 0 for all"}}
	o.to = laterChoice(flags, "to", "TARGET", "what to write", words(convert.Targets()))
	flags.StringVarP(&o.output, "output", "o", "", "write to `PATH`, a file or a directory, atomically")
	flags.BoolVar(&o.overwrite, "overwrite", false, "replace files that differ, too")
	o.as = laterChoice(flags, "as", "CONSUMER", "consumer that makes the messages", words(assemble.Consumers()))
	o.fromVersion = laterChoice(flags, "from-version", "VERSION", "version of records before LMC: 0.1", []string{convert.PreLMC})
	flags.Var(&o.maxOutput, "max-output", "keep N characters of output, 0 for all")
	flags.BoolVar(&o.goOn, "go-on", false, "continue after a crash of the consumer")
	o.checkFlags = shareCheckFlags(flags,
		"dialect", "kind", "form", "auto-run", "allow-empty", "skip-unknown", "stdin-filename", "max-record-bytes")
	o.dialect.open = false // a configuration is not read
	flags.Lookup("dialect").Usage = "dialect of the input"
	flags.Lookup("auto-run").Usage = "no confirmations, unless the dialect has them always"
	group(flags, "Output", []string{"to", "output", "as", "from-version"}, []string{"overwrite", "auto-run", "max-output", "go-on"})
	command.RunE = interruptible(func(ctx context.Context, operands []string) error { return c.convert(ctx, o, operands) })
	return command
}

// convertFlags are the flags of convert: its own, and those of check that say what the
// inputs are.
type convertFlags struct {
	*checkFlags
	to, as, fromVersion *choice
	output              string
	goOn, overwrite     bool
	maxOutput           number
}

// laterChoice defines a flag without a default.
func laterChoice(flags *pflag.FlagSet, name, shown, usage string, allowed []string) *choice {
	c := &choice{allowed: allowed, shown: shown}
	flags.Var(c, name, usage)
	return c
}

// validate fails on flags that contradict each other.
func (o *convertFlags) validate() error {
	target := convert.Target(o.to.value)
	given := o.flags.Changed
	switch {
	case target == "" && o.fromVersion.value == "":
		return usagef("nothing to convert to: pass --to TARGET")
	case given("as") && target != convert.Messages:
		return usagef("--as is for --to messages")
	case (given("max-output") || given("go-on")) && target != convert.Messages:
		return usagef("--max-output and --go-on are for --to messages")
	}
	return nil
}

// options returns the options of the flags. Their dialects exist.
func (o *convertFlags) options() convert.Options {
	name := unlessAuto(o.dialect.value)
	dialect, _ := schema.Lookup(name)
	known, _ := schema.Lookup(cmp.Or(name, schema.Names()[0]))
	storage := known.StorageRules
	if o.maxOutput.value >= 0 {
		storage.MaxOutput = int(o.maxOutput.value)
	}
	return convert.Options{
		To: convert.Target(o.to.value), FromVersion: o.fromVersion.value, Dialect: dialect, AutoRun: o.autoRun,
		Assembly: assemble.Options{
			As: assemble.Consumer(o.as.value), StorageRules: storage,
			AutoRun: o.autoRun, ContinueAfterCrash: o.goOn,
		},
		Kind: unlessAuto(o.kind.value), Form: source.Form(unlessAuto(o.form.value)),
		MaxRecordBytes: o.maxRecordBytes.value, AllowEmpty: o.allowEmpty,
	}
}

// convert converts the inputs that the operands name.
func (c *Command) convert(ctx context.Context, o *convertFlags, operands []string) error {
	if err := o.validate(); err != nil {
		return err
	}
	if isStdout(o.output) {
		o.output = ""
	}
	inputs, links, err := o.inputs(c, operands)
	if err != nil {
		return err
	}
	paths, err := o.outputPaths(inputs)
	if err != nil {
		return err
	}
	r := &convertRun{
		inputRun: newInputRun(c, o.checkFlags, inputs),
		flags:    o, paths: paths, losses: map[assemble.DeviationKind]int{},
	}
	r.links = links
	r.inTurn = true // losses are printed as they occur
	err = each(ctx, &r.inputRun, r.convert, r.done)
	if isClosedPipe(err) {
		return cmp.Or(exitStatus(r.trouble, len(r.losses) > 0), err) // the status is that of what was converted
	}
	if err != nil {
		return err
	}
	return r.conclude(ctx)
}

// convertRun is one run of convert over its inputs.
type convertRun struct {
	inputRun
	flags     *convertFlags
	paths     []string           // of the outputs, by input
	options   convert.Options    // of the converter
	converter *convert.Converter // of the last input
	losses    map[assemble.DeviationKind]int
	written   int // inputs that were converted
}

// convert converts an input to its output.
func (r *convertRun) convert(ctx context.Context, in *opened) (_ struct{}, err error) {
	reader, err := in.recording()
	if err != nil {
		return struct{}{}, err
	}
	out, err := r.command.openConverted(r.paths[in.number], r.flags.overwrite)
	if err != nil {
		return struct{}{}, err
	}
	complete := false
	defer func() {
		if !complete {
			err = errors.Join(err, out.discard())
		}
	}()
	defer recoverPanic(&err)
	options := r.flags.options()
	options.Discovered, options.Live = r.flags.skips(in.in), in.live
	if r.converter == nil || r.options != options {
		if r.converter, err = convert.New(options, newReader); err != nil {
			return struct{}{}, err
		}
		r.options = options
	}
	result, err := r.converter.Run(ctx, in.path, reader, out, func(l convert.Loss) {
		r.losses[l.Kind]++
		r.command.printAt(in.path, l.Place.Span.Start, "%s: %s", l.Kind, l.Message)
	})
	if err != nil {
		return struct{}{}, err
	}
	if result.Upgraded && r.flags.fromVersion.value == "" {
		r.command.printLine("%s: records of Open Interpreter 0.1 became LMC (--from-version 0.1)", in.path)
	}
	complete = true
	return struct{}{}, out.commit()
}

// done counts an input. An error of standard output ends the run.
func (r *convertRun) done(o outcome[struct{}]) error {
	var failed *outputError
	_, interrupted := interruption(o.err)
	switch {
	case o.err == nil:
		r.written++
	case interrupted: // printed once, at the end of the run
	case isClosedPipe(o.err), errors.As(o.err, &failed) && len(r.paths) == 1:
		return o.err
	case failed != nil:
		r.trouble = true
		r.command.printError(o.err)
	default:
		r.trouble = true
		r.command.printFailure(r.flags.nameOf(o.in), o.err)
	}
	return nil
}

// conclude prints the summary and returns the exit status.
func (r *convertRun) conclude(ctx context.Context) error {
	status, interrupted := r.interrupted(ctx, "not everything is converted")
	var counts []string
	listed := []assemble.DeviationKind{convert.LeftOut, convert.Changed}
	for _, kind := range append(listed, slices.Sorted(maps.Keys(r.losses))...) {
		if n := r.losses[kind]; n > 0 {
			counts = append(counts, humanize.Comma(int64(n))+" "+string(kind))
		}
		delete(r.losses, kind)
	}
	if len(counts) > 0 {
		r.command.printStderr(strings.Join(counts, ", ") + "\n")
	}
	r.command.printStderr(r.unread())
	switch {
	case interrupted:
		return status
	case !r.trouble && r.written == 0:
		return errors.New("nothing was converted: no input has a known protocol")
	}
	return exitStatus(r.trouble, len(counts) > 0)
}
