package source

import "strconv"

// maxShown is how much of a text of the data a message shows, in code points.
const maxShown = 40

// Quoted shows a text of the data in a message: in double quotes, with what is
// not printable escaped, and cut after 40 code points.
func Quoted(text string) string {
	if len(text) <= maxShown && isPlainASCII(text) {
		return `"` + text + `"`
	}
	return strconv.Quote(Truncate(text))
}

// isPlainASCII reports whether text is what stands between its quotes.
func isPlainASCII(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// Shortened cuts a text after 40 code points, and says so with an ellipsis.
func Truncate(text string) string {
	count := 0
	for i := range text {
		if count == maxShown {
			return text[:i] + "…"
		}
		count++
	}
	return text
}
