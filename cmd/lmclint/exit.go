package main

import "strconv"

// The exit statuses. Of several that apply, the highest holds. They do not
// depend on the report format.
const (
	exitClean       = 0   // checked, and nothing at or above --fail-on
	exitFindings    = 1   // findings at or above --fail-on
	exitTrouble     = 2   // the result cannot be trusted: usage, input, output or internal error
	exitInterrupted = 130 // stopped by SIGINT: what was known is reported
	exitTerminated  = 143 // stopped by SIGTERM: what was known is reported
)

// statusError ends a command with an exit status. What there was to say about
// it has been said.
type statusError int

func (s statusError) Error() string { return "exit status " + strconv.Itoa(int(s)) }
