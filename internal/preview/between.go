package preview

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"
)

// Located is a change with its place in the text before.
type Located struct {
	Line, Column int // from 1
	Offset       int // in the text after
	Change
}

// contextBytes is how much of a line is kept on each side of a change.
const contextBytes = 400

// joined is how many equal bytes are between two changes of one line at most that are
// shown as one.
const joined = 24

// Between returns the changes that make one text another one. A change of lines is
// one of the words in them, where lines correspond: a conversation may be one line.
func Between(before, after []byte) []Located {
	var all []Located
	old, now := lines(before), lines(after)
	for _, h := range hunks(old, now) {
		if count := h.oldTo - h.oldFrom; count == h.newTo-h.newFrom { // each line became another one
			for i := range count {
				all = append(all, inLines(before, after, old.span(h.oldFrom+i, h.oldFrom+i+1), now.span(h.newFrom+i, h.newFrom+i+1))...)
			}
			continue
		}
		all = append(all, inLines(before, after, old.span(h.oldFrom, h.oldTo), now.span(h.newFrom, h.newTo))...)
	}
	line, column, at := 1, 1, 0
	for i := range all {
		text := before[at:all[i].Column] // until now an offset
		at = all[i].Column
		if n := bytes.Count(text, []byte("\n")); n > 0 {
			line += n
			column = 1
			text = text[bytes.LastIndexByte(text, '\n')+1:]
		}
		column += utf8.RuneCount(text)
		all[i].Line, all[i].Column = line, column
	}
	return all
}

// span is a part of a text, in bytes.
type span struct{ from, to int }

// inLines returns the changes of some lines, with offsets instead of columns.
func inLines(before, after []byte, old, now span) []Located {
	oldWords, newWords := words(before[old.from:old.to]), words(after[now.from:now.to])
	var parts []hunkBytes
	for _, h := range hunks(oldWords, newWords) {
		a, b := oldWords.span(h.oldFrom, h.oldTo), newWords.span(h.newFrom, h.newTo)
		next := hunkBytes{span{old.from + a.from, old.from + a.to}, span{now.from + b.from, now.from + b.to}}
		if n := len(parts); n > 0 && next.old.from-parts[n-1].old.to <= joined && bytes.IndexByte(before[parts[n-1].old.to:next.old.from], '\n') < 0 {
			parts[n-1].old.to, parts[n-1].now.to = next.old.to, next.now.to
			continue
		}
		parts = append(parts, next)
	}
	var all []Located
	for _, p := range parts {
		gone, come := before[p.old.from:p.old.to], after[p.now.from:p.now.to]
		if bytes.IndexByte(gone, '\n') < 0 && bytes.IndexByte(come, '\n') < 0 {
			all = append(all, Located{Column: p.old.from, Offset: p.now.from, Change: Change{excerptOf(before, p.old), excerptOf(after, p.now)}})
			continue
		}
		for line := range strings.Lines(string(wholeLines(before, p.old))) {
			all = append(all, Located{Column: p.old.from, Offset: p.now.from, Change: Change{Before: whole(line)}})
		}
		for line := range strings.Lines(string(wholeLines(after, p.now))) {
			all = append(all, Located{Column: p.old.from, Offset: p.now.from, Change: Change{After: whole(line)}})
		}
	}
	return all
}

// wholeLines returns the lines that a span is in, none for an empty one between two
// lines.
func wholeLines(text []byte, s span) []byte {
	from := bytes.LastIndexByte(text[:s.from], '\n') + 1
	to := s.to
	if to > from && text[to-1] != '\n' {
		if i := bytes.IndexByte(text[to:], '\n'); i >= 0 {
			to += i + 1
		} else {
			to = len(text)
		}
	}
	return text[from:to]
}

// hunkBytes is what changes, and to what.
type hunkBytes struct{ old, now span }

// whole is a line that changes as a whole. One without text is not shown.
func whole(line string) Excerpt {
	line = strings.TrimRight(line, "\r\n")
	cut := len(line) > 2*contextBytes
	if cut {
		line = strings.ToValidUTF8(line[:2*contextBytes], "")
	}
	return Excerpt{Text: line, To: len(line), CutRight: cut}
}

// excerptOf returns the part of a line around a span.
func excerptOf(text []byte, s span) Excerpt {
	from, to := max(0, s.from-contextBytes), min(len(text), s.to+contextBytes)
	if i := bytes.LastIndexByte(text[from:s.from], '\n'); i >= 0 {
		from += i + 1
	}
	if i := bytes.IndexByte(text[s.to:to], '\n'); i >= 0 {
		to = s.to + i
	}
	for from < s.from && !utf8.RuneStart(text[from]) {
		from++
	}
	for to > s.to && to < len(text) && !utf8.RuneStart(text[to]) {
		to--
	}
	line := strings.TrimSuffix(string(text[from:to]), "\r")
	return Excerpt{
		line, s.from - from, min(s.to-from, len(line)),
		from > 0 && text[from-1] != '\n', to < len(text) && text[to] != '\n',
	}
}

// pieces is a text in pieces: lines, or words.
type pieces struct {
	text  []byte
	start []int // of each, and the end
}

func (p pieces) count() int { return len(p.start) - 1 }

// span returns the part of the text of some pieces.
func (p pieces) span(from, to int) span { return span{p.start[from], p.start[to]} }

// quoted returns a line for each piece.
func (p pieces) quoted() []byte {
	var b []byte
	for i := range p.count() {
		b = append(strconv.AppendQuote(b, string(p.text[p.start[i]:p.start[i+1]])), '\n')
	}
	return b
}

func lines(text []byte) pieces {
	p := pieces{text, []int{0}}
	for at := 0; at < len(text); {
		n := bytes.IndexByte(text[at:], '\n') + 1
		if n == 0 {
			n = len(text) - at
		}
		at += n
		p.start = append(p.start, at)
	}
	return p
}

// words splits a text into strings in quotes, other words, space and single
// characters.
func words(text []byte) pieces {
	p := pieces{text, []int{0}}
	for at := 0; at < len(text); {
		at += wordLength(text[at:])
		p.start = append(p.start, at)
	}
	return p
}

func wordLength(text []byte) int {
	class := func(c byte) int {
		switch {
		case c == ' ' || c == '\t' || c == '\r':
			return 1
		case c == '_' || c == '-' || c == '+' || c == '.' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= utf8.RuneSelf:
			return 2
		}
		return 0
	}
	if text[0] == '"' {
		for i := 1; i < len(text) && text[i] != '\n'; i++ {
			switch text[i] {
			case '\\':
				i++
			case '"':
				return i + 1
			}
		}
		return 1
	}
	kind := class(text[0])
	n := 1
	for kind > 0 && n < len(text) && class(text[n]) == kind {
		n++
	}
	return n
}

// hunk is pieces of one text that are other pieces in another one.
type hunk struct{ oldFrom, oldTo, newFrom, newTo int }

// hunks returns where two texts differ.
func hunks(before, after pieces) []hunk {
	var all []hunk
	old, now := 0, 0 // pieces before the current line of the patch
	open := false    // the last line was a change
	for line := range bytes.Lines(diff.Diff("a", before.quoted(), "b", after.quoted())) {
		switch {
		case bytes.HasPrefix(line, []byte("@@ ")):
			fields := strings.Fields(string(line))
			old, now, open = firstLine(fields[1]), firstLine(fields[2]), false
			continue
		case line[0] == ' ':
			old, now, open = old+1, now+1, false
			continue
		case line[0] != '-' && line[0] != '+', bytes.HasPrefix(line, []byte("--- a\n")), bytes.HasPrefix(line, []byte("+++ b\n")):
			continue
		}
		if !open {
			all = append(all, hunk{old, old, now, now})
			open = true
		}
		if line[0] == '-' {
			old++
		} else {
			now++
		}
		last := &all[len(all)-1]
		last.oldTo, last.newTo = old, now
	}
	return all
}

// firstLine returns how many lines are before a range as in "-3,7". An empty range
// names the line before it.
func firstLine(text string) int {
	first, count, given := strings.Cut(text[1:], ",")
	n, _ := strconv.Atoi(first)
	if given && count == "0" {
		return n
	}
	return n - 1
}
