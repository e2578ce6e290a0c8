package main

import (
	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/internal/agreement"
	"github.com/lmclint/lmclint/internal/source"
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
