package value

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"
)

// FaultKind says what is wrong with a value.
type FaultKind uint8

// The faults that a scan can find.
const (
	InvalidJSON    FaultKind = iota + 1 // not JSON by RFC 8259
	InvalidUTF8                         // bytes that are not UTF-8
	DuplicateKey                        // a key twice in one object, compared after unescaping
	LoneSurrogate                       // an escape such as \ud83c without its pair
	NestingTooDeep                      // nesting over the limit
	RecordTooLarge                      // more than MaxValues values, or more bytes than the reader allows

	FirstOtherKind // of the faults that only a reader of records finds
)

// Limits of a single value. A value that exceeds one is reported.
const (
	// MaxDepth is the highest nesting that a scanner can be told to accept.
	MaxDepth = 10_000
	// MaxValues is how many values one record can have. A record with more is
	// RecordTooLarge, because its tree would be many times its size.
	MaxValues = 1 << 17
	// MaxProblems is how many problems one record can have. The last one says
	// how many more there were.
	MaxProblems = 100
)

// SortFaults sorts faults by where they are and keeps to MaxProblems.
func SortFaults(faults []Fault) []Fault {
	slices.SortStableFunc(faults, func(a, b Fault) int { return cmp.Compare(a.Start, b.Start) })
	if more := len(faults) - MaxProblems; more > 0 {
		faults = faults[:MaxProblems]
		faults[MaxProblems-1].Detail += fmt.Sprintf("; the record has %d more problems that are not listed", more)
	}
	return faults
}

// beforeStop returns the lone surrogates before the place where the scan
// stopped. Nothing else can be reported of a value that was not read to its end.
func (s *Scanner) beforeStop() []Fault {
	return SortFaults(slices.DeleteFunc(s.faults, func(f Fault) bool {
		return f.Kind != LoneSurrogate || f.Start >= s.stop.Start
	}))
}

// checkUTF8 stops the scan after all if a byte before end, or at it, is no
// UTF-8. A sequence that the end of the data cuts off is left alone.
func (s *Scanner) checkUTF8(end int) {
	if utf8.Valid(s.data[:end]) && (s.stop == nil || end == len(s.data) || s.data[end] < utf8.RuneSelf) {
		return
	}
	for i := 0; i < end || s.stop != nil && i == end && i < len(s.data); {
		r, size := utf8.DecodeRune(s.data[i:])
		if r == utf8.RuneError && size == 1 {
			s.stopAtUTF8(i)
			return
		}
		i += size
	}
}

func (s *Scanner) stopAtUTF8(i int) {
	if !utf8.FullRune(s.data[i:]) {
		s.cutOff()
		return
	}
	s.failAt(i, i+1, NotUTF8(s.data[i]))
	s.stop.Kind = InvalidUTF8
}

// NotUTF8 is the detail of a byte that is not UTF-8.
func NotUTF8(b byte) string { return fmt.Sprintf("found the byte 0x%02X, which is not UTF-8", b) }

// HasEnd reports whether the value is likely to be well formed all the same,
// so that it ends where its brackets say.
func (f *Fault) HasEnd() bool { return f.Kind == NestingTooDeep || f.Kind == RecordTooLarge }

// Limits of what a detail shows of the input, in bytes.
const (
	MaxWord   = 64 // a word is taken to end here, however long it is
	maxQuoted = 40
)

// Details that a reader chooses by what follows the value.
const (
	NotClosed     = "the record ends before it is closed"
	InputEnds     = "the input ends before the record is closed"
	pythonQuote   = "found `'`, expected a string in double quotes: this is a Python literal, not JSON"
	tooManyValues = "the record has more than 131,072 values"
)

func tooDeep(limit int) string {
	return fmt.Sprintf("arrays and objects are nested more than %d deep", limit)
}

// fail stops the scan. It returns false so that it can end a scan's function.
func (s *Scanner) fail(f Fault) bool {
	s.stop = &f
	return false
}

func (s *Scanner) failAt(start, end int, detail string) bool {
	return s.fail(Fault{Kind: InvalidJSON, Start: start, End: end, Detail: detail})
}

// cutOff stops the scan because the data ends.
func (s *Scanner) cutOff() bool {
	return s.fail(Fault{Kind: InvalidJSON, Start: len(s.data), End: len(s.data), Detail: NotClosed, Truncated: true})
}

// unexpected stops the scan at a byte that cannot be there.
func (s *Scanner) unexpected(want string) bool {
	if s.pos == len(s.data) {
		return s.cutOff()
	}
	switch found := s.data[s.pos]; {
	case s.Python && (found == '\'' || found == '"'):
		return s.failAt(s.pos, s.pos+1, "found a string, expected "+want)
	case found == '\'':
		return s.failAt(s.pos, s.pos+1, pythonQuote)
	}
	end, found := Describe(s.data, s.pos)
	return s.failAt(s.pos, end, "found "+found+", expected "+want)
}

// unexpectedName stops the scan where a member's name should stand.
func (s *Scanner) unexpectedName(first bool) bool {
	if s.pos < len(s.data) && IsLetter(s.data[s.pos]) {
		end := WordEnd(s.data, s.pos)
		return s.failAt(s.pos, end, "found the name "+s.quote(s.pos, end)+" without quotes, expected a string in "+s.quotes())
	}
	if first {
		return s.unexpected("a name in " + s.quotes() + " or `}`")
	}
	return s.unexpected("a name in " + s.quotes())
}

// quotes says which quotes strings have.
func (s *Scanner) quotes() string {
	if s.Python {
		return "quotes"
	}
	return "double quotes"
}

// controlInText stops the scan at a control character inside a string.
func (s *Scanner) controlInText() bool {
	c := s.data[s.pos]
	if c == '\n' || c == '\r' {
		return s.failAt(s.pos, s.pos, "found a line break inside a string, expected `\"` or `\\n`")
	}
	return s.failAt(s.pos, s.pos+1, fmt.Sprintf("found the control character U+%04X inside a string, expected it as `\\u%04x`", c, c))
}

// badEscape stops the scan at a backslash that no escape follows.
func (s *Scanner) badEscape() bool {
	_, size := utf8.DecodeRune(s.data[s.pos+1:])
	end := s.pos + 1 + size
	return s.failAt(s.pos, end, "found "+s.quote(s.pos, end)+", which is not a JSON escape; a backslash is written `\\\\`")
}

func (s *Scanner) badHex(digits int) bool {
	_, size := utf8.DecodeRune(s.data[s.pos+2+digits:])
	end := s.pos + 2 + digits + size
	return s.failAt(s.pos, end, "found "+s.quote(s.pos, end)+", expected four hexadecimal digits after `\\u`")
}

func loneSurrogate(at int, escape []byte) Fault {
	return Fault{
		Kind: LoneSurrogate, Start: at, End: at + len(escape),
		Detail: "found " + Quote(escape) + ", half of a surrogate pair without its other half",
	}
}

func (s *Scanner) quote(start, end int) string { return Quote(s.data[start:end]) }

// Quote shows bytes of the input in a detail.
func Quote(text []byte) string {
	cut := ""
	if len(text) > maxQuoted {
		text = text[:RuneStart(text, maxQuoted)]
		cut = "…"
	}
	shown := bytes.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return utf8.RuneError
		}
		return r
	}, text)
	return "`" + string(shown) + cut + "`"
}

// WordEnd returns where the letters, digits, signs and points that are at
// start end.
func WordEnd(data []byte, start int) int {
	i := start
	for i < min(len(data), start+MaxWord) && IsWordByte(data[i]) {
		i++
	}
	return i
}

// IsWordByte reports whether c can be part of a word or a number.
func IsWordByte(c byte) bool {
	return IsLetter(c) || IsDigit(c) || c == '.' || c == '+' || c == '-'
}

// Describe says what is at data[i], and where it ends.
func Describe(data []byte, i int) (end int, found string) {
	switch c := data[i]; {
	case c == '"':
		return i + 1, "a string"
	case c == '#', c == '/' && i+1 < len(data) && (data[i+1] == '/' || data[i+1] == '*'):
		return i + 1, "a comment (JSON has none)"
	case IsDigit(c), IsLetter(c):
		end := WordEnd(data, i)
		return end, Quote(data[i:end])
	}
	return describeRune(data, i)
}

func describeRune(data []byte, i int) (end int, found string) {
	r, size := utf8.DecodeRune(data[i:])
	switch {
	case r == '\ufeff':
		return i + size, "a byte order mark (U+FEFF)"
	case r == '“' || r == '”' || r == '„':
		return i + size, Quote(data[i:i+size]) + " (no JSON quote)"
	case !unicode.IsPrint(r):
		return i + size, fmt.Sprintf("the character U+%04X", r)
	}
	return i + size, Quote(data[i : i+size])
}

// KindPhrase names a kind of value with its article.
func KindPhrase(k Kind) string {
	switch k {
	case Array, Object:
		return "an " + k.String()
	case Null:
		return "null"
	}
	return "a " + k.String()
}
