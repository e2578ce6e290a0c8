// Package rules is the catalogue: every rule of LMC and of Semantic Workbench
// with its texts, its examples and its code, one file each, and the two
// protocols, [LMC] and [Workbench], that bind models and schemas into the engine.
//
// Most records of a healthy stream differ from an earlier one in nothing but a
// text. They are recognised by their bytes, and not taken apart: skim.go follows
// them, find_lines.go finds them, and find_ahead.go lets it do that ahead of who
// follows. [lint.WithoutSkimming] does without, and finds the same.
//
// [All] is all that an embedding program needs:
//
//	lint.New(rules.All()).Lint(ctx, name, reader)
package rules
