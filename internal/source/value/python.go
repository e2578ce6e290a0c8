package value

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// literal scans what Python writes differently from JSON: a string, a tuple,
// True, False or None. Found reports whether there is such a value, and ok
// whether it is valid.
func (s *Scanner) literal(n *Node) (found, ok bool) {
	n.python = true
	switch c := s.data[s.pos]; {
	case PythonPrefixSize(s.data[s.pos:]) >= 0:
		n.Kind = String
		return true, s.pythonText(&n.escaped) && s.adjacentStrings(n)
	case c == '(':
		n.Kind = Array
		return true, s.enter() && s.tuple(n)
	case IsLetter(c):
		return true, s.pythonWord(n)
	}
	return false, false
}

// tuple scans a tuple after its opening parenthesis. One value in parentheses
// without a comma is not a tuple.
func (s *Scanner) tuple(n *Node) bool {
	base, start := len(s.stack), s.token
	values, commas := 0, 0
	for ; !s.at(')'); values++ {
		if !s.element("a value or `)`") {
			return false
		}
		if !s.at(')') {
			if !s.comma(')', "a comma or `)`") {
				return false
			}
			commas++
		}
	}
	if values == 1 && commas == 0 {
		return s.failAt(start, start+1, "found brackets around one value, expected the value alone or a comma after it")
	}
	return s.leave(n, base)
}

// pythonNameOf decodes a member name, which includes its quotes.
func (s *Scanner) pythonNameOf(raw []byte, escaped bool) string {
	if escaped {
		return string(appendPython(nil, raw, false))
	}
	return s.names.get(raw[1:len(raw)-1], false)
}

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

// mayBecomePython reports whether a truncated word may be the start of a
// literal or the prefix of a string.
func mayBecomePython(word string) bool {
	return strings.HasPrefix("True", word) || strings.HasPrefix("False", word) || strings.HasPrefix("None", word) ||
		len(word) <= maxPrefix && strings.Trim(word, stringPrefixes) == ""
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

// stringPrefixes are the letters of the prefixes of Python strings. A prefix has
// at most maxPrefix letters.
const (
	stringPrefixes = "uUrRbBfF"
	maxPrefix      = 2
)

// PythonPrefixSize returns the number of letters before the opening quote of
// the Python string that text starts with, or -1 if text does not start with a
// string.
func PythonPrefixSize(text []byte) int {
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

// isRaw reports whether a Python string is raw: its prefix disables escapes.
func isRaw(literal []byte) bool { return literal[0]|0x20 == 'r' }

// pythonText scans a string with its prefix and quotes. It sets escaped if the
// string's text is not simply what is between its quotes.
func (s *Scanner) pythonText(escaped *bool) bool {
	start, prefix := s.pos, PythonPrefixSize(s.data[s.pos:])
	if prefix > 0 && !s.checkPrefix(prefix) {
		return false
	}
	*escaped = prefix > 0
	closing, plain, lone := s.data[start+prefix], isRaw(s.data[start:]), false
	for s.pos += prefix + 1; ; {
		s.pos += countPlain(s.data[s.pos:], closing)
		if s.pos == len(s.data) {
			s.token = start
			return s.truncated()
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

// checkPrefix fails for a string prefix of the given size that does not denote
// text.
func (s *Scanner) checkPrefix(size int) bool {
	end := s.pos + size + 1
	switch string(bytes.ToLower(s.data[s.pos : s.pos+size])) {
	case "u", "r":
		return true
	case "b", "br", "rb":
		return s.failAt(s.pos, end, "found bytes ("+s.quote(s.pos, end)+"…), expected text")
	}
	return s.failAt(s.pos, end, "found "+s.quote(s.pos, end)+", expected a plain string")
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

// pythonEscape scans a backslash and what belongs to it. Plain says that the
// string is raw: a backslash escapes only quotes and backslashes. Lone reports
// whether the string has a lone surrogate, which is reported once per string.
func (s *Scanner) pythonEscape(plain bool, lone *bool) bool {
	rest := s.data[s.pos:]
	switch {
	case len(rest) < 2:
		return s.truncated()
	case rest[1] == '\'' || rest[1] == '"' || rest[1] == '\\':
		s.pos += 2
		return true
	case plain:
		s.pos++
		return true
	case rest[1] == 'N':
		return s.failAt(s.pos, s.pos+2, "found "+s.quote(s.pos, s.pos+2)+", a character by its name, which is not read here")
	}
	if want := hexDigits(rest[1]); want > 0 && bracedSize(rest) == 0 {
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
		if at == len(s.data) || s.data[at] != '\'' && s.data[at] != '"' || bytes.IndexByte(s.data[end:at], '\n') < 0 {
			return true
		}
		s.pos = at
		escaped, faults := false, len(s.faults)
		if !s.pythonText(&escaped) {
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
	i := PythonPrefixSize(text)
	closing := text[i]
	for i++; ; {
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

// bracedSize returns the size in bytes of the escape \u{…} of a character that text
// starts with, or 0 if there is none. Rust's Debug writes it; in Python it is
// invalid, so that it means nothing else.
func bracedSize(text []byte) int {
	const before = len(`\u{`)
	if !bytes.HasPrefix(text, []byte(`\u{`)) {
		return 0
	}
	digits := countHex(text[before:min(before+6, len(text))])
	end := before + digits
	if digits == 0 || end == len(text) || text[end] != '}' || !utf8.ValidRune(rune(hexValue(text[before:end]))) {
		return 0
	}
	return end + 1
}

// DecodePython decodes the Python escape that text starts with, or one of Rust
// (see bracedSize). A backslash that does not start a valid escape is decoded as
// itself, as Python does with unknown ones. Size is in bytes.
func DecodePython(text []byte) (r rune, size int) {
	if len(text) < 2 {
		return '\\', 1
	}
	if size := bracedSize(text); size > 0 {
		return rune(hexValue(text[len(`\u{`) : size-1])), size
	}
	if digits := hexDigits(text[1]); digits > 0 && countHex(text[2:min(2+digits, len(text))]) == digits {
		return rune(hexValue(text[2 : 2+digits])), 2 + digits
	}
	switch c := text[1]; c {
	case '\'', '"', '\\':
		return rune(c), 2
	case 'b', 'f', 'n', 'r', 't':
		return DecodeEscape(text) // as in JSON
	case 'a':
		return '\a', 2
	case 'v':
		return '\v', 2
	}
	return decodeOctal(text)
}

// decodeOctal decodes an escape of up to three octal digits.
func decodeOctal(text []byte) (r rune, size int) {
	for size = 1; size < min(4, len(text)) && '0' <= text[size] && text[size] <= '7'; size++ {
		r = r<<3 | rune(text[size]-'0')
	}
	if size == 1 {
		return '\\', 1
	}
	return r, size
}

// pythonContent returns the source text between the quotes of a string.
func pythonContent(literal []byte) []byte {
	return literal[PythonPrefixSize(literal)+1 : len(literal)-1]
}

// AppendPython appends the decoded text of a valid Python string, given with its
// prefix and quotes. A lone surrogate keeps its value, as in [AppendText].
func AppendPython(buf, literal []byte) []byte { return appendPython(buf, literal, true) }

// appendPython appends the text of a string, which has its prefix and quotes.
// Exact is as in [AppendText].
func appendPython(buf, literal []byte, exact bool) []byte {
	inside := pythonContent(literal)
	if isRaw(literal) {
		return append(buf, inside...)
	}
	return AppendText(buf, inside, exact, DecodePython)
}

// appendRune appends a code point. A surrogate becomes U+FFFD, or with exact
// the three bytes of its generalized UTF-8 encoding.
func appendRune(buf []byte, r rune, exact bool) []byte {
	if exact && utf16.IsSurrogate(r) {
		return append(buf, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
	}
	return utf8.AppendRune(buf, r)
}
