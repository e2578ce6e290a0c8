// Package verify runs the conformance suite. Package suite is the suite as data:
// cases, and what a checker must find in each; conformance runs it against a program
// and judges the answers. Both judge any program and know nothing of the linter.
// Two packages in suite run our own linter on a case: caselint, and author, which makes
// the expectations and the manifest; jsongrammar is the grammar of JSON as a table of texts.
package verify
