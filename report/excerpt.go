package report

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"github.com/lmclint/lmclint/internal/source"
)

const (
	minExcerpt = 20     // columns to which a source line is cropped at least
	tab        = "    " // replaces a tab: a tab stop would depend on the gutter
	cutMark    = "…"
)

// excerptLine is a source line as shown: one or more parts of it, with a cut
// mark where text is missing.
type excerptLine struct {
	parts  []source.Excerpt // by column, neither overlapping nor adjacent
	starts []int            // where each part starts in text, in bytes
	text   []byte
}

// set makes the line from the excerpts around its places. The columns are those
// of the places. A line that takes more than room columns of a terminal is
// cropped to a window around each column; room 0 means no limit.
func (l *excerptLine) set(excerpts []source.Excerpt, at []int, room int) {
	l.parts = l.parts[:0]
	for _, e := range excerpts {
		e.Text = strings.TrimRight(e.Text, "\r\n")
		l.parts = append(l.parts, withIndent(e))
	}
	l.parts = joinExcerpts(l.parts)
	if room > 0 && excerptColumns(l.parts) > room {
		l.crop(at, room)
	}
	l.render()
}

// maxIndent is how many columns of other text before a record are shown as an
// indent, as most of it is.
const maxIndent = 8

// withIndent shows that a line has text before the excerpt, which the excerpt of
// a record does not contain.
func withIndent(e source.Excerpt) source.Excerpt {
	switch indent := e.Column - 1; {
	case e.CutLeft || indent <= 0:
	case indent <= maxIndent:
		e.Text, e.Column = strings.Repeat(" ", indent)+e.Text, 1
	default:
		e.CutLeft = true
	}
	return e
}

// crop crops the parts to windows around columns, which share the room.
func (l *excerptLine) crop(at []int, room int) {
	at = slices.Compact(slices.Sorted(slices.Values(at)))
	share := max(room/len(at), minExcerpt)
	whole := slices.Clone(l.parts)
	l.parts = l.parts[:0]
	for _, column := range at {
		l.parts = append(l.parts, cropExcerpt(whole[partAt(whole, column)], column, share))
	}
	l.parts = joinExcerpts(l.parts)
}

func (l *excerptLine) render() {
	b := l.text[:0]
	l.starts = l.starts[:0]
	for i, part := range l.parts {
		if part.CutLeft || i > 0 {
			b = append(b, cutMark...)
		}
		l.starts = append(l.starts, len(b))
		b = appendSource(b, part.Text)
	}
	if last := len(l.parts) - 1; last >= 0 && l.parts[last].CutRight {
		b = append(b, cutMark...)
	}
	l.text = b
}

// columnsOf returns the columns of a terminal that the code points from a column
// up to another one take, the second one excluded. Both are in the line, or the
// nearest ones that are shown. There is at least one column.
func (l *excerptLine) columnsOf(from, to int) (left, right int) {
	start := l.byteOf(from, from)
	end := max(start, l.byteOf(to, to-1))
	left = columns(l.text[:start])
	return left, left + max(1, columns(l.text[start:end]))
}

// byteOf returns at which byte of text the code point of a column starts. The
// column is clamped to the last part that begins at another column or before.
func (l *excerptLine) byteOf(column, in int) int {
	i := partAt(l.parts, in)
	return l.starts[i] + sourceBytes(l.parts[i].Text, column-l.parts[i].Column)
}

// end returns the column after the last one that is shown.
func (l *excerptLine) end() int {
	last := &l.parts[len(l.parts)-1]
	return last.Column + utf8.RuneCountInString(last.Text)
}

// partAt returns the index of the last part that begins at a column or before,
// or of the first one.
func partAt(parts []source.Excerpt, column int) int {
	i := 0
	for i+1 < len(parts) && parts[i+1].Column <= column {
		i++
	}
	return i
}

// joinExcerpts sorts excerpts of one line, and joins those that overlap or
// touch.
func joinExcerpts(excerpts []source.Excerpt) []source.Excerpt {
	if len(excerpts) < 2 {
		return excerpts
	}
	slices.SortStableFunc(excerpts, func(a, b source.Excerpt) int { return a.Column - b.Column })
	joined := excerpts[:1]
	for _, next := range excerpts[1:] {
		last := &joined[len(joined)-1]
		end := last.Column + utf8.RuneCountInString(last.Text)
		switch count := utf8.RuneCountInString(next.Text); {
		case next.Column > end:
			joined = append(joined, next)
		case next.Column+count > end:
			rest, _ := skipRunes(next.Text, end-next.Column)
			last.Text += rest
			last.CutRight = next.CutRight
		}
	}
	return joined
}

// excerptColumns returns how many columns a line of these parts takes.
func excerptColumns(parts []source.Excerpt) int {
	total := 0
	for i, part := range parts {
		if part.CutLeft || i > 0 {
			total++
		}
		total += columns(appendSource(nil, part.Text))
	}
	if last := len(parts) - 1; last >= 0 && parts[last].CutRight {
		total++
	}
	return total
}

// cropExcerpt crops an excerpt to a window around a column, from 1, that takes
// at most room columns of a terminal, cut marks included. A third of the window
// is to the left of the column, or more if the line ends early.
func cropExcerpt(e source.Excerpt, column, room int) source.Excerpt {
	runes := []rune(e.Text)
	focus := min(max(0, column-e.Column), len(runes))
	room -= 2 * columns(cutMark)
	from, taken := growLeft(runes, focus, room/3)
	to := focus
	for to < len(runes) && taken+runeColumns(runes[to]) <= room {
		taken += runeColumns(runes[to])
		to++
	}
	from, _ = growLeft(runes, from, room-taken)
	for from < focus && isJoined(runes, from) {
		from++
	}
	return source.Excerpt{
		Text:     string(runes[from:to]),
		Column:   e.Column + from,
		CutLeft:  e.CutLeft || from > 0,
		CutRight: e.CutRight || to < len(runes),
	}
}

// isJoined reports whether a character is shown together with the one before it,
// as a combining mark or a part of an emoji.
func isJoined(runes []rune, i int) bool {
	const joiner = '\u200d'
	if i == 0 {
		return false
	}
	return runes[i] == joiner || runes[i-1] == joiner || unicode.In(runes[i], unicode.Mn, unicode.Me)
}

// growLeft moves an index left while the characters fit in room columns. It
// returns the new index and the columns taken.
func growLeft(runes []rune, index, room int) (from, taken int) {
	for index > 0 && taken+runeColumns(runes[index-1]) <= room {
		index--
		taken += runeColumns(runes[index])
	}
	return index, taken
}

// appendSource appends text of a source line as shown.
func appendSource(b []byte, text string) []byte {
	return appendVisible(b, strings.ReplaceAll(text, "\t", tab))
}

// sourceBytes returns how many bytes the first n code points of a text take as
// shown, or all of them.
func sourceBytes(text string, n int) int {
	if n <= 0 {
		return 0
	}
	if printable := countPrintable(text); n <= printable || printable == len(text) {
		return min(n, printable)
	}
	rest, _ := skipRunes(text, n)
	return len(appendSource(nil, text[:len(text)-len(rest)]))
}

// skipRunes returns the text after the first n code points. It reports false if
// there are fewer.
func skipRunes(text string, n int) (string, bool) {
	for ; n > 0; n-- {
		_, size := utf8.DecodeRuneInString(text)
		if size == 0 {
			return "", false
		}
		text = text[size:]
	}
	return text, true
}

// runeColumns returns how many columns a character takes as shown.
func runeColumns(r rune) int { return columns(appendSource(nil, string(r))) }

// columns returns how many columns of a terminal a text takes. It does not
// depend on the locale, so that a report is the same everywhere.
func columns[text string | []byte](s text) int {
	if countPrintable(s) == len(s) {
		return len(s)
	}
	return (&runewidth.Condition{StrictEmojiNeutral: true}).StringWidth(string(s))
}
