package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/lmclint/lmclint/internal/show/consumers"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// mindingClients is the value of --for: consumers of package consumers.
type mindingClients struct{ list []string }

// String implements [pflag.Value].
func (n *mindingClients) String() string { return strings.Join(n.list, ",") }

// Type implements [pflag.Value].
func (n *mindingClients) Type() string { return "CLIENTS" }

// Set implements [pflag.Value]. It fails on a name that is not in the table.
func (n *mindingClients) Set(text string) error {
	known := consumers.Load().Names()
	for word := range strings.SplitSeq(text, ",") {
		if !slices.Contains(known, word) {
			return errors.New("nothing is known of " + strconv.Quote(word) + "; known are " + english.WordSeries(known, "and"))
		}
		if !slices.Contains(n.list, word) {
			n.list = append(n.list, word)
		}
	}
	return nil
}

// minded returns a selection with the severities that rules have for the consumers of
// --for.
func (n *mindingClients) minded(selection *lint.Selection) *lint.Selection {
	if len(n.list) == 0 {
		return selection
	}
	return selection.With(consumers.Load().Severities(rules.All(), n.list))
}

// explain adds to the help of a finding what the consumers of --for do.
func (n *mindingClients) explain(f *lint.Finding) {
	if len(n.list) == 0 {
		return
	}
	var parts []string
	if f.Help != "" {
		parts = append(parts, f.Help)
	}
	for _, name := range n.list {
		if r := consumers.Load().Result(f.Rule.ID, name); r != nil && r.What != "" && r.Covers(f.Severity) {
			parts = append(parts, fmt.Sprintf("%s %s (%s)", name, strings.Replace(r.Outcome, "nothing", "does not mind", 1), r.What))
		}
	}
	f.Help = strings.Join(parts, "; ")
}

// untried returns the lines of --verbose about rules that had findings and that a consumer
// of --for was never run with.
func (n *mindingClients) untried(found statistics) []string {
	table := consumers.Load()
	var lines []string
	for _, consumer := range n.list {
		for _, rule := range rules.All() {
			if table.Result(rule.ID, consumer) == nil && found[rule] != nil {
				lines = append(lines, fmt.Sprintf("%s was never run with %s (%s): its severity is that for all clients\n", consumer, rule.ID, rule.Name))
			}
		}
	}
	return lines
}

// whoMinds returns what consumers do with what a rule finds, as lines of text.
func whoMinds(rule string) []string {
	var lines []string
	for _, r := range consumers.Load().Of(rule) {
		line := strings.Join(r.Consumers, ", ") + ": " + r.Outcome
		if r.What != "" {
			line += " (" + r.What + ")"
		}
		if r.Versions != "" {
			line += "; " + r.Versions
		}
		lines = append(lines, line)
	}
	return lines
}
