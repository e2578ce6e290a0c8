package lmc

import "github.com/lmclint/lmclint/internal/source"

// SpoilFreeSlots overwrites the slots for blocks that nothing should
// reference any more, so that a test finds what still does.
func (t *Tracker) SpoilFreeSlots() {
	for i := range t.blocks {
		if b := &t.blocks[i].block; b != t.open && b != t.empty && !t.referencesBlock(b) {
			*b = Block{signature: signature{Role: "spoiled", Type: "code"}, Number: -1, codeNumber: -1}
			t.blocks[i].start, t.blocks[i].final = source.PlaceRef{}, source.PlaceRef{}
		}
	}
}

// Kinds are the blocks of the tests. Streams are written as words: m is an assistant's message, c an assistant's
// shell code, p its Python, o the computer's console, i its image, w its HTML,
// u a user's message, a an assistant's audio, e its edit, r its review, d its Markdown, x a message without a role; then + is the start, - the end and . content, or several
// of them; a comma is content null. g is an edit of another file. ? confirms "x", ?y "y" in Python, ?e an edit,
// ?+ is a flag of a confirmation, k an acknowledgement, 5 output that is a number, 1 is active_line 1, n is "nul", 0 is active_line null, f. is a refusal of the code, fe of the edit, s a
// status of the server, # a record that cannot be read, and B a binary frame.
var Kinds = map[byte]string{
	'm': `"role": "assistant", "type": "message"`,
	'c': `"role": "assistant", "type": "code", "format": "shell"`,
	'p': `"role": "assistant", "type": "code", "format": "python"`,
	'o': `"role": "computer", "type": "console"`,
	'i': `"role": "computer", "type": "image", "format": "path"`,
	'w': `"role": "computer", "type": "code", "format": "html"`,
	'u': `"role": "user", "type": "message"`,
	'a': `"role": "assistant", "type": "audio", "format": "bytes.wav"`,
	'e': `"role": "assistant", "type": "edit", "format": "sed", "target": "a.txt"`,
	'g': `"role": "assistant", "type": "edit", "format": "sed", "target": "b.txt"`,
	'r': `"role": "assistant", "type": "review", "format": "safe"`,
	'd': `"role": "assistant", "type": "code", "format": "markdown"`,
	'x': `"type": "message"`,
}

// Word returns the record that a word denotes.
func Word(word string) string {
	switch word {
	case "?":
		return `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "x"}}`
	case "?y":
		return `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "y"}}`
	case "?e":
		return `{"role": "computer", "type": "confirmation", "format": "edit", "content": {"format": "sed", "content": "x", "target": "a.txt"}}`
	case "?+":
		return `{"role": "computer", "type": "confirmation", "format": "execution", "start": true}`
	case "k":
		return `{"ack": "x"}`
	case "n":
		return `{"role": "computer", "type": "console", "format": "active_line", "content": "nul"}`
	case "fe":
		return "{\"role\": \"computer\", \"type\": \"console\", \"format\": \"output\", \"content\": \"`sed` disabled or not supported.\"}"
	case "5":
		return `{"role": "computer", "type": "console", "format": "output", "content": 5}`
	case "1":
		return `{"role": "computer", "type": "console", "format": "active_line", "content": 1}`
	case "0":
		return `{"role": "computer", "type": "console", "format": "active_line", "content": null}`
	case "o.":
		return `{"role": "computer", "type": "console", "format": "output", "content": "x"}`
	case "f.":
		return "{\"role\": \"computer\", \"type\": \"console\", \"format\": \"output\", \"content\": \"`shell` disabled or not supported.\"}"
	case "s":
		return `{"role": "server", "type": "status", "content": "complete"}`
	case "#":
		return `{x}`
	case "B":
		return `{}`
	}
	record := "{" + Kinds[word[0]]
	for _, part := range word[1:] {
		record += ", " + map[rune]string{'+': `"start": true`, '-': `"end": true`, '.': `"content": "x"`, ',': `"content": null`}[part]
	}
	return record + "}"
}
