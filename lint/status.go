package lint

import "slices"

// Status is where a rule stands in its life. An id is never used again, also
// when its rule is gone.
type Status uint8

// The states of a rule.
const (
	// Stable rules are on. What they find changes only with a minor release.
	Stable Status = iota
	// Preview rules are new. One is on where its id or name selects it, and
	// may still change.
	Preview
	// Deprecated rules are on, and will be gone with the next minor release.
	Deprecated
)

// String names the status as lists show it.
func (s Status) String() string {
	names := [...]string{"stable", "preview", "deprecated"}
	if int(s) >= len(names) {
		return ""
	}
	return names[s]
}

// selectable leaves out the rules that a selector is too wide for.
func selectable(rules []*Rule, narrow int) []*Rule {
	if narrow == ExactSpecificity {
		return rules
	}
	return slices.DeleteFunc(slices.Clone(rules), func(r *Rule) bool { return r.Status == Preview })
}
