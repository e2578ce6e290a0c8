package rules

// Pieces of examples that several rules share: a code block, its confirmation
// and its execution, as Open Interpreter streams them.
const (
	shellCode = `{"role": "assistant", "type": "code", "format": "shell", "start": true}
{"role": "assistant", "type": "code", "format": "shell", "content": "ls"}
{"role": "assistant", "type": "code", "format": "shell", "end": true}
`
	confirmed = `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "ls"}}
`
	executed = `{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "active_line", "content": 1}
{"role": "computer", "type": "console", "format": "active_line", "content": null}
{"role": "computer", "type": "console", "end": true}
`
)
