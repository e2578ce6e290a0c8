// Package rules is the catalogue: every rule of LMC with its texts, its
// examples and its code, one file each, and the protocol that binds the
// tracker and the schemas into the engine.
//
// [All] is all that an embedding program needs:
//
//	lint.New(rules.All()).Lint(ctx, name, reader)
package rules
