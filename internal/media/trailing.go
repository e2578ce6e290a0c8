package media

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

const (
	window  = 64 // characters behind an image that are looked at, to say what they are
	maxOpen = 3  // characters before that, of the group at hand
)

// explain completes a fault: text is what stands around it, and at where in
// text it stands.
func (s *Scanner) explain(text string, at int) {
	f := &s.fault
	if f.Kind != Foreign && f.Kind != Trailing {
		return
	}
	_, size := utf8.DecodeRuneInString(text[at:])
	f.End = f.At + size
	if f.Kind == Trailing {
		f.Next, f.Padded = s.next(text, at), s.closed
		f.Text = f.Next == Unknown && (s.white >= 0 || !isBase64(text[at:]))
	}
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
