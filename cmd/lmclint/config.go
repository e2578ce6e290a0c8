package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/lmclint/lmclint/config"
	"github.com/lmclint/lmclint/internal/spelling"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
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

// shownConfig is what holds for an input, as config show tells it.
type shownConfig struct {
	Path      string       `json:"path,omitempty"` // of the input
	Config    string       `json:"config,omitempty"`
	Files     []string     `json:"files"`     // that were read, in the order in which they count
	Overrides []string     `json:"overrides"` // that hold, by their places
	Values    []shownValue `json:"values"`
	Rules     []shownRule  `json:"rules"` // that are off, or of another severity
	On        int          `json:"on"`    // rules that are on

	reasons []string // of the overrides
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

// showConfig prints what holds for an input, or in the working directory.
func (c *Command) showConfig(o *configFlags, path, format string) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	finder, err := o.finder(dir, rules.Catalogue())
	if err != nil {
		return err
	}
	absolute := absoluteIn(dir, path)
	found, err := finder.In(directoryOf(absolute))
	if err != nil {
		return err
	}
	settings := found.For(absolute)
	selection, err := rules.Catalogue().Resolve(settings.Layers(lint.Layer{})...)
	if err != nil {
		return err
	}
	shown := shownConfig{Path: path, Config: found.Path, Files: append([]string{}, found.Files...), Overrides: []string{}}
	for _, o := range settings.Overrides {
		shown.Overrides = append(shown.Overrides, o.String())
		shown.reasons = append(shown.reasons, o.Reason)
	}
	shown.Values = shownValues(settings)
	shown.Rules, shown.On = shownRules(selection)
	if format == "json" {
		return c.printJSON(shown)
	}
	return c.print(shown.text())
}

// directoryOf is the directory whose configuration holds: the path itself, if
// it is one.
func directoryOf(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return path
	}
	return filepath.Dir(path)
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

// text is the configuration as YAML, with the origin of each value behind it.
func (s *shownConfig) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# what holds for %s\n", cmp.Or(s.Path, "inputs in this directory"))
	fmt.Fprintf(&b, "# configuration: %s\n", cmp.Or(s.Config, "none"))
	for _, file := range s.Files {
		if file != s.Config {
			fmt.Fprintf(&b, "# which extends %s\n", file)
		}
	}
	for i, override := range s.Overrides {
		fmt.Fprintf(&b, "# with the override %s", override)
		if s.reasons[i] != "" {
			fmt.Fprintf(&b, " (%s)", report.EscapeControls(s.reasons[i]))
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "# rules: %d of %d are on\n", s.On, len(rules.All()))
	lists := map[string]bool{"exclude": true, "dialects": true}
	previous := ""
	for _, v := range s.Values {
		line := fmt.Sprintf("%s: %s", v.Key, yamlWord(v.Value))
		if lists[v.Key] {
			if v.Key != previous {
				fmt.Fprintf(&b, "%s:\n", v.Key)
			}
			line = "  - " + yamlWord(v.Value)
			if v.Key == "dialects" {
				line = "  " + yamlWord(v.Value) + ": {}"
			}
		}
		previous = v.Key
		fmt.Fprintf(&b, "%-36s # %s\n", line, v.Origin)
	}
	if len(s.Rules) > 0 {
		b.WriteString("severity:\n")
	}
	for _, r := range s.Rules {
		fmt.Fprintf(&b, "%-36s # %s\n", "  "+r.Rule+": "+r.Severity, r.Origin)
	}
	return b.String()
}

// yamlWord writes a value so that YAML reads it as it is.
func yamlWord(value any) string {
	text, isText := value.(string)
	plainWord := isText && text != "" && strings.Trim(strings.ToLower(text), "abcdefghijklmnopqrstuvwxyz0123456789._/-") == ""
	if plainWord && !strings.HasPrefix(text, "-") && strings.Trim(text, "0123456789.") != "" {
		return text
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		return "null"
	}
	return string(encoded)
}
