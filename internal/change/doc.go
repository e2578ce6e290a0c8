// Package change writes records anew: package apply applies the fixes of findings to
// the text of an input, convert writes the records of an input in another form, as
// messages or as chunks, reduce leaves out what a finding does not need, and redact
// replaces content. They find no mistakes themselves; what they need to know of one they
// ask the linter. They know no rule, report or command line.
package change
