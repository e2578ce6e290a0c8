package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/internal/base/spelling"
)

// choice is the value of a flag that takes one of a few words.
type choice struct {
	value   string
	allowed []string
	shown   string            // the value's name in the help
	former  map[string]string // what words of earlier versions are now
	open    bool              // other words may be allowed, too; the user of the value checks
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
	if now := c.former[word]; now != "" {
		return fmt.Errorf("%q is now %s", word, now)
	}
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
	var former *formerError
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return err
	case errors.As(err, &former):
		return former
	case errors.As(err, &unknown):
		flag := unknown.GetSpecifiedName()
		switch now := formerFlags[flag]; {
		case unknown.GetSpecifiedShortnames() != "":
			return usagef("unknown flag -%s", flag)
		case now != "":
			return &formerError{"--" + flag, now}
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

// formerError says what a command line may have instead of what it has, which an
// earlier version had.
type formerError struct{ former, now string }

func (e *formerError) Error() string { return e.former + " is gone: " + e.now }

// What earlier versions had, and what does the same now.
var (
	formerCommands = map[string]string{
		"assemble": name + " convert --to messages --as CONSUMER STREAM",
		"history":  `jq -r '.. | .message_type? // empty' FILE | sort | uniq -c`,
		"mutate":   "the conformance suite has recordings with one mistake each",
		"stats":    `jq -r '.. | .message_type? // empty' FILE | sort | uniq -c`,
	}
	formerFlags = map[string]string{
		"cpuprofile": "the benchmarks of go test write profiles",
		"direction":  `convert --to jsonl SESSION | jq -c 'select(.dir == "recv").frame'`,
		"exit-zero":  "pass --fail-on never",
		"follow":     "tail -n +1 -F FILE | " + name + " -",
		"memprofile": "the benchmarks of go test write profiles",
		"output":     "redirect standard output, or pass --format FORMAT:FILE to check",
		"stats":      "pass --timing",
		"to-dialect": "convert writes the records of the dialect that they have",
		"watch":      name + " watch PATH",
	}
	formerFormats = map[string]string{
		"rdjsonl": "reviewdog reads sarif",
		"tap":     "pass junit",
	}
)
