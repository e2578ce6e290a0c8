package suite

import (
	"fmt"
	"io/fs"
	"slices"
)

// validate returns an error if the manifest contradicts itself: what its JSON Schema
// cannot say.
func (m *Manifest) validate() error {
	known := map[string]bool{}
	for _, r := range m.Requirements {
		switch {
		case known[r.ID]:
			return invalid("requirement %s is listed twice", r.ID)
		case r.Level == One || !slices.Contains(Levels(), r.Level):
			return invalid("requirement %s has the unknown level %q", r.ID, r.Level)
		}
		known[r.ID] = true
	}
	previous := ""
	for i := range m.Cases {
		c := &m.Cases[i]
		if c.ID <= previous {
			return invalid("case %q comes after %q: cases are sorted, and each has an id of its own", c.ID, previous)
		}
		previous = c.ID
		if err := c.validate(known); err != nil {
			return fmt.Errorf("case %s: %w", c.ID, err)
		}
	}
	return nil
}

func invalid(format string, values ...any) error {
	return fmt.Errorf("invalid manifest: "+format, values...)
}

func (c *Case) validate(requirements map[string]bool) error {
	for _, id := range c.Requirements {
		if !requirements[id] {
			return invalid("unknown requirement %q", id)
		}
	}
	for _, file := range []string{c.File, c.Against()} {
		if file != "" && !fs.ValidPath(file) {
			return invalid("%q is outside the suite", file)
		}
	}
	if !slices.Contains(Profiles(), c.Profile) {
		return invalid("unknown profile %q", c.Profile)
	}
	for i, f := range c.Findings {
		switch {
		case f.Level != LevelOf(f.Severity):
			return invalid("%s is a finding of severity %s, and cannot be of level %s", f.Rule, f.Severity, f.Level)
		case i > 0 && Compare(c.Findings[i-1], f) > 0:
			return invalid("findings are sorted by path, line, column, rule and pointer; %s in line %d is not", f.Rule, f.Line)
		}
	}
	strongest := LevelOfFindings(c.Findings)
	if c.JSON == EitherJSON {
		strongest = May // RFC 8259 leaves the choice
	}
	switch {
	case c.Level != strongest:
		return invalid("its level is %s, but that of its findings is %s", c.Level, strongest)
	case len(c.Requirements) == 0:
		return invalid("it shows no requirement")
	case c.Foreign && (c.Detected != nil || len(c.Findings) > 0):
		return invalid("foreign input has neither findings nor anything that was detected")
	case !c.Foreign && c.JSON == "" && c.Detected == nil:
		return invalid("what was detected is missing")
	case c.JSON != "" && len(c.Findings) > 0:
		return invalid("a case about JSON has no findings of its own")
	}
	return nil
}

// LevelOfFindings returns the strongest level of findings. That an input has none
// is a must as well.
func LevelOfFindings(findings []Finding) Level {
	if len(findings) == 0 {
		return Must
	}
	strongest := May
	for _, f := range findings {
		if strongest.Includes(f.Level) {
			strongest = f.Level
		}
	}
	return strongest
}
