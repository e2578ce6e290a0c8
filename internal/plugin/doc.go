// Package plugin is the boundary between the engine, package lint, and the
// protocols that it runs. A [Protocol] detects its inputs and makes a
// [Session] for each conversation; the session turns records into events, which
// the engine passes to the hooks of the rules. The package contains interfaces and
// plain types only: the engine knows no protocol by name, and a program that
// embeds the linter does not need the package.
package plugin
