package session

// Pieces of examples of sessions: logs of what a client sent and received.
const (
	greeted = `{"dir": "send", "frame": {"role": "user", "start": true}}
{"dir": "send", "frame": {"role": "user", "type": "message", "content": "Hi"}}
{"dir": "send", "frame": {"role": "user", "end": true}}
`
	replyBegun = `{"dir": "recv", "frame": {"role": "assistant", "type": "message", "start": true}}
{"dir": "recv", "frame": {"role": "assistant", "type": "message", "content": "Hello!"}}
`
	replied = replyBegun + `{"dir": "recv", "frame": {"role": "assistant", "type": "message", "end": true}}
`
	completed = `{"dir": "recv", "frame": {"role": "server", "type": "status", "content": "complete"}}
`
	proposed = `{"dir": "recv", "frame": {"role": "assistant", "type": "code", "format": "shell", "start": true}}
{"dir": "recv", "frame": {"role": "assistant", "type": "code", "format": "shell", "content": "ls"}}
{"dir": "recv", "frame": {"role": "assistant", "type": "code", "format": "shell", "end": true}}
`
	ran = `{"dir": "recv", "frame": {"role": "computer", "type": "console", "start": true}}
{"dir": "recv", "frame": {"role": "computer", "type": "console", "format": "active_line", "content": 1}}
{"dir": "recv", "frame": {"role": "computer", "type": "console", "format": "active_line", "content": null}}
{"dir": "recv", "frame": {"role": "computer", "type": "console", "end": true}}
`
	failed = `{"dir": "recv", "frame": {"role": "server", "type": "error", "content": "Traceback (most recent call last):\nRuntimeError: model is down"}}
`
	// greetedBack, lastReceipt and completedWithID are its answer, with acknowledgements.
	greetedBack = greeted + `{"dir": "recv", "frame": {"role": "assistant", "type": "message", "start": true, "id": "a1"}}
{"dir": "send", "frame": {"ack": "a1"}}
{"dir": "recv", "frame": {"role": "assistant", "type": "message", "content": "Hello!", "id": "a2"}}
{"dir": "send", "frame": {"ack": "a2"}}
{"dir": "recv", "frame": {"role": "assistant", "type": "message", "end": true, "id": "a3"}}
`
	lastReceipt = `{"dir": "send", "frame": {"ack": "a3"}}
`
	completedWithID = `{"dir": "recv", "frame": {"role": "server", "type": "status", "content": "complete", "id": "c1"}}
{"dir": "send", "frame": {"ack": "c1"}}
`
)

// commanded sends a command of the user.
func commanded(text string) string {
	return `{"dir": "send", "frame": {"role": "user", "type": "command", "start": true}}
{"dir": "send", "frame": {"role": "user", "type": "command", "content": "` + text + `"}}
{"dir": "send", "frame": {"role": "user", "type": "command", "end": true}}
`
}
