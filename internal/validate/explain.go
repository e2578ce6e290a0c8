package validate

import (
	"slices"
	"sort"
)

// settle puts the violations of a record in source order and leaves one for
// each mistake.
func dedupe(found []Violation) []Violation {
	sort.SliceStable(found, func(i, j int) bool { return before(&found[i], &found[j]) })
	silent := suppressedRules(found)
	meant := map[string]bool{}
	for i := range found {
		if instead := found[i].Instead; instead != "" {
			meant[instead] = true
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(found, func(v Violation) bool {
		if silent[v.Rule] || v.Rule == "LMC110" && meant[v.Key] {
			return true
		}
		mistake := v.Rule + " " + v.Key
		if v.Rule == "LMC110" || v.Rule == "LMC111" {
			mistake = v.Rule // the first such key stands for all
		}
		repeated := seen[mistake]
		seen[mistake] = true
		return repeated
	})
}

// silenced returns the rules that would report a mistake again, or judge a
// content by a type or format that is wrong itself.
func suppressedRules(found []Violation) map[string]bool {
	present, mistyped := map[string]bool{}, false
	for i := range found {
		present[found[i].Rule] = true
		mistyped = mistyped || found[i].Rule == "LMC110" && found[i].Nearest == "type" && found[i].Type == ""
	}
	silent := map[string]bool{
		"LMC105": present["LMC112"],
		"LMC107": mistyped, // of a flag of the user's that need not have a type
		"LMC108": present["LMC120"],
		"LMC110": present["LMC108"] && !present["LMC120"],
	}
	if present["LMC101"] && present["LMC103"] && present["LMC108"] {
		silent["LMC103"], silent["LMC108"] = true, true // nothing of a record is there
	}
	for _, rule := range []string{"LMC103", "LMC104", "LMC105", "LMC106", "LMC107", "LMC112"} {
		if present[rule] {
			silent["LMC109"], silent["LMC113"], silent["LMC114"], silent["LMC307"] = true, true, true, true
		}
	}
	return silent
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
