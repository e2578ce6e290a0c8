// Package dev is in no release: it has what tests and generators use. Packages
// mutation and deletions seed mistakes, in recordings and in our own code, addcase and
// author write the expectations of the conformance suite, jsongrammar is the grammar of JSON
// as a table of texts, and generated, exhaustive, hostile and linttest are for tests. They
// may import everything. Nothing imports them but tests and each other.
package dev
