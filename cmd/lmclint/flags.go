package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/config"
	"github.com/lmclint/lmclint/internal/base/spelling"
	"github.com/lmclint/lmclint/internal/judge/agreement"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

// choice is the value of a flag that takes one of a few words.
type choice struct {
	value   string
	allowed []string
	shown   string // the value's name in the help
	open    bool   // other words may be allowed, too; the user of the value checks
}

// choiceFlag defines a flag whose default is the first allowed word.
func choiceFlag(flags *pflag.FlagSet, name, shown, usage string, allowed []string) *choice {
	c := &choice{value: allowed[0], allowed: allowed, shown: shown}
	flags.Var(c, name, usage)
	return c
}

// String implements [pflag.Value].
func (c *choice) String() string { return c.value }

// Type implements [pflag.Value].
func (c *choice) Type() string { return c.shown }

// Set implements [pflag.Value]. It fails on a word that is not allowed.
func (c *choice) Set(word string) error {
	if !c.open && !slices.Contains(c.allowed, word) {
		return invalidChoice(word, c.allowed)
	}
	c.value = word
	return nil
}

func invalidChoice(word string, allowed []string) error {
	return errors.New("expected " + spelling.AnyOf(allowed) + spelling.DidYouMean(word, allowed))
}

// number is the value of a flag that takes a whole number.
type number struct {
	value, unset int64  // unset is the default that the help does not print
	least, most  int64  // most is 0 for no limit
	shown        string // the value's name in the help
	expected     string // what the flag takes, for messages
}

// String implements [pflag.Value].
func (n *number) String() string {
	if n.value == n.unset {
		return ""
	}
	return strconv.FormatInt(n.value, 10)
}

// Type implements [pflag.Value].
func (n *number) Type() string { return n.shown }

// Set implements [pflag.Value].
func (n *number) Set(text string) error {
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil || value < n.least || n.most > 0 && value > n.most {
		return errors.New("expected " + n.expected)
	}
	n.value = value
	return nil
}

// flagError turns an error of pflag into a usage error.
func flagError(command *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return err
	case errors.As(err, &unknown):
		flag := unknown.GetSpecifiedName()
		short := unknown.GetSpecifiedShortnames() != ""
		word := map[bool]string{true: "-", false: "--"}[short] + flag
		switch instead := insteadOf(command.Name(), word); {
		case instead != "":
			return usagef("unknown flag %s: %s", word, instead)
		case short:
			return usagef("unknown flag %s", word)
		case flag == "all":
			return usagef("unknown flag --all; %s help --all %s lists all flags", name, strings.TrimPrefix(command.CommandPath(), name+" "))
		}
		var known []string
		command.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				known = append(known, f.Name)
			}
		})
		hint := ""
		if nearest, ok := spelling.Nearest(flag, known); ok {
			hint = "; did you mean --" + nearest + "?"
		} else if other := commandWith(command.Root(), flag); other != "" {
			hint = ": " + name + " " + other + " has it"
		}
		return usagef("unknown flag --%s%s", flag, hint)
	case errors.As(err, &invalid):
		why := invalid.Unwrap()
		if invalid.GetFlag().Value.Type() == "bool" {
			why = errors.New("expected true or false")
		}
		return invalidValue(invalid.GetFlag().Name, invalid.GetValue(), why)
	}
	return &usageError{err.Error()}
}

func invalidValue(flag, value string, why error) error {
	return usagef("invalid value %q for --%s: %v", value, flag, why)
}

// commandWith returns the name of a command with a flag, or "".
func commandWith(root *cobra.Command, flag string) string {
	for _, command := range commandsOf(root) {
		if f := command.Flags().Lookup(flag); f != nil && !f.Hidden {
			return command.Name()
		}
	}
	return ""
}

// insteadOf returns what to write instead of a flag of other programs.
func insteadOf(command, flag string) string {
	switch flag {
	case "--fix":
		return name + " fix PATH fixes files, " + name + " fix --diff PATH shows how"
	case "--dry-run", "-n":
		return "pass --diff to " + name + " fix to see what would change, or --check to know whether anything would"
	case "-o", "--output", "--output-file":
		if command == "fix" {
			return name + " fix PATH changes the file, " + name + " fix - < PATH > OTHER keeps it"
		}
		return "pass --format FORMAT:FILE to check, or redirect standard output"
	case "--watch":
		return name + " watch PATH"
	case "--exit-zero":
		return "pass --fail-on never"
	}
	return ""
}

const (
	auto  = "auto"  // the value of a flag that leaves its subject to detection
	never = "never" // a severity that no finding has

	maxJobs = 1024 // each job has a buffer and a few open files
)

// checkFlags are the flags of check, by what they decide. Other commands have some of them
// and name those ([shareCheckFlags]); the others have their defaults there.
type checkFlags struct {
	inputFlags
	ruleFlags
	searchFlags
	baselineFlags
	reportFlags
	passFlags
	configFlags
	looksFlags

	flags *pflag.FlagSet // of the command, to ask which ones were set

	conversation *agreement.StoredConversation // of --against, once it was read
	noFastPath   bool
}

// inputFlags say what the inputs are, and what is expected of them.
type inputFlags struct {
	protocol, kind, form, dialect *choice
	after, against, stdinFilename string
	autoRun, partial, allowEmpty  bool
	skipUnknown                   bool
	maxRecordBytes                number
}

// ruleFlags say which rules run, and how severe their findings are.
type ruleFlags struct {
	selected, extended, ignored []string
	minding                     mindingClients
}

// searchFlags say which files of a directory are inputs.
type searchFlags struct {
	exclude                   []string
	forceExclude, noGitignore bool
}

// baselineFlags say which findings are known.
type baselineFlags struct {
	baseline                     string
	writeBaseline, pruneBaseline bool
}

// reportFlags say what is reported, and which exit status it gives.
type reportFlags struct {
	format                  targets
	maxFindings, jobs       number
	failOn                  *choice
	each, coverage          bool
	quiet, verbose          bool
	timing, statistics      bool
	failFast, failOnSkipped bool
	rendered                bool
}

// passFlags say what happens with standard input while it is checked.
type passFlags struct {
	tee, acknowledge bool
	stopOn           *choice
}

func defineCheckFlags(flags *pflag.FlagSet) *checkFlags {
	o := &checkFlags{flags: flags}
	o.inputFlags.define(flags)
	o.ruleFlags.define(flags)
	o.configFlags.define(flags)
	o.searchFlags.define(flags)
	o.baselineFlags.define(flags)
	group(flags, "Rules and configuration", []string{"select", "ignore"},
		[]string{"config", "exclude", "baseline", "extend-select", "isolated", "force-exclude", "no-gitignore", "write-baseline", "prune-baseline"})
	o.reportFlags.define(flags)
	o.looksFlags.define(flags)
	o.passFlags.define(flags)
	group(flags, "Output and exit status", []string{"for", "format", "fail-on", "tee"},
		[]string{"coverage", "quiet", "verbose", "fail-on-skipped", "fail-fast", "max-findings", "each", "color", "hyperlinks", "width", "statistics", "jobs", "stop-on"})
	group(flags, "For programs", nil, []string{"acknowledge", "rendered", "timing"})
	flags.BoolVar(&o.noFastPath, "no-skim", false, "check every record in full, without the fast path")
	flags.Lookup("no-skim").Hidden = true // for the development of lmclint
	return o
}

// shareCheckFlags defines some flags of check for another command, after its own.
func shareCheckFlags(flags *pflag.FlagSet, shared ...string) *checkFlags {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	o := defineCheckFlags(all)
	o.flags = flags
	for _, word := range shared {
		flags.AddFlag(all.Lookup(word))
	}
	return o
}

func (o *inputFlags) define(flags *pflag.FlagSet) {
	o.maxRecordBytes = number{value: source.DefaultMaxRecordBytes, least: 1, shown: "BYTES", expected: "a whole number of bytes above zero"}
	o.protocol = choiceFlag(flags, "protocol", "NAME", spelling.AnyOf(protocolNames()), append([]string{auto}, protocolNames()...))
	o.kind = choiceFlag(flags, "kind", "KIND", "transcript, stream or session", []string{auto, "transcript", "stream", "session"})
	o.form = choiceFlag(flags, "form", "FORM", "json, jsonl, sse, text, ...", append([]string{auto}, words(source.Forms())...))
	o.dialect = choiceFlag(flags, "dialect", "NAME", "a dialect from "+name+" schema", append([]string{auto}, schema.Names()...))
	o.dialect.open = true
	flags.StringVar(&o.after, "after", "", "read what follows `TEXT` on a line of a text")
	flags.StringVar(&o.against, "against", "", "compare a stream with the conversation in `FILE`")
	flags.BoolVar(&o.autoRun, "auto-run", false, "the recording has no confirmations")
	flags.BoolVar(&o.partial, "partial", false, "do not report missing messages")
	flags.BoolVar(&o.allowEmpty, "allow-empty", false, "accept inputs without records")
	flags.BoolVar(&o.skipUnknown, "skip-unknown", false, "skip named inputs of unknown protocol")
	flags.StringVar(&o.stdinFilename, "stdin-filename", "<stdin>", "file `NAME` to use for stdin")
	flags.Var(&o.maxRecordBytes, "max-record-bytes", "maximum record size")
	group(flags, "Input", []string{"kind", "dialect", "against", "auto-run"},
		[]string{"protocol", "form", "after", "partial", "allow-empty", "skip-unknown", "stdin-filename", "max-record-bytes"})
}

func (o *ruleFlags) define(flags *pflag.FlagSet) {
	flags.StringSliceVar(&o.selected, "select", nil, "run only these `RULES`: id, name, LMC3, framing")
	flags.StringSliceVar(&o.extended, "extend-select", nil, "also run these `RULES`")
	flags.StringSliceVar(&o.ignored, "ignore", nil, "disable `RULES`; the most specific selector wins")
	flags.Var(&o.minding, "for", "report what these CLIENTS mind: terminal, ...")
}

func (o *searchFlags) define(flags *pflag.FlagSet) {
	flags.StringArrayVar(&o.exclude, "exclude", nil, "exclude `GLOB` (.gitignore syntax); repeatable")
	flags.BoolVar(&o.forceExclude, "force-exclude", false, "apply exclusions to named files, too")
	flags.BoolVar(&o.noGitignore, "no-gitignore", false, "search files ignored by .gitignore, too")
}

func (o *baselineFlags) define(flags *pflag.FlagSet) {
	flags.StringVar(&o.baseline, "baseline", "", "suppress the findings listed in `FILE`")
	flags.BoolVar(&o.writeBaseline, "write-baseline", false, "write findings to the baseline, report none")
	flags.BoolVar(&o.pruneBaseline, "prune-baseline", false, "remove stale findings from the baseline")
}

func (o *reportFlags) define(flags *pflag.FlagSet) {
	o.maxFindings = number{least: 1, shown: "N", expected: "a whole number above zero"}
	o.jobs = number{least: 1, most: maxJobs, shown: "N", expected: fmt.Sprintf("a whole number from 1 to %d", maxJobs)}
	flags.Var(&o.format, "format", "report format; repeatable (default text)")
	flags.BoolVar(&o.coverage, "coverage", false, "add what was checked: records, requirements")
	flags.Var(&o.maxFindings, "max-findings", "show the N most severe findings, count the rest")
	flags.BoolVar(&o.each, "each", false, "report each place, not each cause once")
	flags.BoolVarP(&o.quiet, "quiet", "q", false, "omit the summary and the progress line")
	flags.BoolVarP(&o.verbose, "verbose", "v", false, "list inputs, skips and settings, with reasons")
	flags.BoolVar(&o.timing, "timing", false, "print run statistics: inputs, records, MB/s")
	flags.BoolVar(&o.statistics, "statistics", false, "print the number of findings per rule")
	o.failOn = choiceFlag(flags, "fail-on", "SEVERITY", "fail at SEVERITY or above", append(words(lint.Severities()), never))
	flags.BoolVar(&o.failOnSkipped, "fail-on-skipped", false, "exit with 2 if a file or link was skipped")
	flags.BoolVar(&o.failFast, "fail-fast", false, "stop at the first error")
	flags.Var(&o.jobs, "jobs", "inputs checked in parallel (default all cores)")
	flags.BoolVar(&o.rendered, "rendered", false, "add the text of each finding to json and jsonl")
}

func (o *passFlags) define(flags *pflag.FlagSet) {
	flags.BoolVar(&o.tee, "tee", false, "copy stdin to stdout; report on stderr")
	o.stopOn = choiceFlag(flags, "stop-on", "SEVERITY", "stop --tee at SEVERITY or above", append([]string{never}, words(lint.Severities())...))
	flags.BoolVar(&o.acknowledge, "acknowledge", false, "with jsonl, report each checked line of stdin")
}

// forUnknown returns what to pass for inputs of unknown protocol: flags that the command
// has and that are not set. With undecided, the protocol may be named.
func (o *checkFlags) forUnknown(undecided bool) []string {
	var ways []string
	if o.flags.Lookup("skip-unknown") != nil {
		ways = append(ways, "--skip-unknown to skip inputs of other formats")
	}
	if undecided && !o.flags.Changed("protocol") {
		ways = append(ways, "--protocol to check them anyway")
	}
	return ways
}

// words returns values that are words, or have a name, as texts.
func words[T any](values []T) []string {
	var list []string
	for _, value := range values {
		list = append(list, fmt.Sprint(value))
	}
	return list
}

func protocolNames() []string {
	var names []string
	for _, p := range protocol.Protocols() {
		names = append(names, p.Name())
	}
	return names
}

func unlessAuto(word string) string {
	if word == auto {
		return ""
	}
	return word
}

// isEach reports whether each place of a cause is a finding of its own.
func (o *checkFlags) isEach() bool { return o.each || o.acknowledge }

// validate fails on flags that contradict each other.
func (o *checkFlags) validate() error {
	switch {
	case o.writeBaseline && o.pruneBaseline:
		return usagef("--write-baseline and --prune-baseline cannot be combined")
	case o.failFast && o.writeBaseline:
		return usagef("--fail-fast and --write-baseline cannot be combined")
	case o.failFast && o.pruneBaseline:
		return usagef("--fail-fast and --prune-baseline cannot be combined")
	case o.stopOn.value != never && !o.tee && !o.acknowledge:
		return usagef("--stop-on needs --tee or --acknowledge")
	}
	return nil
}

func selectors(flag string, words []string) []lint.Selector {
	var list []lint.Selector
	for _, word := range words {
		list = append(list, lint.Selector{Text: word, Origin: flag})
	}
	return list
}

// configFlags choose the configuration.
type configFlags struct {
	file     string
	isolated bool
}

func (o *configFlags) define(flags *pflag.FlagSet) {
	flags.StringVar(&o.file, "config", "", "use config `FILE`")
	flags.BoolVar(&o.isolated, "isolated", false, "ignore all configuration files")
}

// finder returns a finder for the configurations of inputs.
func (o *configFlags) finder() (*config.Finder, error) {
	switch {
	case o.isolated && o.file != "":
		return nil, usagef("--isolated and --config %s cannot be combined", o.file)
	case o.isolated || o.file != "":
		return config.NewFixedFinder(o.file, configOptions())
	}
	return config.NewFinder(configOptions())
}

func configOptions() config.Options { return config.Options{Version: currentBuild().Version} }

// settings returns the settings of an input with the flags that were set, which
// take precedence over the configuration.
func (o *checkFlags) settings(s *config.Settings, absolute func(string) string) *config.Settings {
	baseline := o.baseline
	if baseline != "" {
		baseline = absolute(baseline)
	}
	values := map[string]config.Value{}
	for key, value := range map[string]any{
		"protocol": o.protocol.value, "kind": o.kind.value, "form": o.form.value, "dialect": o.dialect.value, "fail-on": o.failOn.value,
		"auto-run": o.autoRun, "partial": o.partial, "allow-empty": o.allowEmpty, "force-exclude": o.forceExclude,
		"max-record-bytes": o.maxRecordBytes.value, "baseline": baseline,
	} {
		if o.flags.Changed(key) {
			values[key] = config.Value{Value: value, Origin: config.Origin{File: "--" + key}}
		}
	}
	return s.With(values, lint.Layer{
		Select:       selectors("--select", o.selected),
		ExtendSelect: selectors("--extend-select", o.extended),
		Ignore:       selectors("--ignore", o.ignored),
	})
}

// nameOf returns the name of an input.
func (o *checkFlags) nameOf(in walk.Input) string {
	if in.Path == walk.Stdin {
		return o.stdinFilename
	}
	return in.Path
}
