package shape

// Inputs that the examples of several rules share.
const (
	codeTranscript = `[{"role": "user", "type": "message", "content": "What's 34/24?"},
 {"role": "assistant", "type": "code", "format": "python", "content": "34 / 24"},
 {"role": "computer", "type": "console", "format": "output", "content": "1.4166666666666667"}]
`
	pythonCode = `{"role": "assistant", "type": "code", "format": "python", "start": true}
{"role": "assistant", "type": "code", "format": "python", "content": "34 / 24"}
{"role": "assistant", "type": "code", "format": "python", "end": true}
`
	helloStream = `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hello!"}
{"role": "assistant", "type": "message", "end": true}
`
)
