package picture

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// window is how many characters behind an image are looked at, to say what
// they are.
const window = 64

// trailing notes that the text goes on behind the end of the image.
func (s *Scanner) trailing(text string, at int) {
	_, size := utf8.DecodeRuneInString(text[at:])
	rest := text[at:min(len(text), at+window)]
	s.fault = Fault{
		Kind: Trailing, At: at, End: at + size,
		Next: s.next(text, at), Padded: s.closed,
	}
	s.fault.Text = s.fault.Next == Unknown && (s.white >= 0 || !isBase64(rest))
}

// next tells the kind of an image that begins at an offset: one whose base64
// was put behind this one's, or whose bytes were.
func (s *Scanner) next(text string, at int) Kind {
	if kind := Begins(text[at:]); kind != Unknown {
		return kind
	}
	if s.open == 0 || s.white >= 0 || at < s.open {
		return Unknown
	}
	return begins(text[at-s.open:], s.open-1)
}

// Begins tells the kind of the image that a base64 text begins with, if
// anything can be told.
func Begins(text string) Kind { return begins(text, 0) }

// begins passes over some decoded bytes first. A beginning of a signature is
// not enough here.
func begins(text string, pass int) Kind {
	var raw [24]byte
	end := 0
	for end < min(len(text), 2*headBytes) && strings.IndexByte(alphabet, text[end]) >= 0 {
		end++
	}
	n, err := base64.RawStdEncoding.Decode(raw[:], []byte(text[:end&^3]))
	if err != nil || n-pass < len(pngSignature) {
		return Unknown
	}
	return kindOf(raw[pass:n])
}

// isBase64 reports whether a text consists of base64 characters, but for
// white space at its end.
func isBase64(text string) bool {
	text = strings.TrimRight(text, " \t\r\n")
	return !strings.ContainsFunc(text, func(c rune) bool {
		return c != '=' && !strings.ContainsRune(alphabet, c)
	})
}
