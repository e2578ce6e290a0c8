package main

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/internal/spelling"
)

func newFlags(cmd command) *pflag.FlagSet {
	flags := pflag.NewFlagSet(cmd.name, pflag.ContinueOnError)
	flags.SortFlags = false
	flags.SetOutput(io.Discard)
	return flags
}

// flagError turns pflag's errors into ours, and --help into help.
func (c *Command) flagError(cmd command, flags *pflag.FlagSet, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	message := err.Error()
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return c.print(commandHelp(cmd, flags, false))
	case errors.As(err, &unknown):
		message = unknownFlag(flags, unknown)
	case errors.As(err, &invalid):
		message = fmt.Sprintf("--%s %s: %v", invalid.GetFlag().Name, quote(invalid.GetValue()), invalid.Unwrap())
	}
	return &usageError{message: message, command: cmd.name}
}

func unknownFlag(flags *pflag.FlagSet, err *pflag.NotExistError) string {
	if err.GetSpecifiedShortnames() != "" {
		return fmt.Sprintf("unknown flag -%s", err.GetSpecifiedName())
	}
	message := fmt.Sprintf("unknown flag --%s", err.GetSpecifiedName())
	if meant := equivalentFlag(flags, err.GetSpecifiedName()); meant != "" {
		return message + "; did you mean " + meant + "?"
	}
	var known []string
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known = append(known, f.Name)
		}
	})
	if nearest, ok := spelling.Nearest(err.GetSpecifiedName(), known); ok {
		message += fmt.Sprintf("; did you mean --%s?", nearest)
	}
	return message
}

// choice is the value of a flag that takes one of a few words.
type choice struct {
	value   string
	allowed []string
	shown   string // what help calls the value
	given   bool   // somebody set it
	open    bool   // other words may be allowed, too: who uses it has to check
}

// defineChoice defines a flag of which the first word is the default.
func defineChoice(flags *pflag.FlagSet, name, shown, usage string, allowed []string) *choice {
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
	c.value, c.given = word, true
	return nil
}

// or returns the word if it was given, or else another one unless that is
// empty.
func (c *choice) or(word string) string {
	if c.given || word == "" {
		return c.value
	}
	return word
}

// notAmong says what would have been right, and what was probably meant.
func invalidChoice(word string, allowed []string) error {
	return errors.New("want " + spelling.AnyOf(allowed) + spelling.DidYouMean(word, allowed))
}

// byteCount is the value of a flag that takes a number of bytes above zero.
type byteCount int64

// String implements [pflag.Value].
func (b *byteCount) String() string { return strconv.FormatInt(int64(*b), 10) }

// Type implements [pflag.Value].
func (b *byteCount) Type() string { return "BYTES" }

// Set implements [pflag.Value]. It fails on what is no whole number above zero.
func (b *byteCount) Set(text string) error {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		return errors.New("want a whole number of bytes above zero")
	}
	*b = byteCount(n)
	return nil
}

// maxJobs is the highest --jobs: each job has a buffer and a few open files.
const maxJobs = 1024

// jobCount is the value of --jobs. Zero stands for as many as there are cores.
type jobCount int

// String implements [pflag.Value].
func (j *jobCount) String() string {
	if *j == 0 {
		return ""
	}
	return strconv.Itoa(int(*j))
}

// Type implements [pflag.Value].
func (j *jobCount) Type() string { return "N" }

// Set implements [pflag.Value].
func (j *jobCount) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxJobs {
		return fmt.Errorf("want a whole number from 1 to %d", maxJobs)
	}
	*j = jobCount(n)
	return nil
}

// of returns how many jobs there are for so many inputs.
func (j jobCount) of(inputs int) int {
	if j == 0 {
		j = jobCount(min(runtime.GOMAXPROCS(0), maxJobs))
	}
	return max(1, min(int(j), inputs))
}

// outputLimit is the value of --max-output, in characters. Zero is no limit.
type outputLimit int

// defaultMaxOutput leaves the limit to the dialect.
const defaultMaxOutput outputLimit = -1

// String implements [pflag.Value].
func (l *outputLimit) String() string {
	if *l == defaultMaxOutput {
		return ""
	}
	return strconv.Itoa(int(*l))
}

// Type implements [pflag.Value].
func (l *outputLimit) Type() string { return "N" }

// Set implements [pflag.Value]. It fails on what is no whole number.
func (l *outputLimit) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return errors.New("want a whole number of characters, or 0 for all")
	}
	*l = outputLimit(n)
	return nil
}

// findingCount is the value of a flag that takes a number of findings. Zero
// stands for all of them.
type findingCount int

// String implements [pflag.Value].
func (n *findingCount) String() string {
	if *n == 0 {
		return ""
	}
	return strconv.Itoa(int(*n))
}

// Type implements [pflag.Value].
func (n *findingCount) Type() string { return "N" }

// Set implements [pflag.Value].
func (n *findingCount) Set(text string) error {
	count, err := strconv.Atoi(text)
	if err != nil || count < 1 {
		return errors.New("want a whole number above zero")
	}
	*n = findingCount(count)
	return nil
}

// words is the value of a flag that may be given several times, with several
// words at once between commas if it splits them.
type words struct {
	list  *[]string
	split bool
}

// String implements [pflag.Value].
func (w words) String() string { return strings.Join(*w.list, ",") }

// Type implements [pflag.Value].
func (w words) Type() string { return "strings" }

// Set implements [pflag.Value].
func (w words) Set(text string) error {
	switch {
	case !w.split:
		*w.list = append(*w.list, text)
	case text != "":
		*w.list = append(*w.list, strings.Split(text, ",")...)
	}
	return nil
}

// otherNames are what flags are called elsewhere, in linters that many know:
// ruff, ESLint, golangci-lint, actionlint, shellcheck, pytest.
var otherNames = map[string]string{
	"color-mode":        "--color",
	"colors":            "--color",
	"colour":            "--color",
	"concurrency":       "--jobs",
	"config-file":       "--config",
	"config-path":       "--config",
	"deny-warnings":     "--fail-on warning",
	"disable":           "--ignore",
	"enable":            "--extend-select",
	"enable-only":       "--select",
	"error-on-warnings": "--fail-on warning",
	"exit-first":        "--fail-fast",
	"exitfirst":         "--fail-fast",
	"fail-level":        "--fail-on",
	"fail-on-level":     "--fail-on",
	"failure-threshold": "--fail-on",
	"ignore-path":       "--exclude",
	"ignore-pattern":    "--exclude",
	"limit":             "--max-findings",
	"max-diagnostics":   "--max-findings",
	"max-errors":        "--max-findings",
	"max-issues":        "--max-findings",
	"max-warnings":      "--fail-on warning",
	"no-color":          "--color never",
	"no-colour":         "--color never",
	"no-config":         "--isolated",
	"no-config-lookup":  "--isolated",
	"no-fail":           "--exit-zero",
	"no-ignore":         "--no-gitignore",
	"only":              "--select",
	"out":               "--output",
	"output-file":       "--output",
	"output-format":     "--format",
	"parallel":          "--jobs",
	"reporter":          "--format",
	"rule":              "--select",
	"rules":             "--select",
	"severity-level":    "--fail-on",
	"show-stats":        "--statistics",
	"silent":            "--quiet",
	"skip":              "--ignore",
	"stdin":             "-",
	"stdin-file-path":   "--stdin-filename",
	"threads":           "--jobs",
	"workers":           "--jobs",
}

// meantFlag returns what was meant by a flag that another linter has, "" if it
// is none or the command has no such flag.
func equivalentFlag(flags *pflag.FlagSet, other string) string {
	meant := otherNames[other]
	if meant == "-" && flags.Lookup("stdin-filename") != nil {
		return meant
	}
	own, _, _ := strings.Cut(strings.TrimPrefix(meant, "--"), " ")
	if flags.Lookup(own) == nil {
		return ""
	}
	return meant
}
