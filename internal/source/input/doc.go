// Package input is a window over the bytes of an input: it decompresses them,
// detects encodings other than UTF-8, finds the ends of lines, and skips
// whitespace and comments.
//
// Bytes before the window are gone; the window grows at its end on demand, so
// that memory is bounded by the longest record. The package does not depend on
// the syntax of values, or on records.
package input
