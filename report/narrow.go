package report

import "github.com/lmclint/lmclint/internal/source"

// narrowest is the least room in which a source line is worth showing.
const narrowest = 20

// narrow cuts an excerpt to a window round a column that takes at most room
// columns of a terminal, the cut marks included. A third of the window
// lies to the left of the column, or more where the line ends early.
func cropExcerpt(e source.Excerpt, column, room int) source.Excerpt {
	if columns(shownAs(e.Text))+2 <= room {
		return e
	}
	runes := []rune(e.Text)
	focus := min(max(0, column-e.Column), len(runes))
	room -= 2 * columns([]byte(cutMark))
	from, taken := growLeft(runes, focus, room/3)
	to := focus
	for to < len(runes) && taken+cost(runes[to]) <= room {
		taken += cost(runes[to])
		to++
	}
	from, _ = growLeft(runes, from, room-taken)
	return source.Excerpt{
		Text:     string(runes[from:to]),
		Column:   e.Column + from,
		CutLeft:  e.CutLeft || from > 0,
		CutRight: e.CutRight || to < len(runes),
	}
}

// growLeft takes characters to the left of an index while there is room for
// them. It returns the new index and the columns taken.
func growLeft(runes []rune, index, room int) (from, taken int) {
	for index > 0 && taken+cost(runes[index-1]) <= room {
		index--
		taken += cost(runes[index])
	}
	return index, taken
}

// cost returns how many columns a character takes when it is shown.
func cost(r rune) int { return columns(appendSource(nil, r)) }

func shownAs(text string) []byte {
	b := make([]byte, 0, len(text))
	for _, r := range text {
		b = appendSource(b, r)
	}
	return b
}
