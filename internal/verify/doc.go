// Package verify runs the conformance suite. Package suite is the suite as data:
// cases, and what a checker must find in each; conformance runs it against a program
// and judges the answers. Both judge any program and know nothing of the linter.
// Package caselint, in suite, is the one place that runs our own linter on a case.
package verify
