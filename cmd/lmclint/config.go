package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/config"
	"github.com/lmclint/lmclint/internal/spelling"
	"github.com/lmclint/lmclint/rules"
)

// configWords are what config does.
func configWords() []string { return []string{"show", "verify", "init"} }

func configCommand() command {
	return command{
		name:     "config",
		operands: "show|verify|init [flags] [PATH...]",
		summary:  "show what holds for an input, check configurations, begin one",
		about: `show [PATH]      what holds for an input, and where each value comes from
verify [FILE...] what is wrong with configuration files; by default with the
                 one that holds here
init [FILE]      write a configuration to begin with (` + config.Names()[0] + `)

A configuration is the ` + config.Names()[0] + ` that is nearest to an input, upward to the
root of its repository.`,
		examples: []string{
			name + " config show recordings/a.jsonl",
			name + " config verify ci/lmclint.yaml",
			name + " config init",
		},
		setup: func(flags *pflag.FlagSet) action {
			o := &configFlags{}
			o.define(flags)
			format := defineChoice(flags, "format", "FORMAT", "text or json; of show", []string{"text", "json"})
			return func(c *Command, operands []string) error { return c.config(o, operands, format.value) }
		},
	}
}

func (c *Command) config(o *configFlags, operands []string, format string) error {
	if len(operands) == 0 {
		return &usageError{message: "config needs a word: " + spelling.AnyOf(configWords()), command: "config"}
	}
	word, rest := operands[0], operands[1:]
	switch {
	case word == "verify":
		return c.verifyConfig(o, rest)
	case word == "init" && len(rest) < 2:
		return c.initConfig(append(rest, config.Names()[0])[0])
	case word == "show" && len(rest) < 2:
		return c.showConfig(o, append(rest, "")[0], format)
	case word == "init", word == "show":
		return &usageError{message: "config " + word + " takes one path", command: "config"}
	}
	return &usageError{message: "config " + quote(word) + ": " + invalidChoice(word, configWords()).Error(), command: "config"}
}

// verifyConfig checks files, or what holds in the working directory.
func (c *Command) verifyConfig(o *configFlags, files []string) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return c.verifyNearest(o, dir)
	}
	var faults config.Faults
	for _, file := range files {
		_, err := newLoader(dir, rules.Catalogue(), nil).Load(absoluteIn(dir, file), "")
		if err == nil {
			err = c.print(file + ": ok\n")
		}
		if err := faults.Add(err); err != nil {
			return err
		}
	}
	return faults.Err()
}

func (c *Command) verifyNearest(o *configFlags, dir string) error {
	finder, err := o.finder(dir, rules.Catalogue())
	if err != nil {
		return err
	}
	found, err := finder.In(dir)
	if err != nil {
		return err
	}
	if found.Path == "" {
		return c.print("no configuration file holds here\n")
	}
	return c.print(found.Path + ": ok\n")
}

func absoluteIn(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// initConfig writes a configuration that changes nothing, with what there is to
// change in comments.
func (c *Command) initConfig(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if os.IsExist(err) {
		return fmt.Errorf("%s is there already; it is left as it is", path)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, trimPathError(err))
	}
	if _, err := strings.NewReader(config.Starter()).WriteTo(f); err != nil {
		_ = f.Close()
		return fmt.Errorf("%s: %w", path, trimPathError(err))
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("%s: %w", path, trimPathError(err))
	}
	return c.print("wrote " + path + "\n")
}
