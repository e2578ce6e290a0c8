// Package lint is the engine: it reads an input, lets a protocol follow its
// records, and lets rules answer what happens.
//
// A [Rule] is data: its texts, its examples and the hooks that it hangs on
// events. A [Protocol] turns records into events. A [Linter] holds both
// together; it knows no rule, protocol or report by name.
//
//	linter, err := lint.New(rules.All())
//	…
//	for finding, err := range linter.Lint(ctx, "stream.jsonl", reader) {
//		…
//	}
package lint
