// Package rules is the catalogue: every rule of LMC and of Semantic Workbench
// with its texts, its examples and its code, one file each, and the two
// protocols, [LMC] and [Workbench], that bind models and schemas into the engine.
//
// [All] is all that an embedding program needs:
//
//	lint.New(rules.All()).Lint(ctx, name, reader)
package rules
