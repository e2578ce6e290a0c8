package source

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// excerptWidth is how many code points an excerpt has at most.
const ExcerptWidth = 160

// excerpt cuts the window around data[offset] from its line. Column is the
// column of offset.
func excerpt(data []byte, offset, column int) Excerpt {
	before, after := lineAround(data, offset)
	if len(before)+len(after) <= ExcerptWidth {
		line := data[offset-len(before) : offset+len(after)]
		return Excerpt{Text: validText(line), Column: column - runesBack(before, len(before))}
	}
	left := min(runesBack(before, ExcerptWidth), ExcerptWidth/2)
	right := runesAhead(after, ExcerptWidth-left)
	left = runesBack(before, ExcerptWidth-right)
	from := offset - bytesBack(before, left)
	to := offset + bytesAhead(after, right)
	return Excerpt{
		Text:     validText(data[from:to]),
		Column:   column - left,
		CutLeft:  from > offset-len(before),
		CutRight: to < offset+len(after),
	}
}

// lineAround returns the parts of a line before and behind an offset. They
// may be shorter than the line, but not shorter than an excerpt and a byte.
func lineAround(data []byte, offset int) (before, after []byte) {
	const enough = (ExcerptWidth + 1) * utf8.UTFMax
	before = data[max(0, offset-enough):offset]
	if i := bytes.LastIndexByte(before, '\n'); i >= 0 {
		before = before[i+1:]
	}
	after = data[offset:min(len(data), offset+enough)]
	if i := bytes.IndexByte(after, '\n'); i >= 0 {
		after = bytes.TrimSuffix(after[:i], []byte{'\r'})
	}
	return before, after
}

// runesBack counts the code points at the end of text, up to most.
func runesBack(text []byte, most int) (n int) {
	if last := text[max(0, len(text)-most):]; isASCII(last) {
		return len(last)
	}
	for ; n < most && len(text) > 0; n++ {
		_, size := utf8.DecodeLastRune(text)
		text = text[:len(text)-size]
	}
	return n
}

// runesAhead counts the code points at the start of text, up to most.
func runesAhead(text []byte, most int) (n int) {
	if first := text[:min(len(text), most)]; isASCII(first) {
		return len(first)
	}
	for ; n < most && len(text) > 0; n++ {
		_, size := utf8.DecodeRune(text)
		text = text[size:]
	}
	return n
}

// bytesBack returns how many bytes the last n code points of text have.
func bytesBack(text []byte, n int) (size int) {
	if isASCII(text[len(text)-n:]) {
		return n
	}
	for range n {
		_, last := utf8.DecodeLastRune(text[:len(text)-size])
		size += last
	}
	return size
}

// bytesAhead returns how many bytes the first n code points of text have.
func bytesAhead(text []byte, n int) (size int) {
	if isASCII(text[:n]) {
		return n
	}
	for range n {
		_, first := utf8.DecodeRune(text[size:])
		size += first
	}
	return size
}

// isASCII reports whether each byte is a code point.
func isASCII(text []byte) bool {
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// validText replaces each byte that is no UTF-8 with U+FFFD, so that columns
// stay what they are.
func validText(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	var valid strings.Builder
	for _, r := range string(text) {
		valid.WriteRune(r)
	}
	return valid.String()
}
