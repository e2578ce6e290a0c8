// Package rules is the catalog: every rule of LMC and of Semantic Workbench with
// its texts, its examples and its check. Each family has a package of its own,
// with one file per rule.
//
// [All] is all that an embedding program needs:
//
//	linter, err := lint.New(rules.All())
package rules
