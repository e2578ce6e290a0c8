// Package source reads the records of an input with the positions of their values.
//
// An input is bytes: a transcript file, a recorded stream, a pipe, plain or
// compressed. Its name says how strictly it is read ([NamingOf]), and a [Reader]
// detects in which recorded form it is (see [Form]), splits it into records, and returns each as a [Record]: a JSON value of which
// every node knows its place. What cannot be read is a [Problem] at the offending
// byte, and reading resumes after it.
//
// One record on its way: package input keeps a window over the bytes; a form,
// such as sequence for JSON Lines, moves a [Cursor] over it; the cursor cuts a value
// from the window and has package value scan it; the form makes a [Record] of
// what the scan returned, with its problems. When a value is not valid, recovery
// finds where to resume. Records among other text are read by package text, which
// plugs in as [Options.Embedded]. A caller that
// recognizes records by their bytes (package recognise) peeks at a [Window].
//
// The package knows JSON, Python literals, and server-sent events. What an object
// is to a protocol, it asks a [Detector].
package source
