package source

import "strconv"

// maxShown is how much of a text of the data a message shows, in code points.
const maxShown = 40

// Quoted shows a text of the data in a message: in double quotes, with what is
// not printable escaped, and cut after 40 code points.
func Quoted(text string) string { return strconv.Quote(Shortened(text)) }

// Shortened cuts a text after 40 code points, and says so with an ellipsis.
func Shortened(text string) string {
	count := 0
	for i := range text {
		if count == maxShown {
			return text[:i] + "…"
		}
		count++
	}
	return text
}
