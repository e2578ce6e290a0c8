package lint

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Catalog is the rules and families that selectors select from.
type Catalog struct {
	Rules    []*Rule
	Families []Family
}

// Family is a named group of rules, such as framing for LMC2.
type Family struct {
	Name   string
	Prefix string // of the ids of its rules
}

// Selector selects rules: by "all", a family, an id prefix, an id or a name,
// without regard to case.
type Selector struct {
	Text   string
	Origin string // where it is written, for messages: "--ignore" or "lint.yaml:3:5"
}

// UnknownRuleError is the error of a selector that selects no rule.
type UnknownRuleError struct{ Selector Selector }

// Error implements the interface error.
func (e *UnknownRuleError) Error() string {
	return fmt.Sprintf("%s: unknown rule %q", e.Selector.Origin, e.Selector.Text)
}

const (
	// all is the selector of every rule.
	all = "all"

	// exactSpecificity is the specificity of an id or a name. That of a prefix is
	// its length, and that of all is 0.
	exactSpecificity = 1 << 10
)

// Select returns the rules that a selector selects, none if it is unknown.
func (c Catalog) Select(selector string) []*Rule {
	rules, _ := c.find(selector)
	return rules
}

// Rule returns the rule with an id or a name, or nil.
func (c Catalog) Rule(name string) *Rule {
	for _, r := range c.Rules {
		if strings.EqualFold(name, r.ID) || strings.EqualFold(name, r.Name) {
			return r
		}
	}
	return nil
}

// find is Select with the specificity of the selector: of two selectors for one
// rule the more specific one takes precedence.
func (c Catalog) find(selector string) (rules []*Rule, specificity int) {
	if strings.EqualFold(selector, all) {
		return c.Rules, 0
	}
	if r := c.Rule(selector); r != nil {
		return []*Rule{r}, exactSpecificity
	}
	prefix := strings.ToUpper(selector)
	for _, f := range c.Families {
		if strings.EqualFold(selector, f.Name) {
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

// Words returns the selectors that are worth suggesting: names of rules and
// families, all, and ids.
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

// Layer is what one source, such as a configuration file or the command line,
// says about rules. A later layer overrides the earlier ones. Within a layer the
// most specific selector takes precedence, and Ignore among equally specific
// ones.
type Layer struct {
	Select       []Selector // if not empty, only these rules are on
	ExtendSelect []Selector // these are on, too
	Ignore       []Selector // these are off
	Levels       []SeverityOverride
}

// SeverityOverride sets the severity of rules, or turns them off.
type SeverityOverride struct {
	Selector
	Severity Severity // zero turns the rules off
}

// Selection is which rules are on, and their severities. It is immutable. Under a nil
// Selection every rule has its defaults.
type Selection struct {
	settings map[*Rule]setting
}

// setting is what a selection says about one rule.
type setting struct {
	on                 bool
	ignored            *Selector // that turned it off, nil if nothing had selected it
	disabledBySeverity bool      // a SeverityOverride turned it off
	severity           Severity  // zero: the rule's own
	level              *Selector // that set the severity
}

// Resolve returns the selection of layers, the lowest first. Below them every
// rule is on. It returns an [*UnknownRuleError] for a selector that selects no
// rule.
func (c Catalog) Resolve(layers ...Layer) (*Selection, error) {
	s := &Selection{settings: make(map[*Rule]setting, len(c.Rules))}
	for _, r := range c.Rules {
		s.settings[r] = setting{on: true}
	}
	for _, layer := range layers {
		steps, err := c.steps(layer)
		if err != nil {
			return nil, err
		}
		if len(layer.Select) > 0 {
			for r, old := range s.settings {
				s.settings[r] = old.withEnabled(false, nil)
			}
		}
		for _, step := range steps {
			for _, r := range step.rules {
				s.settings[r] = step.apply(s.settings[r])
			}
		}
	}
	return s, nil
}

// step is one selector of a layer with its effect on its rules.
type step struct {
	rules       []*Rule
	specificity int
	apply       func(setting) setting
}

// steps returns the steps of a layer, the least specific first.
func (c Catalog) steps(layer Layer) ([]step, error) {
	var steps []step
	var unknown error
	add := func(selector Selector, apply func(setting) setting) {
		rules, specificity := c.find(selector.Text)
		if len(rules) == 0 && unknown == nil {
			unknown = &UnknownRuleError{selector}
		}
		steps = append(steps, step{rules, specificity, apply})
	}
	for _, selector := range slices.Concat(layer.Select, layer.ExtendSelect) {
		add(selector, func(s setting) setting { return s.withEnabled(true, nil) })
	}
	for _, selector := range layer.Ignore {
		add(selector, func(s setting) setting { return s.withEnabled(false, &selector) })
	}
	for _, level := range layer.Levels {
		add(level.Selector, func(s setting) setting {
			if level.Severity == 0 {
				wasOn := s.on
				s = s.withEnabled(false, &level.Selector)
				s.disabledBySeverity = wasOn
				return s
			}
			if s.disabledBySeverity { // by a less specific override
				s = s.withEnabled(true, nil)
			}
			s.severity, s.level = level.Severity, &level.Selector
			return s
		})
	}
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(a.specificity, b.specificity) })
	return steps, unknown
}

// withEnabled returns a setting of the same severity that is on or off.
func (s setting) withEnabled(on bool, by *Selector) setting {
	return setting{on: on, ignored: by, severity: s.severity, level: s.level}
}

// With returns the selection with other severities for rules that are on. Zero turns a
// rule off.
func (s *Selection) With(severities map[*Rule]Severity) *Selection {
	other := &Selection{settings: map[*Rule]setting{}}
	if s != nil {
		maps.Copy(other.settings, s.settings)
	}
	for r, severity := range severities {
		if set := s.of(r); set.on {
			other.settings[r] = setting{on: severity != 0, severity: severity}
		}
	}
	return other
}

// of returns the setting of a rule.
func (s *Selection) of(r *Rule) setting {
	if s != nil {
		if found, ok := s.settings[r]; ok {
			return found
		}
	}
	return setting{on: true}
}

// On reports whether a rule is on.
func (s *Selection) On(r *Rule) bool { return s.of(r).on }

// IgnoredBy returns the selector that turned a rule off that would be on
// otherwise.
func (s *Selection) IgnoredBy(r *Rule) (Selector, bool) {
	if by := s.of(r).ignored; by != nil {
		return *by, true
	}
	return Selector{}, false
}

// Severity returns the severity that was set for a rule and the selector that
// set it, or zero values.
func (s *Selection) Severity(r *Rule) (Severity, Selector) {
	if set := s.of(r); set.level != nil {
		return set.severity, *set.level
	}
	return 0, Selector{}
}
