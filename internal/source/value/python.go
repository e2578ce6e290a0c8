package value

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// literal scans what Python writes differently from JSON: a string, True, False or
// None. Found reports whether there is such a value, and ok whether it is valid.
func (s *Scanner) literal(n *Node) (found, ok bool) {
	n.python = true
	switch c := s.data[s.pos]; {
	case isPythonQuote(c):
		n.Kind = String
		n.escaped, ok = s.pythonText()
		return true, ok && s.adjacentStrings(n)
	case IsLetter(c):
		return true, s.pythonWord(n)
	}
	return false, false
}

func isPythonQuote(c byte) bool { return c == '\'' || c == '"' }

// pythonWord reads True, False or None.
func (s *Scanner) pythonWord(n *Node) bool {
	start, end := s.pos, WordEnd(s.data, s.pos)
	switch word := string(s.data[start:end]); {
	case word == "True" || word == "False":
		n.Kind = Bool
	case word == "None":
		n.Kind = Null
	case end == len(s.data) && mayBecomePython(word):
		return s.truncated()
	default:
		return s.failAt(start, end, explainPythonWord(word, s.quote(start, end)))
	}
	s.token = start
	s.pos = end
	return true
}

// mayBecomePython reports whether a truncated word may be the start of a literal.
func mayBecomePython(word string) bool {
	return strings.HasPrefix("True", word) || strings.HasPrefix("False", word) || strings.HasPrefix("None", word)
}

// explainPythonWord returns the detail for a word that is not a Python literal.
func explainPythonWord(word, quoted string) string {
	switch word {
	case "true", "false":
		return "found " + quoted + ", Python writes `" + strings.ToUpper(word[:1]) + word[1:] + "`"
	case "null":
		return "found `null`, Python writes `None`"
	case "nan", "inf":
		return "found " + quoted + ": Python has no literal for such a number"
	}
	return "found " + quoted + ", expected a value; text needs quotes"
}

// pythonText scans a string with its quotes.
func (s *Scanner) pythonText() (escaped, ok bool) {
	start, lone := s.pos, false
	closing := s.data[start]
	for s.pos++; ; {
		s.pos += countPlain(s.data[s.pos:], closing)
		s.token = start
		if s.pos == len(s.data) {
			return escaped, s.truncated()
		}
		switch c := s.data[s.pos]; {
		case c == closing:
			s.pos++
			return escaped, true
		case c != '\\':
			return escaped, s.controlInLiteral(closing)
		}
		escaped = true
		if !s.pythonEscape(&lone) {
			return escaped, false
		}
	}
}

// countPlain returns how many bytes at the start of text have no special
// meaning in a Python string with the given closing quote.
func countPlain(text []byte, closing byte) int {
	for i, c := range text {
		if c == closing || c == '\\' || c == '\n' || c == '\r' || c == 0 {
			return i
		}
	}
	return len(text)
}

// pythonEscape scans a backslash and what belongs to it. Lone reports whether the
// string has a lone surrogate, which is reported once per string.
func (s *Scanner) pythonEscape(lone *bool) bool {
	rest := s.data[s.pos:]
	if len(rest) < 2 {
		return s.truncated()
	}
	if want := hexDigits(rest[1]); want > 0 {
		return s.pythonUnit(rest, want, lone)
	}
	_, size := DecodePython(rest)
	s.pos += size
	return true
}

// pythonUnit scans an escape with want hexadecimal digits. Rest starts with it.
func (s *Scanner) pythonUnit(rest []byte, want int, lone *bool) bool {
	digits := countHex(rest[2:min(2+want, len(rest))])
	switch {
	case digits == len(rest)-2 && digits < want:
		return s.truncated()
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
		f.Detail = "found " + s.quote(s.pos, end) + ", half of a surrogate pair, which Python does not join"
		s.faults = append(s.faults, f)
	}
	s.pos = end
	return true
}

func (s *Scanner) badPythonHex(digits, want int) bool {
	_, size := utf8.DecodeRune(s.data[s.pos+2+digits:])
	end := s.pos + 2 + digits + size
	return s.failAt(s.pos, end, fmt.Sprintf("found %s, expected %d hexadecimal digits after `%s`",
		s.quote(s.pos, end), want, s.data[s.pos:s.pos+2]))
}

// controlInLiteral stops the scan at a byte that cannot appear in a string.
func (s *Scanner) controlInLiteral(closing byte) bool {
	if s.data[s.pos] == 0 {
		return s.failAt(s.pos, s.pos+1, "found the character U+0000 inside a string, expected it as `\\x00`")
	}
	return s.failAt(s.pos, s.pos, "found a line break inside a string, expected `"+string(closing)+"` or `\\n`")
}

// adjacentStrings scans the strings on the lines after the one that was just
// scanned, and joins them to it. Python concatenates adjacent strings, and
// pprint splits long ones that way. It does not join a string on the same line,
// which nothing writes, nor the name of a member: in both cases a comma is
// missing.
func (s *Scanner) adjacentStrings(n *Node) bool {
	for {
		end, token := s.pos, s.token
		at := end + SpaceSize(s.data[end:])
		if at == len(s.data) || !isPythonQuote(s.data[at]) || bytes.IndexByte(s.data[end:at], '\n') < 0 {
			return true
		}
		s.pos = at
		faults := len(s.faults)
		if _, ok := s.pythonText(); !ok {
			return false
		}
		if after := s.pos + SpaceSize(s.data[s.pos:]); after < len(s.data) && s.data[after] == ':' {
			s.pos, s.token, s.faults = end, token, s.faults[:faults]
			return true
		}
		n.escaped, n.joined = true, true
	}
}

// appendJoined appends the text of adjacent strings.
func appendJoined(buf, literals []byte, exact bool) []byte {
	for len(literals) > 0 {
		size := literalSize(literals)
		buf = appendPython(buf, literals[:size], exact)
		literals = literals[size:]
		literals = literals[SpaceSize(literals):]
	}
	return buf
}

// literalSize returns the size of the valid string that text starts with.
func literalSize(text []byte) int {
	closing := text[0]
	for i := 1; ; {
		i += countPlain(text[i:], closing)
		switch text[i] {
		case closing:
			return i + 1
		case '\\':
			i++
		}
		i++
	}
}

// hexDigits returns the number of hexadecimal digits after `\x`, `\u` or `\U`,
// and 0 for other letters.
func hexDigits(letter byte) int {
	switch letter {
	case 'x':
		return 2
	case 'u':
		return 4
	case 'U':
		return 8
	}
	return 0
}

// hexValue returns the value of up to eight hexadecimal digits.
func hexValue(digits []byte) (v uint32) {
	for _, c := range digits {
		if IsDigit(c) {
			v = v<<4 | uint32(c-'0')
		} else {
			v = v<<4 | uint32(c|0x20-'a'+10)
		}
	}
	return v
}

// DecodePython decodes the Python escape that text starts with. A backslash that does
// not start one that repr writes, or one of JSON, is decoded as itself, as Python does
// with unknown ones. Size is in bytes.
func DecodePython(text []byte) (r rune, size int) {
	if len(text) < 2 {
		return '\\', 1
	}
	if digits := hexDigits(text[1]); digits > 0 && countHex(text[2:min(2+digits, len(text))]) == digits {
		return rune(hexValue(text[2 : 2+digits])), 2 + digits
	}
	switch c := text[1]; c {
	case '\'', '"', '\\':
		return rune(c), 2
	case 'b', 'f', 'n', 'r', 't':
		return DecodeEscape(text) // as in JSON
	}
	return '\\', 1
}

// appendPython appends the text of a string, which has its quotes. Exact is as in
// [AppendText].
func appendPython(buf, literal []byte, exact bool) []byte {
	return AppendText(buf, literal[1:len(literal)-1], exact, DecodePython)
}

// appendRune appends a code point. A surrogate becomes U+FFFD, or with exact
// the three bytes of its generalized UTF-8 encoding.
func appendRune(buf []byte, r rune, exact bool) []byte {
	if exact && utf16.IsSurrogate(r) {
		return append(buf, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
	}
	return utf8.AppendRune(buf, r)
}
