// Package value reads one JSON value or Python literal from bytes: it checks
// the grammar, builds a tree of nodes that know where they are, and decodes
// their text.
//
// A [Scanner] scans a value by RFC 8259, or by the grammar of Python's literals,
// and explains what is wrong with it as a [Fault]. A [BracketMatcher] finds the
// end of a value without checking it. The package knows nothing of inputs or
// records: offsets count bytes from the start of the data that it was given.
package value
