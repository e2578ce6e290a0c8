// Package input is a window over the bytes of an input: it decompresses them,
// rejects encodings other than UTF-8, finds the ends of lines, and skips
// whitespace and comments.
//
// What precedes the window is gone; the window grows as its user asks for more,
// so that memory is bounded by the longest record. The package knows nothing of
// values or records.
package input
