package rules

import (
	_ "embed"
	"strings"
)

//go:embed corrections.diff
var corrections string

// Correction is an input before and after what a help says to do.
type Correction struct {
	Help string // how it begins
	// Diff has the lines of the input after a space, those to remove after "-" and those
	// to add after "+". The first may be the command that checks it, after "$ ".
	Diff string
}

// Corrections returns the corrections for helps of a rule that none of its examples shows.
func Corrections(id string) (found []Correction) {
	for block := range strings.SplitSeq(corrections, "\n\n") {
		head, diff, _ := strings.Cut(strings.TrimSuffix(block, "\n"), "\n")
		if of, help, _ := strings.Cut(head, " "); of == id {
			found = append(found, Correction{help, diff + "\n"})
		}
	}
	return found
}
