package mutationtest

import (
	"fmt"
	"strings"
)

// HealthyStream returns a stream of 45 chunks: answers in several chunks, and code that is
// confirmed and run.
func HealthyStream() string {
	var b strings.Builder
	add := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say := func(words ...string) {
		add(`{"role": "assistant", "type": "message", "start": true}`)
		for _, w := range words {
			add(`{"role": "assistant", "type": "message", "content": %q}`, w)
		}
		add(`{"role": "assistant", "type": "message", "end": true}`)
	}
	run := func(code, output string) {
		add(`{"role": "assistant", "type": "code", "format": "python", "start": true}`)
		add(`{"role": "assistant", "type": "code", "format": "python", "content": %q}`, code)
		add(`{"role": "assistant", "type": "code", "format": "python", "end": true}`)
		add(`{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": %q}}`, code)
		add(`{"role": "computer", "type": "console", "start": true}`)
		add(`{"role": "computer", "type": "console", "format": "active_line", "content": 1}`)
		add(`{"role": "computer", "type": "console", "format": "output", "content": %q}`, output)
		add(`{"role": "computer", "type": "console", "format": "active_line", "content": null}`)
		add(`{"role": "computer", "type": "console", "end": true}`)
	}
	say("I add", " the", " two", " numbers", " first.")
	run("print(17 + 4)", "21\n")
	say("That is", " twenty-one.", " Now", " its", " half.")
	run("print(21 / 2)", "10.5\n")
	say("Half", " of", " it", " is", " ten", " and", " a half.", " Done", ".", " Ask", " on.")
	return b.String()
}

// HealthyTranscript returns 15 messages, some of which ran code.
func HealthyTranscript() string {
	var b strings.Builder
	for i := range 3 {
		fmt.Fprintf(&b, `{"role": "user", "type": "message", "content": "What is %d + %d?"}
{"role": "assistant", "type": "message", "content": "I compute it."}
{"role": "assistant", "type": "code", "format": "python", "content": "print(%d + %d)"}
{"role": "computer", "type": "console", "format": "output", "content": "%d\n"}
{"role": "assistant", "type": "message", "content": "It is %d."}
`, i, i, i, i, 2*i, 2*i)
	}
	return b.String()
}
