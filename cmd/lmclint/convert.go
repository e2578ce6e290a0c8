package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/internal/convert"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

func (c *Command) convertCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "convert [flags] PATH|GLOB|-...",
		Short: "write recordings in another form, version or dialect",
		Long: `TARGET is jsonl, json (an array), sse or python (a list of dict literals), which
keep the records; messages, the transcript that CONSUMER builds from a stream;
or chunks, a stream made from a transcript.

One input is written to standard output or a file, several to a directory.
Whatever could not be converted unchanged is listed on standard error:

  left out  a record that cannot be read or expressed
  changed   a record that lacks a part, or has a new one
  kept      a record that does not fit the dialect, but cannot be rewritten
  lost, merged, split, stored, crash  as with ` + name + ` assemble

Exit status: 0 everything converted, 1 something is listed, 2 failed.`,
		Example: name + " convert --to jsonl conversation.json\n" +
			name + " convert --from-version 0.1 --to messages old.json --output new.json\n" +
			name + " convert --to messages --output transcripts/ streams/",
		Args: operands(1, -1, "nothing to convert: name a file, a directory, or - for standard input"),
	}
	o := defineConvertFlags(command.Flags())
	command.RunE = func(_ *cobra.Command, operands []string) error { return c.convert(o, operands) }
	return command
}

// convertFlags are the flags of convert.
type convertFlags struct {
	flags *pflag.FlagSet // to ask which ones were set

	consumerFlags
	to, fromVersion, direction     *choice
	kind, form, dialect, toDialect *choice
	output, stdinFilename          string
	allowEmpty, skipUnknown        bool
	maxRecordBytes                 number
}

func defineConvertFlags(flags *pflag.FlagSet) *convertFlags {
	o := &convertFlags{flags: flags, consumerFlags: newConsumerFlags(), maxRecordBytes: recordLimit()}
	var targets []string
	for _, target := range convert.Targets() {
		targets = append(targets, string(target))
	}
	o.to = laterChoice(flags, "to", "TARGET", "what to write", targets)
	outputFlag(flags, &o.output, "o", "write to `PATH`, a file or a directory, atomically")
	o.as = laterChoice(flags, "as", "CONSUMER", "consumer that makes the messages", consumerNames())
	o.fromVersion = laterChoice(flags, "from-version", "VERSION", "version of records before LMC: 0.1", []string{convert.PreLMC})
	o.toDialect = laterChoice(flags, "to-dialect", "NAME", "rewrite the records for this dialect", schema.Names())
	o.direction = laterChoice(flags, "direction", "WORD", "only the frames sent or received, as a stream", []string{"sent", "received"})
	flags.BoolVar(&o.autoRun, "auto-run", false, "no confirmations, unless the dialect has them always")
	flags.Var(&o.maxOutput, "max-output", "keep N characters of output, 0 for all")
	flags.BoolVar(&o.goOn, "go-on", false, "continue after a crash of the consumer")
	group(flags, "Output", []string{"to", "output", "as", "from-version", "to-dialect"}, []string{"direction", "auto-run", "max-output", "go-on"})
	o.dialect = choiceFlag(flags, "dialect", "NAME", "dialect of the input", append([]string{auto}, schema.Names()...))
	o.kind = choiceFlag(flags, "kind", "KIND", "transcript, stream or session", []string{auto, "transcript", "stream", "session"})
	o.form = formFlag(flags)
	flags.BoolVar(&o.allowEmpty, "allow-empty", false, "accept inputs without records")
	flags.BoolVar(&o.skipUnknown, "skip-unknown", false, "skip named inputs of unknown protocol")
	flags.StringVar(&o.stdinFilename, "stdin-filename", "<stdin>", "file `NAME` to use for stdin")
	flags.Var(&o.maxRecordBytes, "max-record-bytes", "maximum record size")
	group(flags, "Input", []string{"dialect", "kind"}, []string{"form", "allow-empty", "skip-unknown", "stdin-filename", "max-record-bytes"})
	return o
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
	case target == "" && o.toDialect.value == "" && o.fromVersion.value == "":
		return usagef("nothing to convert to: pass --to TARGET")
	case given("as") && target != convert.Messages:
		return usagef("--as is for --to messages")
	case (given("max-output") || given("go-on")) && target != convert.Messages:
		return usagef("--max-output and --go-on are for --to messages")
	case given("direction") && target == convert.Chunks:
		return usagef("--direction and --to chunks cannot be combined: a stream of frames is one of chunks")
	}
	return nil
}

// options returns the options of the flags. Their dialects exist.
func (o *convertFlags) options() convert.Options {
	dialect := func(name string) *schema.Dialect {
		d, _ := schema.Lookup(name)
		return d
	}
	options := convert.Options{
		To: convert.Target(o.to.value), FromVersion: o.fromVersion.value,
		Dialect: dialect(unlessAuto(o.dialect.value)), ToDialect: dialect(o.toDialect.value),
		AutoRun: o.autoRun, Assembly: o.assembly(unlessAuto(o.dialect.value)),
		Kind: unlessAuto(o.kind.value), AllowEmpty: o.allowEmpty,
		Source: source.Options{Form: source.Form(unlessAuto(o.form.value)), MaxRecordBytes: o.maxRecordBytes.value},
	}
	switch o.direction.value {
	case "sent":
		options.Only = source.Sent
	case "received":
		options.Only = source.Received
	}
	return options
}
