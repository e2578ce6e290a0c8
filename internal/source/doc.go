// Package source reads the records of an input with the positions of their values.
//
// An input is bytes: a transcript file, a recorded stream, a pipe, plain or
// compressed. A [Reader] detects in which recorded form it is (see [Form]),
// splits it into records, and returns each as a [Record]: a JSON value of which
// every node knows its place. What cannot be read is a [Problem] at the offending
// byte, and reading resumes after it.
//
// One record on its way: package input keeps a window over the bytes; a form,
// such as lines for JSON Lines, moves a [Cursor] over it; the cursor cuts a value
// from the window and has package value scan it; the form makes a [Record] of
// what the scan returned, with its problems. When a value is not valid, recovery
// finds where to resume. Forms in which records are embedded in something else
// are read by package embedded, which plugs in as an [Embedding]. A caller that
// recognizes records by their bytes (package recognise) peeks at a [Window].
//
// The package knows JSON, Python literals, and server-sent events. It knows
// nothing of any protocol.
package source
