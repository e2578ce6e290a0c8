package sample

import (
	"unicode"
	"unicode/utf8"
)

// tokens cuts a text as a model streams it: words with the white space before
// them, long ones in two, punctuation by itself. Joined they give the text.
func tokens(s string) []string {
	list := make([]string, 0, len(s)/4+1)
	for len(s) > 0 {
		n := tokenLen(s)
		list = append(list, s[:n])
		s = s[n:]
	}
	return list
}

// tokenLen is the length of the first token in bytes, at least one character's.
func tokenLen(s string) int {
	n, letters := 0, 0
	for n < len(s) {
		c, size := utf8.DecodeRuneInString(s[n:])
		switch {
		case unicode.IsSpace(c) && letters == 0:
		case isWord(c) && letters < longest(c):
			letters++
		case letters == 0:
			return n + size
		default:
			return n
		}
		n += size
	}
	return n
}

func isWord(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }

// longest is how many characters of a script a token has at most.
func longest(c rune) int {
	switch {
	case c < 0x80:
		return 11
	case c < 0x3000:
		return 5
	}
	return 2
}
