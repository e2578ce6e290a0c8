package schema

import (
	"slices"
	"sort"
)

// settle puts the violations of a record in source order and leaves one for
// each mistake.
func settle(found []Violation) []Violation {
	sort.SliceStable(found, func(i, j int) bool { return before(&found[i], &found[j]) })
	silent, meant := map[string]bool{}, map[string]bool{}
	for i := range found {
		meant[found[i].Instead] = true
		for _, rule := range explains(found[i].Rule) {
			silent[rule] = true
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(found, func(v Violation) bool {
		if silent[v.Rule] || v.Rule == "LMC110" && meant[v.Key] {
			return true
		}
		mistake := v.Rule + " " + v.Key
		if v.Rule == "LMC110" {
			mistake = v.Rule // the first unknown key stands for all
		}
		repeated := seen[mistake]
		seen[mistake] = true
		return repeated
	})
}

// explains returns the rules that are silent beside a rule: they would report
// the same mistake again, or judge a content by a type or format that is
// wrong itself.
func explains(rule string) []string {
	switch rule {
	case "LMC103", "LMC104", "LMC105", "LMC106":
		return []string{"LMC109", "LMC113", "LMC114", "LMC307"}
	case "LMC108":
		return []string{"LMC110"}
	case "LMC112":
		return []string{"LMC105", "LMC109", "LMC113", "LMC114", "LMC307"}
	case "LMC120":
		return []string{"LMC108"}
	}
	return nil
}

// before orders violations by place, and at one place by rule and key.
func before(a, b *Violation) bool {
	if a.offset() != b.offset() {
		return a.offset() < b.offset()
	}
	if a.Rule != b.Rule {
		return a.Rule < b.Rule
	}
	return a.Key < b.Key
}

// offset is where the violation is, in bytes from the start of the record.
func (v *Violation) offset() int {
	if v.AtKey {
		return v.Node.NameStart
	}
	return v.Node.Start
}
