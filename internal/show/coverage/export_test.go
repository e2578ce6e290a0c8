package coverage

import "slices"

// Requirement is a line of requirements.txt.
type Requirement struct {
	ID, Says, Dialects   string
	HasRule, OnlyFinding bool
}

// Requirements returns the lines of requirements.txt.
func Requirements() []Requirement {
	var list []Requirement
	for _, r := range requirements() {
		list = append(list, Requirement{r.id, r.says, r.dialects, len(r.words) > 0, slices.Equal(r.words, []string{"finding"})})
	}
	return list
}
