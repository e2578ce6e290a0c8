package lint

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Layer is what one place says about rules: a configuration file, or a command
// line. A later layer stands above the earlier ones. Within a layer the
// narrower selector counts, and of two that are as narrow, Ignore.
type Layer struct {
	Select       []Selector // if there are any, these rules and no others
	ExtendSelect []Selector // these, too
	Ignore       []Selector // not these
	Levels       []SeverityOverride
}

// Level sets the severity of rules.
type SeverityOverride struct {
	Selector
	Severity Severity // zero: not these rules
}

// Selection says which rules count, and how much. It does not change.
type Selection struct {
	settings map[*Rule]setting
}

// setting is what a selection says about one rule.
type setting struct {
	on                 bool
	ignored            *Selector // what switched it off, nil if nothing selected it
	disabledBySeverity bool      // it was a level that switched it off
	severity           Severity  // zero: the rule's own
	level              *Selector // what set the severity
}

// Resolve makes a selection of layers, the lowest first. Below them every rule
// is on that is not a preview. It fails with an [*UnknownRuleError] on a selector that names no rule.
func (c Catalog) Resolve(layers ...Layer) (*Selection, error) {
	s := &Selection{settings: make(map[*Rule]setting, len(c.Rules))}
	for _, r := range c.Rules {
		s.settings[r] = setting{on: r.Status != Preview}
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

// step is one selector of a layer with what it does to its rules.
type step struct {
	rules       []*Rule
	specificity int
	apply       func(setting) setting
}

// steps returns what a layer does, the widest selector first.
func (c Catalog) steps(layer Layer) ([]step, error) {
	var steps []step
	add := func(selector Selector, apply func(setting) setting) error {
		rules, narrow := c.Select(selector.Text)
		if len(rules) == 0 {
			return &UnknownRuleError{selector}
		}
		rules = selectable(rules, narrow)
		steps = append(steps, step{rules, narrow, apply})
		return nil
	}
	on := func(s setting) setting { return s.withEnabled(true, nil) }
	off := func(by Selector) func(setting) setting {
		return func(s setting) setting { return s.withEnabled(false, &by) }
	}
	for _, selector := range slices.Concat(layer.Select, layer.ExtendSelect) {
		if err := add(selector, on); err != nil {
			return nil, err
		}
	}
	for _, selector := range layer.Ignore {
		if err := add(selector, off(selector)); err != nil {
			return nil, err
		}
	}
	for _, level := range layer.Levels {
		apply := level.apply
		if level.Severity == 0 {
			apply = level.off
		}
		if err := add(level.Selector, apply); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(a.specificity, b.specificity) })
	return steps, nil
}

// switched returns a setting of the same severity that is on, or off.
func (s setting) withEnabled(on bool, by *Selector) setting {
	return setting{on: on, ignored: by, severity: s.severity, level: s.level}
}

// apply sets the severity. A rule that a wider level switched off is on again.
func (l SeverityOverride) apply(s setting) setting {
	if s.disabledBySeverity {
		s = s.withEnabled(true, nil)
	}
	s.severity, s.level = l.Severity, &l.Selector
	return s
}

func (l SeverityOverride) off(s setting) setting {
	levelled := s.on
	s = s.withEnabled(false, &l.Selector)
	s.disabledBySeverity = levelled
	return s
}

// of returns what is said about a rule. A nil selection, or one that does not
// know the rule, lets it be as it is.
func (s *Selection) of(r *Rule) setting {
	if s != nil {
		if found, ok := s.settings[r]; ok {
			return found
		}
	}
	return setting{on: r.Status != Preview}
}

// On reports whether findings of a rule count.
func (s *Selection) On(r *Rule) bool { return s.of(r).on }

// IgnoredBy returns the selector that switched a rule off which would be on
// otherwise.
func (s *Selection) IgnoredBy(r *Rule) (Selector, bool) {
	if by := s.of(r).ignored; by != nil {
		return *by, true
	}
	return Selector{}, false
}

// Ignores returns the selectors that switched off rules which would be on
// otherwise, each once, in no order. A nil selection has none.
func (s *Selection) Ignores() []Selector {
	if s == nil {
		return nil
	}
	seen := map[Selector]bool{}
	for _, set := range s.settings {
		if set.ignored != nil {
			seen[*set.ignored] = true
		}
	}
	return slices.Collect(maps.Keys(seen))
}

// Severity returns the severity that was set for a rule, and by what; zero if
// none was.
func (s *Selection) Severity(r *Rule) (Severity, Selector) {
	if set := s.of(r); set.level != nil {
		return set.severity, *set.level
	}
	return 0, Selector{}
}

// runs reports whether a rule is run at all: it is on, or it was ignored and
// may have something to ignore.
func (s *Selection) runs(r *Rule) bool {
	chosen := s.of(r)
	return chosen.on || chosen.ignored != nil
}

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
