// Package example contains pieces of examples that rules of several families share.
package example

import "strings"

// Pieces of examples that several rules share: a code block, its confirmation
// and its execution, as Open Interpreter streams them. Running is the beginning of that
// up to the start of the execution, and Ran its end.
const (
	ShellCode = `{"role": "assistant", "type": "code", "format": "shell", "start": true}
{"role": "assistant", "type": "code", "format": "shell", "content": "ls"}
{"role": "assistant", "type": "code", "format": "shell", "end": true}
`
	Confirmed = `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "ls"}}
`
	Running = ShellCode + Confirmed + `{"role": "computer", "type": "console", "start": true}
`
	Ran = `{"role": "computer", "type": "console", "format": "active_line", "content": null}
{"role": "computer", "type": "console", "end": true}
`
	Listed = Running + `{"role": "computer", "type": "console", "format": "output", "content": "README\n"}
` + Ran
	Executed = `{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "active_line", "content": 1}
` + Ran
	Turn = Running + `{"role": "computer", "type": "console", "format": "output", "content": "a.txt\n"}
` + Ran + `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "One"}
{"role": "assistant", "type": "message", "content": " file."}
{"role": "assistant", "type": "message", "end": true}
`
	Conversation = `[{"role": "user", "type": "message", "content": "List the files"},
{"role": "assistant", "type": "code", "format": "shell", "content": "ls"},
{"role": "computer", "type": "console", "format": "output", "content": "a.txt\n"},
{"role": "assistant", "type": "message", "content": "One file."}]
`
)

// Altered returns an example with the first occurrence of a text replaced by another.
func Altered(input, old, with string) string { return strings.Replace(input, old, with, 1) }
