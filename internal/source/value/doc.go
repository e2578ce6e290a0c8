// Package value parses one JSON value or Python literal: it checks the grammar,
// builds a tree of nodes with their offsets, and decodes strings.
//
// A [Scanner] scans a value by RFC 8259, or by the grammar of Python's literals,
// and reports what is wrong with it as a [Fault]. A [BracketMatcher] finds the
// end of a value without checking it. The package does not depend on inputs or
// records: offsets count bytes from the start of the data to scan.
package value
