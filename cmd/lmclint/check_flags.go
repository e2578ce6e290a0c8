package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/config"
	"github.com/lmclint/lmclint/internal/agreement"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/spelling"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
	"github.com/lmclint/lmclint/schema"
)

// auto is the word for what is to be found out.
const auto = "auto"

// never is the --fail-on that no finding reaches.
const never = "never"

// checkFlags are the flags of check.
type checkFlags struct {
	configFlags
	skipFlags
	baselineFlags
	protocolFlags

	flags                              *pflag.FlagSet // to ask which were given
	format                             targets
	kind, form, dialect, failOn, color *choice
	output, stdinFilename, against     string
	autoRun, allowEmpty, quiet, stats  bool
	statistics, exitZero, skipUnknown  bool
	tee                                bool
	stopOn                             *choice
	selected, extended, ignored        []string
	verbose, failFast                  bool
	maxFindings                        findingCount
	maxRecordBytes                     byteCount
	jobs                               jobCount

	conversation *agreement.Conversation // of --against, when it has been read

	// These are for those who work on the program, and help does not show them.
	noSkim                 bool
	cpuProfile, memProfile string
}

func defineCheckFlags(flags *pflag.FlagSet) *checkFlags {
	o := &checkFlags{flags: flags, maxRecordBytes: source.DefaultMaxRecordBytes}
	flags.Var(&o.format, "format", "a report, text if none is named; repeatable")
	flags.StringVar(&o.output, "output", "", "write the report to `FILE`, whole or not at all")
	o.failOn = defineChoice(flags, "fail-on", "SEVERITY", "error, warning, note or never", failOnWords())
	o.protocolFlags.define(flags)
	o.kind = defineChoice(flags, "kind", "KIND", "transcript, stream or session", []string{auto, "transcript", "stream", "session"})
	o.form = defineForm(flags)
	o.dialect = defineChoice(flags, "dialect", "NAME", "a dialect, as schema lists them", append([]string{auto}, schema.Names()...))
	o.dialect.open = true
	flags.StringVar(&o.against, "against", "", "compare a stream with the conversation in `FILE`")
	flags.BoolVar(&o.autoRun, "auto-run", false, "recorded without confirmations")
	flags.BoolVar(&o.skipUnknown, "skip-unknown", false, "pass over named inputs of no known protocol")
	flags.BoolVar(&o.allowEmpty, "allow-empty", false, "an input without records is no mistake")
	flags.StringVar(&o.stdinFilename, "stdin-filename", "<stdin>", "`NAME` of standard input")
	flags.Var(&o.maxRecordBytes, "max-record-bytes", "limit of one record")
	o.color = defineChoice(flags, "color", "WHEN", "auto, always or never", colorModes())
	flags.BoolVarP(&o.quiet, "quiet", "q", false, "no summary line, no progress line")
	flags.BoolVar(&o.stats, "stats", false, "print inputs, jobs, bytes, records, time, MB/s")
	flags.Var(&o.jobs, "jobs", "inputs checked side by side (default all cores)")
	o.defineRules(flags)
	o.configFlags.define(flags)
	o.skipFlags.define(flags)
	o.baselineFlags.define(flags)
	o.defineVerdict(flags)
	o.defineHidden(flags)
	return o
}

func (o *checkFlags) defineRules(flags *pflag.FlagSet) {
	flags.Var(words{&o.selected, true}, "select", "only these `RULES`: id, name, LMC3, framing, all")
	flags.Var(words{&o.extended, true}, "extend-select", "these `RULES`, too")
	flags.Var(words{&o.ignored, true}, "ignore", "not these `RULES`; the narrower word counts")
}

func (o *checkFlags) defineVerdict(flags *pflag.FlagSet) {
	flags.BoolVar(&o.exitZero, "exit-zero", false, "exit with 0 in spite of findings")
	flags.BoolVar(&o.failFast, "fail-fast", false, "stop at the first error")
	flags.Var(&o.maxFindings, "max-findings", "show the first ones only, and count the others")
	flags.BoolVarP(&o.verbose, "verbose", "v", false, "say what is read, left out, configured, and why")
	flags.BoolVar(&o.tee, "tee", false, "pass standard input on, report on stderr")
	o.stopOn = defineChoice(flags, "stop-on", "SEVERITY", "end --tee at such a finding", append([]string{never}, severityWords()...))
	flags.BoolVar(&o.statistics, "statistics", false, "print how often each rule found something")
}

// groupCheckFlags gives the flags their headings in the help.
func groupCheckFlags(flags *pflag.FlagSet) {
	group(flags, "What the input is", "protocol", "kind", "form", "dialect", "against", "auto-run", "partial", "allow-empty", "skip-unknown", "stdin-filename", "max-record-bytes")
	group(flags, "Rules and configuration", "select", "extend-select", "ignore", "config", "isolated", "exclude", "force-exclude", "no-gitignore", "baseline", "write-baseline", "prune-baseline")
	group(flags, "Run and report", "format", "output", "max-findings", "color", "quiet", "verbose", "stats", "statistics", "fail-on", "fail-fast", "exit-zero", "jobs", "tee", "stop-on")
	rare(flags, "protocol", "form", "partial", "allow-empty", "skip-unknown", "stdin-filename", "max-record-bytes")
	rare(flags, "extend-select", "isolated", "no-gitignore", "force-exclude", "prune-baseline")
	rare(flags, "output", "max-findings", "color", "stats", "statistics", "exit-zero", "jobs", "stop-on")
}

// defineForm defines the flag that says how the records of an input are packed.
func defineForm(flags *pflag.FlagSet) *choice {
	return defineChoice(flags, "form", "FORM", "json, jsonl, python, sse, log, …", append([]string{auto}, formNames()...))
}

func (o *checkFlags) defineHidden(flags *pflag.FlagSet) {
	flags.BoolVar(&o.noSkim, "no-skim", false, "judge every record as if it were the first of its kind")
	flags.StringVar(&o.cpuProfile, "cpuprofile", "", "write a CPU profile to `FILE`")
	flags.StringVar(&o.memProfile, "memprofile", "", "write a profile of allocations to `FILE`")
	for _, hidden := range []string{"no-skim", "cpuprofile", "memprofile"} {
		flags.Lookup(hidden).Hidden = true
	}
}

func formNames() []string {
	var names []string
	for _, f := range source.Forms() {
		names = append(names, string(f))
	}
	return names
}

func formatNames() []string {
	var names []string
	for _, f := range report.Formats() {
		names = append(names, string(f))
	}
	return names
}

func failOnWords() []string { return append(severityWords(), never) }

func severityWords() []string {
	var words []string
	for _, s := range lint.Severities() {
		words = append(words, s.String())
	}
	return words
}

func unlessAuto(word string) string {
	if word == auto {
		return ""
	}
	return word
}

// protocolFlags say of which protocol an input is, and how much of it there is.
type protocolFlags struct {
	protocol *choice
	partial  bool
}

func (o *protocolFlags) define(flags *pflag.FlagSet) {
	o.protocol = defineChoice(flags, "protocol", "NAME", spelling.AnyOf(protocolNames()), append([]string{auto}, protocolNames()...))
	flags.BoolVar(&o.partial, "partial", false, "messages were left out: none is missed")
}

func protocolNames() []string {
	var names []string
	for _, p := range protocol.Protocols() {
		names = append(names, p.Name())
	}
	return names
}

// layer is what the command line says about rules.
func (o *checkFlags) layer() lint.Layer {
	return lint.Layer{
		Select:       selectors("--select", o.selected),
		ExtendSelect: selectors("--extend-select", o.extended),
		Ignore:       selectors("--ignore", o.ignored),
	}
}

func selectors(flag string, words []string) []lint.Selector {
	var list []lint.Selector
	for _, word := range words {
		list = append(list, lint.Selector{Text: word, Origin: flag})
	}
	return list
}

// selectorError adds to an error of an unknown rule what was probably meant.
func selectorError(catalogue lint.Catalog, err error) error {
	var unknown *lint.UnknownRuleError
	if !errors.As(err, &unknown) {
		return err
	}
	known := unknownWord("rule", unknown.Selector.Text, catalogue.Words(), "rules")
	return fmt.Errorf("%s: %w", unknown.Selector.Origin, known)
}

// configFlags say which configuration holds.
type configFlags struct {
	files    []string // of --config: a file, or assignments
	isolated bool
}

func (o *configFlags) define(flags *pflag.FlagSet) {
	flags.Var(words{list: &o.files}, "config", "use this `FILE`; or set KEY=VALUE above any file")
	flags.BoolVar(&o.isolated, "isolated", false, "look for no configuration file")
}

// finder returns what finds the configuration of an input. Of --config an
// argument sets a value if it looks like that and no file has the name.
func (o *configFlags) finder(dir string, catalogue lint.Catalog) (*config.Finder, error) {
	file := ""
	var assignments []string
	for _, argument := range o.files {
		switch {
		case config.IsAssignment(argument) && !exists(argument):
			assignments = append(assignments, argument)
		case o.isolated:
			return nil, errors.New("--isolated looks for no file, --config " + argument + " names one")
		case file != "":
			return nil, errors.New("--config names two files, " + file + " and " + argument + "; let one extend the other")
		default:
			file = argument
		}
	}
	loader := newLoader(dir, catalogue, assignments)
	if file == "" && !o.isolated {
		return config.NewFinder(loader), nil
	}
	if file != "" && !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	return config.NewFixed(loader, file)
}

func newLoader(dir string, catalogue lint.Catalog, assignments []string) *config.Loader {
	loader := config.NewLoader(dir, catalogue, assignments)
	loader.Version = func() string { return currentBuild().Version }
	return loader
}

// config is what the command line says about an input, or else its settings.
func (o *checkFlags) config(s *config.Settings) lint.Config {
	c := lint.Config{
		Protocol:   unlessAuto(o.protocol.or(s.Text("protocol"))),
		Partial:    o.boolSetting("partial", o.partial, s),
		Kind:       unlessAuto(o.kind.or(s.Text("kind"))),
		Dialect:    unlessAuto(o.dialect.or(s.Text("dialect"))),
		Tentative:  !o.fixesInput(),
		AutoRun:    o.boolSetting("auto-run", o.autoRun, s),
		AllowEmpty: o.boolSetting("allow-empty", o.allowEmpty, s),
	}
	if o.conversation != nil {
		c.Against = o.conversation
	}
	return c
}

// settled reports whether a flag says what the inputs are. A file that says so
// may be about inputs of other kinds as well.
func (o *checkFlags) fixesInput() bool {
	return unlessAuto(o.protocol.value) != "" || unlessAuto(o.kind.value) != "" || unlessAuto(o.dialect.value) != ""
}

func (o *checkFlags) source(s *config.Settings) source.Options {
	options := source.Options{
		Form:           source.Form(unlessAuto(o.form.or(s.Text("form")))),
		MaxRecordBytes: int64(o.maxRecordBytes),
	}
	if limit := s.Number("max-record-bytes"); limit > 0 && !o.flags.Changed("max-record-bytes") {
		options.MaxRecordBytes = limit
	}
	return options
}

// truth is the value of a flag if it was given, or else of the key of its name.
func (o *checkFlags) boolSetting(key string, flag bool, s *config.Settings) bool {
	if o.flags.Changed(key) {
		return flag
	}
	return s.Truth(key, flag)
}

// nameOf is how an input is called.
func (o *checkFlags) nameOf(in walk.Input) string {
	if in.Path == walk.Stdin {
		return o.stdinFilename
	}
	return in.Path
}
