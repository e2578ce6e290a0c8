package lint

import (
	"fmt"
	"strings"
)

// Selector names rules: "all", a family, the beginning of an id, an id or a
// name. Upper and lower case are the same.
type Selector struct {
	Text   string
	Origin string // where it was written, for messages: "--ignore" or "lint.yaml:3:5"
}

// Family is a group of rules with a name, such as framing for LMC2.
type Family struct {
	Name   string
	Prefix string // how the ids of its rules begin
}

// Catalogue is what selectors choose from.
type Catalog struct {
	Rules    []*Rule
	Families []Family
}

// all is the selector of every rule.
const all = "all"

// ExactlyOne is how narrow the id or the name of one rule is. A prefix is as
// narrow as it is long, and all is the widest.
const ExactSpecificity = 1 << 10

// Select returns the rules that a selector names, none if it is unknown, and
// how narrow it is: of two selectors for one rule the narrower counts.
func (c Catalog) Select(word string) (rules []*Rule, narrow int) {
	if strings.EqualFold(word, all) {
		return c.Rules, 0
	}
	for _, r := range c.Rules {
		if strings.EqualFold(word, r.ID) || strings.EqualFold(word, r.Name) {
			return []*Rule{r}, ExactSpecificity
		}
	}
	prefix := strings.ToUpper(word)
	for _, f := range c.Families {
		if strings.EqualFold(word, f.Name) {
			prefix = f.Prefix
		}
	}
	if prefix == "" {
		return nil, 0
	}
	for _, r := range c.Rules {
		if strings.HasPrefix(r.ID, prefix) {
			rules = append(rules, r)
		}
	}
	return rules, len(prefix)
}

// Words returns all that a rule or a family can be called, names first.
func (c Catalog) Words() []string {
	var names, ids []string
	for _, r := range c.Rules {
		names = append(names, r.Name)
		ids = append(ids, r.ID)
	}
	for _, f := range c.Families {
		names = append(names, f.Name)
	}
	return append(append(names, all), ids...)
}

// UnknownRuleError says that a selector names no rule.
type UnknownRuleError struct{ Selector Selector }

// Error implements the interface error.
func (e *UnknownRuleError) Error() string {
	return fmt.Sprintf("%s: unknown rule %q", e.Selector.Origin, e.Selector.Text)
}
