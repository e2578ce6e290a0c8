package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/lmclint/lmclint/config"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
	"github.com/lmclint/lmclint/rules"
)

func (c *Command) configCommand() *cobra.Command {
	return withSubcommands(&cobra.Command{
		Use:   "config show|verify|init [flags] [PATH...]",
		Short: "show, verify or create a configuration",
		Long: `show [PATH]       print the effective configuration and each value's origin
verify [FILE...]  check configuration files (default: the one in effect here)
init [FILE]       create a starter configuration (` + config.Names()[0] + `)

lmclint uses the nearest ` + config.Names()[0] + `, from the input's directory upward to
the root of its repository.`,
		Example: name + " config show recordings/a.jsonl\n" + name + " config verify ci/lmclint.yaml\n" + name + " config init",
	}, c.configShowCommand(), c.configVerifyCommand(), c.configInitCommand())
}

func (c *Command) configShowCommand() *cobra.Command {
	command := &cobra.Command{
		Use:     "show [flags] [PATH]",
		Short:   "print the effective configuration and each value's origin",
		Example: name + " config show recordings/a.jsonl",
		Args:    operands(0, 1, "config show takes one path"),
	}
	o := &configFlags{}
	o.define(command.Flags())
	format := choiceFlag(command.Flags(), "format", "FORMAT", "text or json", []string{"text", "json"})
	command.RunE = func(_ *cobra.Command, operands []string) error {
		return c.showConfig(o, append(operands, "")[0], format.value)
	}
	return command
}

func (c *Command) configVerifyCommand() *cobra.Command {
	command := &cobra.Command{
		Use:     "verify [flags] [FILE...]",
		Short:   "check configuration files (default: the one in effect here)",
		Example: name + " config verify ci/lmclint.yaml",
	}
	o := &configFlags{}
	o.define(command.Flags())
	command.RunE = func(_ *cobra.Command, operands []string) error { return c.verifyConfig(o, operands) }
	return command
}

func (c *Command) configInitCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "init [FILE]",
		Short:   "create a starter configuration (" + config.Names()[0] + ")",
		Example: name + " config init",
		Args:    operands(0, 1, "config init takes one path"),
		RunE: func(_ *cobra.Command, operands []string) error {
			path := append(operands, config.Names()[0])[0]
			if isStdout(path) {
				return c.print(config.Starter())
			}
			// A directory may have one configuration.
			taken := []string{path}
			for _, other := range config.Names() {
				if slices.Contains(config.Names(), filepath.Base(path)) {
					taken = append(taken, filepath.Join(filepath.Dir(path), other))
				}
			}
			for _, other := range taken {
				if _, err := os.Lstat(other); err == nil {
					return fmt.Errorf("%s already exists", other)
				}
			}
			if err := c.write(path, []byte(config.Starter())); err != nil {
				return err
			}
			return c.print("wrote " + path + "\n")
		},
	}
}

// verifyConfig checks files, or the one that applies in the working directory.
func (c *Command) verifyConfig(o *configFlags, files []string) error {
	if len(files) == 0 {
		finder, err := o.finder()
		if err != nil {
			return err
		}
		dir, err := os.Getwd()
		if err != nil {
			return err
		}
		found, err := finder.In(dir)
		switch {
		case err != nil:
			return err
		case found.Path == "":
			return c.print("no configuration file applies here\n")
		}
		files = []string{found.Path}
	}
	var faults config.Faults
	for _, file := range files {
		loaded, err := config.Load(file, configOptions())
		if err == nil {
			value := loaded.Values["baseline"]
			if path, _ := value.Value.(string); path != "" && !exists(path) {
				err = config.Faults{{Origin: value.Origin, Message: "baseline " + filepath.Base(path) + ": no such file; create it with --write-baseline"}}
			}
		}
		if err == nil {
			err = c.print(file + ": ok\n")
		}
		if err := faults.Add(err); err != nil {
			return err
		}
	}
	return faults.Err()
}

// shownConfig is the effective configuration of an input.
type shownConfig struct {
	Path      string       `json:"path,omitempty"` // of the input
	Config    string       `json:"config,omitempty"`
	Files     []string     `json:"files"`     // read, in increasing precedence
	Overrides []string     `json:"overrides"` // that apply, by place
	Values    []shownValue `json:"values"`
	Rules     []shownRule  `json:"rules"` // disabled, or with another severity
	On        int          `json:"on"`    // number of enabled rules

	overrides []*config.Override
}

type shownValue struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`
	Origin string `json:"origin"`
}

type shownRule struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Origin   string `json:"origin"`
}

// showConfig prints the effective configuration of an input or of the working
// directory.
func (c *Command) showConfig(o *configFlags, path, format string) error {
	finder, err := o.finder()
	if err != nil {
		return err
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(absolute)
	if err != nil {
		return fmt.Errorf("%s: %w", path, trimPathError(err))
	}
	dir := absolute
	if !info.IsDir() {
		dir = filepath.Dir(absolute)
	}
	found, err := finder.In(dir)
	if err != nil {
		return err
	}
	settings := found.For(absolute)
	selection, err := settings.Selection()
	if err != nil {
		return err
	}
	shown := shownConfig{Path: path, Config: found.Path, Files: append([]string{}, found.Files...), Overrides: []string{}}
	shown.overrides = settings.Overrides
	for _, o := range settings.Overrides {
		shown.Overrides = append(shown.Overrides, o.String())
	}
	shown.Values = shownValues(settings)
	shown.Rules, shown.On = shownRules(selection)
	if format == "json" {
		return c.printJSON(shown)
	}
	return c.print(shown.text())
}

func shownValues(s *config.Settings) []shownValue {
	var values []shownValue
	for _, key := range config.ValueKeys() {
		v, set := s.Values[key.Name]
		if !set {
			v.Value = key.Default
		}
		if v.Value != nil {
			values = append(values, shownValue{key.Name, v.Value, v.String()})
		}
	}
	for _, scope := range s.Config.Exclude {
		for _, p := range scope.Patterns {
			values = append(values, shownValue{"exclude", p.Text, p.Origin})
		}
	}
	for _, d := range s.Config.Dialects {
		values = append(values, shownValue{"dialects", d.Name, d.String()})
	}
	return values
}

func shownRules(s *lint.Selection) (changed []shownRule, on int) {
	changed = []shownRule{}
	for _, r := range rules.All() {
		severity, by := s.Severity(r)
		if !s.On(r) {
			ignored, ok := s.IgnoredBy(r)
			if !ok {
				ignored.Origin = "not selected"
			}
			changed = append(changed, shownRule{r.ID, "off", ignored.Origin})
			continue
		}
		on++
		if severity != 0 {
			changed = append(changed, shownRule{r.ID, severity.String(), by.Origin})
		}
	}
	return changed, on
}

// text returns the configuration as YAML, with the origin of each value in a
// comment.
func (s *shownConfig) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# effective configuration for %s\n", cmp.Or(s.Path, "inputs in this directory"))
	fmt.Fprintf(&b, "# configuration: %s\n", cmp.Or(s.Config, "none"))
	for _, file := range s.Files {
		if file != s.Config {
			fmt.Fprintf(&b, "# which extends %s\n", file)
		}
	}
	for _, o := range s.overrides {
		reason := ""
		if o.Reason != "" {
			reason = " (" + report.EscapeControls(o.Reason) + ")"
		}
		fmt.Fprintf(&b, "# with the override %s%s\n", o, reason)
	}
	fmt.Fprintf(&b, "# rules: %d of %d are on\n", s.On, len(rules.All()))
	previous := ""
	for _, v := range s.Values {
		format := v.Key + ": %s"
		switch v.Key {
		case "dialects": // several may be of one dialect
			format = "# custom terms of dialect %s"
		case "exclude":
			format = "  - %s"
			if v.Key != previous {
				b.WriteString("exclude:\n")
			}
		}
		previous = v.Key
		fmt.Fprintf(&b, "%-36s # %s\n", fmt.Sprintf(format, yamlWord(v.Value)), v.Origin)
	}
	if len(s.Rules) > 0 {
		b.WriteString("severity:\n")
	}
	for _, r := range s.Rules {
		fmt.Fprintf(&b, "%-36s # %s\n", "  "+r.Rule+": "+r.Severity, r.Origin)
	}
	return b.String()
}

// yamlWord returns a value in YAML.
func yamlWord(value any) string {
	text, err := yaml.Marshal(value)
	if err != nil {
		return "null" // not reached: values are words, numbers, true and false
	}
	return strings.TrimSuffix(string(text), "\n")
}
