package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/base/atomicfile"
	"github.com/lmclint/lmclint/internal/change/convert"
	"github.com/lmclint/lmclint/internal/model/assemble"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/report"
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

// targetExtensions are the extensions of converted files in a directory.
var targetExtensions = map[convert.Target]string{
	convert.JSONL: ".jsonl", convert.JSON: ".json", convert.SSE: ".sse", convert.Python: ".txt",
	convert.Messages: ".json", convert.Chunks: ".jsonl",
}

// inputs returns the inputs that the operands name, and the links that are not followed.
// Directories are searched as check searches them, but for the output directory.
func (o *convertFlags) inputs(c *Command, operands []string) (_ []walk.Input, links report.Unread, err error) {
	p, inputs, err := c.planInputs(o.checkFlags, operands, nil)
	inputs = slices.DeleteFunc(inputs, func(in walk.Input) bool {
		if in.IsLink {
			links.Add(in.Path)
		}
		return in.IsLink
	})
	if err != nil || o.output == "" {
		return inputs, links, err
	}
	const separator = string(filepath.Separator)
	within := strings.TrimSuffix(p.absolute(o.output), separator) + separator
	outside := slices.DeleteFunc(slices.Clone(inputs), func(in walk.Input) bool {
		return !in.Named && strings.HasPrefix(p.absolute(in.Path), within)
	})
	if len(outside) == 0 && len(inputs) > 0 {
		return nil, links, fmt.Errorf("all inputs are in the output directory %s, which is not searched", o.output)
	}
	return outside, links, nil
}

// outputPaths returns where each input is written: "" is standard output. Nothing
// may be written twice, or over an input.
func (o *convertFlags) outputPaths(inputs []walk.Input) ([]string, error) {
	info, err := os.Stat(o.output)
	into := len(inputs) > 1 // a directory: it is one, or its name ends like that of one
	switch {
	case o.output == "":
		into = false
	case err == nil:
		into = info.IsDir()
	case os.IsPathSeparator(o.output[len(o.output)-1]):
		into = true
	}
	if !into {
		if len(inputs) > 1 {
			return nil, usagef("several inputs need a directory: pass -o DIRECTORY/")
		}
		paths := []string{o.output}
		return paths, replacesNone(pathsOf(inputs), paths)
	}
	paths := make([]string, len(inputs))
	origin := map[string]string{}
	for i, in := range inputs {
		paths[i] = walk.Join(o.output, o.outputName(in))
		if other, taken := origin[paths[i]]; taken {
			return nil, fmt.Errorf("%s and %s would both be written to %s", other, in.Path, paths[i])
		}
		origin[paths[i]] = in.Path
	}
	return paths, replacesNone(pathsOf(inputs), paths)
}

// outputName returns the name of a converted file in the output directory, which
// has the directories of the searched one. A compressed file is compressed again.
func (o *convertFlags) outputName(in walk.Input) string {
	name := filepath.Base(in.Path)
	switch {
	case in.Path == walk.Stdin:
		name = strings.Trim(filepath.Base(o.stdinFilename), "<>")
	case in.Root != "":
		if inside, err := filepath.Rel(in.Root, in.Path); err == nil {
			name = inside
		}
	}
	extension, ok := targetExtensions[convert.Target(o.to.value)]
	if !ok {
		return name // the form stays
	}
	packed := compressionOf(name)
	name = strings.TrimSuffix(name, packed)
	if old := filepath.Ext(name); slices.Contains(walk.Extensions(), strings.ToLower(old)) {
		name = strings.TrimSuffix(name, old)
	}
	return name + extension + packed
}

// compressionOf returns the extension of a compressed file, or "".
func compressionOf(name string) string {
	for _, extension := range []string{".gz", ".zst"} {
		if strings.HasSuffix(strings.ToLower(name), extension) {
			return name[len(name)-len(extension):]
		}
	}
	return ""
}

// openConverted opens the output at a path, with its directory. Its extension says
// whether it is compressed. Only with overwrite it replaces a file that differs.
func (c *Command) openConverted(path string, overwrite bool) (*destination, error) {
	if path != "" {
		if dir, _ := filepath.Split(path); dir != "" {
			if err := os.MkdirAll(dir, 0o777); err != nil {
				return nil, &outputError{path, err}
			}
		}
	}
	to, err := c.openDestination(path)
	if err != nil {
		return nil, err
	}
	if file, ok := to.file.(*atomicfile.File); ok && !overwrite {
		to.file = keeping{file}
	}
	var packer io.WriteCloser
	switch strings.ToLower(compressionOf(path)) {
	case ".gz":
		packer = gzip.NewWriter(to.file)
	case ".zst":
		if packer, err = zstd.NewWriter(to.file, zstd.WithEncoderConcurrency(1)); err != nil {
			return nil, errors.Join(to.word(err), to.discard())
		}
	default:
		return to, nil
	}
	to.Writer, to.file = packer, packed{to.file, packer}
	return to, nil
}

// keeping is a file that replaces only one that is empty or equal to it: any other may be a recording of which there is no
// other copy.
type keeping struct{ *atomicfile.File }

// Commit implements [sink].
func (k keeping) Commit() error {
	differs, err := k.Differs()
	if err == nil && differs {
		err = errors.New("it exists already and differs: pass --overwrite to replace it")
	}
	if err != nil {
		return errors.Join(err, k.Discard())
	}
	return k.File.Commit()
}

// packed is a file that is written compressed.
type packed struct {
	sink
	packer io.Closer
}

// Commit implements [sink].
func (p packed) Commit() error {
	if err := p.packer.Close(); err != nil {
		return errors.Join(err, p.Discard())
	}
	return p.sink.Commit()
}
