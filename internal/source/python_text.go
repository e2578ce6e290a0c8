package source

import (
	"bytes"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// stringPrefixes are the letters that may stand before a string's quote, of
// which there are at most two.
const (
	stringPrefixes = "uUrRbBfF"
	maxPrefix      = 2
)

// prefixSize returns how many letters stand before the quote of the string
// that text begins with, or -1 if it begins with none.
func prefixSize(text []byte) int {
	for i, c := range text[:min(len(text), maxPrefix+1)] {
		switch {
		case c == '\'' || c == '"':
			return i
		case bytes.IndexByte([]byte(stringPrefixes), c) < 0:
			return -1
		}
	}
	return -1
}

// isRaw reports whether a string has the prefix that makes its backslashes
// plain.
func isRaw(literal []byte) bool { return literal[0]|0x20 == 'r' }

// pythonText reads a string with its prefix and its quotes. Escaped says that
// its text is not simply what stands between two quotes.
func (s *scanner) pythonText(escaped *bool) bool {
	start, prefix := s.pos, prefixSize(s.data[s.pos:])
	if prefix > 0 && !s.goodPrefix(prefix) {
		return false
	}
	*escaped = prefix > 0
	closing, plain, lone := s.data[start+prefix], isRaw(s.data[start:]), false
	for s.pos += prefix + 1; ; {
		s.pos += countPlain(s.data[s.pos:], closing)
		if s.pos == len(s.data) {
			s.token = start
			return s.cutOff()
		}
		switch c := s.data[s.pos]; {
		case c == closing:
			s.token = start
			s.pos++
			return true
		case c != '\\':
			s.token = start
			return s.controlInLiteral(closing)
		}
		*escaped = true
		s.token = start
		if !s.pythonEscape(plain, &lone) {
			return false
		}
	}
}

// goodPrefix reports whether the string that comes next is text.
func (s *scanner) goodPrefix(size int) bool {
	end := s.pos + size + 1
	switch string(bytes.ToLower(s.data[s.pos : s.pos+size])) {
	case "u", "r":
		return true
	case "b", "br", "rb":
		return s.failAt(s.pos, end, "found bytes ("+s.quote(s.pos, end)+"…), expected text")
	}
	return s.failAt(s.pos, end, "found "+s.quote(s.pos, end)+", expected a plain string")
}

// countPlain counts the bytes that text begins with and that mean nothing in a
// string with that quote.
func countPlain(text []byte, closing byte) int {
	for i, c := range text {
		if c == closing || c == '\\' || c == '\n' || c == '\r' || c == 0 {
			return i
		}
	}
	return len(text)
}

// pythonEscape moves over a backslash and what belongs to it. Plain says that
// it escapes nothing but the string's end; lone, that the string has been
// found to hold a lone surrogate.
func (s *scanner) pythonEscape(plain bool, lone *bool) bool {
	rest := s.data[s.pos:]
	switch {
	case len(rest) < 2:
		return s.cutOff()
	case rest[1] == '\'' || rest[1] == '"' || rest[1] == '\\':
		s.pos += 2
		return true
	case plain:
		s.pos++
		return true
	case rest[1] == 'N':
		return s.failAt(s.pos, s.pos+2, "found "+s.quote(s.pos, s.pos+2)+", a character by its name, which is not read here")
	}
	if want := hexDigits(rest[1]); want > 0 {
		return s.pythonUnit(rest, want, lone)
	}
	_, size := decodePython(rest)
	s.pos += size
	return true
}

// pythonUnit moves over an escape with so many hexadecimal digits.
func (s *scanner) pythonUnit(rest []byte, want int, lone *bool) bool {
	digits := countHex(rest[2:min(2+want, len(rest))])
	switch {
	case digits == len(rest)-2 && digits < want:
		return s.cutOff()
	case digits < want:
		return s.badPythonHex(digits, want)
	}
	r := hexValue(rest[2 : 2+want])
	end := s.pos + 2 + want
	switch {
	case r > utf8.MaxRune:
		return s.failAt(s.pos, end, "found "+s.quote(s.pos, end)+", which is beyond the last character, U+10FFFF")
	case utf16.IsSurrogate(rune(r)) && !*lone:
		*lone = true
		f := loneSurrogate(s.pos, rest[:2+want])
		f.detail = "found " + s.quote(s.pos, end) + ", half of a surrogate pair, which Python does not join"
		s.faults = append(s.faults, f)
	}
	s.pos = end
	return true
}

func (s *scanner) badPythonHex(digits, want int) bool {
	_, size := utf8.DecodeRune(s.data[s.pos+2+digits:])
	end := s.pos + 2 + digits + size
	return s.failAt(s.pos, end, fmt.Sprintf("found %s, expected %d hexadecimal digits after `%s`",
		s.quote(s.pos, end), want, s.data[s.pos:s.pos+2]))
}

// controlInLiteral stops the scan at a byte that cannot stand in a string.
func (s *scanner) controlInLiteral(closing byte) bool {
	if s.data[s.pos] == 0 {
		return s.failAt(s.pos, s.pos+1, "found the character U+0000 inside a string, expected it as `\\x00`")
	}
	return s.failAt(s.pos, s.pos, "found a line break inside a string, expected `"+string(closing)+"` or `\\n`")
}
