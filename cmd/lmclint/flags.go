package main

import (
	"errors"
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
