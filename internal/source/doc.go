// Package source reads what an input says and where it says it.
//
// An input is bytes: a transcript file, a recorded stream, a pipe, plain or
// compressed. A [Reader] finds out in which recorded form it is (see [Form]),
// cuts it into records, and gives each as a [Record]: a JSON value of which
// every node knows its place. What cannot be read is a [Problem] at the
// offending byte, and reading goes on behind it.
//
// A caller who knows records by their bytes (see [Layout] and [Layouts]) need not
// have them taken apart: [Reader.Ahead] gives the text that comes next, and a
// [Feed] reads on behind it while that is gone through.
//
// The package knows JSON (RFC 8259), UTF-8 and JSON Pointer (RFC 6901), Python's
// literals, and what programs wrap records in: server-sent events, logs, pages,
// notebooks, a browser's traffic. It knows nothing of any protocol.
package source
