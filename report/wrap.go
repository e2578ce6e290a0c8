package report

import "strings"

// wrap breaks text at spaces into lines of at most room columns. A longer word
// has a line of its own: nothing is broken within a word. Room 0 means no limit.
//
// No line but the first starts with "::", which GitHub would take for a
// workflow command.
func wrap(text string, room int) []string { return wrapAfter(text, room, room) }

// wrapAfter is wrap with a different room for the first line.
func wrapAfter(text string, first, others int) []string {
	if first <= 0 || columns(text) <= first {
		return []string{text}
	}
	room := first
	var lines []string
	line, taken := "", 0
	for i, word := range strings.Split(text, " ") {
		width := columns(word)
		switch {
		case i == 0:
			line, taken = word, width
		case taken+1+width > room && strings.TrimSpace(line) != "" && !strings.HasPrefix(word, "::"):
			lines = append(lines, line)
			line, taken, room = word, width, others
		default:
			line, taken = line+" "+word, taken+1+width
		}
	}
	return append(lines, line)
}
