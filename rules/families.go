package rules

import (
	"github.com/lmclint/lmclint/lint"
)

// Families are the groups of rules, in the order of their ids.
func Families() []lint.Family {
	return []lint.Family{
		{Name: "input", Prefix: "LMC0"},
		{Name: "shape", Prefix: "LMC1"},
		{Name: "framing", Prefix: "LMC2"},
		{Name: "execution", Prefix: "LMC3"},
		{Name: "content", Prefix: "LMC4"},
		{Name: "transcript", Prefix: "LMC5"},
		{Name: "session", Prefix: "LMC6"},
		{Name: "agreement", Prefix: "LMC7"},
		{Name: "wb", Prefix: "WB"},
	}
}

// Catalogue is what the user of a configuration or a command line chooses
// rules from.
func Catalogue() lint.Catalog { return lint.Catalog{Rules: All(), Families: Families()} }
