package main

import (
	"errors"
	"fmt"
	"io"

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
