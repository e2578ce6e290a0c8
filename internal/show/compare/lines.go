package compare

import (
	"bytes"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/lmclint/lmclint/internal/model/blocks"
)

// Line is a line of a text that differs.
type Line struct {
	Op   byte   // ' ' in both, '-' only in the first, '+' only in the second; '@' for lines that are omitted, '\\' for a note
	Text string // valid UTF-8, without the line end; cut to [MaxLineRunes] code points
}

// MaxLineRunes is how many code points of a line are shown, and runesBefore how many
// of them come before the first one that differs.
const (
	MaxLineRunes = 160
	runesBefore  = 40
)

// Lines returns the lines of the text of a changed block that differ, with a few
// around them, and of a block that one recording lacks its first lines. Omitted is
// how many lines there are beyond [MaxLines]. There are none if a text is not
// kept, is data of an image, or is the same.
func (d *Difference) Lines() (lines []Line, omitted int) {
	switch {
	case d.Change == Changed && d.Has(FieldContent) && hasLines(d.A) && hasLines(d.B):
		lines = changedLines(d.A.Text.Head, d.B.Text.Head)
	case d.Change == Removed && hasLines(d.A):
		lines = allLines('-', d.A.Text.Head)
	case d.Change == Added && hasLines(d.B):
		lines = allLines('+', d.B.Text.Head)
	}
	if len(lines) > MaxLines {
		omitted = len(lines) - MaxLines
		lines = lines[:MaxLines]
	}
	cutLines(lines)
	return lines, omitted
}

func hasLines(b *Block) bool {
	_, whole := b.Text.Whole()
	return whole && !b.IsImage() && b.Type != "audio"
}

// allLines returns the lines of a text.
func allLines(op byte, text []byte) (lines []Line) {
	for line := range bytes.Lines(text) {
		lines = append(lines, Line{op, string(bytes.TrimSuffix(line, []byte{'\n'}))})
	}
	return lines
}

// changedLines returns the lines that differ, with a few around them.
func changedLines(a, b []byte) (lines []Line) {
	if !bytes.HasSuffix(a, []byte{'\n'}) && !bytes.HasSuffix(b, []byte{'\n'}) {
		a, b = withLineEnd(a), withLineEnd(b) // a missing line end is not a difference
	}
	_, rest, _ := bytes.Cut(diff.Diff("a", a, "b", b), []byte("+++ b\n"))
	for line := range bytes.Lines(rest) {
		line = bytes.TrimSuffix(line, []byte{'\n'})
		if len(line) == 0 {
			continue
		}
		switch op := line[0]; op {
		case '@':
			if len(lines) > 0 {
				lines = append(lines, Line{op, ""})
			}
		case '\\':
			lines = append(lines, Line{op, "no line end"})
		default:
			lines = append(lines, Line{op, string(line[1:])})
		}
	}
	return lines
}

func withLineEnd(text []byte) []byte {
	if len(text) == 0 {
		return text
	}
	return append(text[:len(text):len(text)], '\n')
}

// cutLines cuts long lines. Of a line that replaces another one it keeps the part
// where the two begin to differ.
func cutLines(lines []Line) {
	differsAt := make([]int, len(lines)) // 0 for a line that replaces none
	for i := 0; i < len(lines); {
		removed := countOf(lines[i:], '-')
		added := countOf(lines[i+removed:], '+')
		for k := range min(removed, added) {
			from, _ := blocks.CommonRunes([]byte(lines[i+k].Text), []byte(lines[i+removed+k].Text))
			differsAt[i+k], differsAt[i+removed+k] = from, from
		}
		i += max(removed+added, 1)
	}
	for i := range lines {
		lines[i].Text = cutLine(lines[i].Text, differsAt[i])
	}
}

// countOf returns how many lines have an operation, up to the first with another.
func countOf(lines []Line, op byte) int {
	if n := slices.IndexFunc(lines, func(l Line) bool { return l.Op != op }); n >= 0 {
		return n
	}
	return len(lines)
}

// cutLine returns the part of a line around one of its code points.
func cutLine(line string, around int) string {
	line = strings.ToValidUTF8(line, "\uFFFD")
	runes := []rune(line)
	if len(runes) <= MaxLineRunes {
		return line
	}
	from := 0
	if around > MaxLineRunes-runesBefore {
		from = min(around-runesBefore, len(runes)-MaxLineRunes)
	}
	to := from + MaxLineRunes
	cut := string(runes[from:min(to, len(runes))])
	if from > 0 {
		cut = "…" + cut
	}
	if to < len(runes) {
		cut += "…"
	}
	return cut
}
