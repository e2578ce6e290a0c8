// Package dev is in no release: it has what tests and generators use. Packages
// mutation and deletions seed mistakes, in recordings and in our own code, addcase
// writes the expectations of the conformance suite, new the skeletons of rules and
// formats, and generated, exhaustive, hostile and linttest are for tests. They may import
// everything. Nothing imports them but tests and each other.
package dev
