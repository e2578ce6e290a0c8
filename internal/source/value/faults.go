package value

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"
)

// FaultKind is the kind of a fault.
type FaultKind uint8

// The faults that a scan can find.
const (
	InvalidJSON    FaultKind = iota + 1 // not JSON by RFC 8259
	InvalidUTF8                         // bytes that are not UTF-8
	DuplicateKey                        // a key twice in one object, compared after unescaping
	LoneSurrogate                       // an escape such as \ud83c without its pair
	NestingTooDeep                      // nested deeper than Scanner.MaxDepth
	RecordTooLarge                      // more than MaxValues values, or more bytes than the reader allows

	FirstOtherKind // first of the kinds that only a reader of records reports (see package source)
)

// Cause is a mistake that probably caused a fault, and decides what to do about it.
type Cause uint8

// The causes. Most faults have none.
const (
	UnknownCause  Cause = iota
	TooManyValues       // a record has more than MaxValues values
	CommaAfter          // a comma separates records that are not in a list
	MissingComma        // a record of a list follows another one without a comma
	MissingCommas       // so does the second record of a list, on a line of its own
	UnclosedList        // a list is not closed; its last record is complete
	SecondList          // an envelope has two lists of records
)

// Limits of a single value. A value that exceeds one is reported.
const (
	// MaxDepth is the largest allowed Scanner.MaxDepth.
	MaxDepth = 10_000
	// MaxValues is the maximum number of values in a record. A record with more is
	// RecordTooLarge, because its tree would take many times its size in memory.
	MaxValues = 1 << 17
	// MaxProblems is the maximum number of faults that a record keeps. The detail
	// of the last one says how many were dropped.
	MaxProblems = 100
)

// SortFaults sorts faults by their start and keeps the first MaxProblems. It
// modifies faults.
func SortFaults(faults []Fault) []Fault {
	slices.SortStableFunc(faults, func(a, b Fault) int { return cmp.Compare(a.Start, b.Start) })
	if more := len(faults) - MaxProblems; more > 0 {
		faults = faults[:MaxProblems]
		faults[MaxProblems-1].Detail += fmt.Sprintf("; the record has %d more problems that are not listed", more)
	}
	return faults
}

// checkUTF8 stops the scan at the first invalid UTF-8 byte before end, or at
// end if the scan has stopped. It replaces a later fault. A sequence that the
// end of the data truncates does not count as invalid.
func (s *Scanner) checkUTF8(end int) {
	if utf8.Valid(s.data[:end]) && (s.stop == nil || end == len(s.data) || s.data[end] < utf8.RuneSelf) {
		return
	}
	for i := 0; i < end || s.stop != nil && i == end && i < len(s.data); {
		r, size := utf8.DecodeRune(s.data[i:])
		switch {
		case r != utf8.RuneError || size > 1:
			i += size
		case !utf8.FullRune(s.data[i:]):
			if s.stop == nil || !s.stop.Truncated {
				s.truncated()
			}
			return
		default:
			s.fail(Fault{Kind: InvalidUTF8, Start: i, End: i + 1, Detail: NotUTF8(s.data[i])})
			return
		}
	}
}

// NotUTF8 returns the detail of an InvalidUTF8 fault at a byte.
func NotUTF8(b byte) string { return fmt.Sprintf("found the byte 0x%02X, which is not UTF-8", b) }

// ExceedsLimit reports whether the fault is about a limit. The value is then
// probably well formed, and ends where its brackets close.
func (f *Fault) ExceedsLimit() bool { return f.Kind == NestingTooDeep || f.Kind == RecordTooLarge }

// Limits of what a detail shows of the input, in bytes.
const (
	MaxWord   = 64 // maximum size of a word; a longer one is split
	maxQuoted = 40
)

// Details of truncated values. The reader of records replaces NotClosed by
// InputEnds if nothing follows the value.
const (
	NotClosed     = "the record ends before it is closed"
	InputEnds     = "the input ends before the record is closed"
	pythonQuote   = "found `'`, expected a string in double quotes: this is a Python literal, not JSON"
	tooManyValues = "the record has more than 131,072 values"
)

// fail stops the scan at a fault. It returns false for use in a return
// statement.
func (s *Scanner) fail(f Fault) bool {
	s.stop = &f
	return false
}

func (s *Scanner) failAt(start, end int, detail string) bool {
	return s.fail(Fault{Kind: InvalidJSON, Start: start, End: end, Detail: detail})
}

// truncated stops the scan because the data ends within the value.
func (s *Scanner) truncated() bool {
	return s.fail(Fault{Kind: InvalidJSON, Start: len(s.data), End: len(s.data), Detail: NotClosed, Truncated: true})
}

// unexpected stops the scan at a byte that cannot appear here. Want describes
// what can.
func (s *Scanner) unexpected(want string) bool {
	if s.pos == len(s.data) {
		return s.truncated()
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

// quotes describes the quotes of a string in the scanned language.
func (s *Scanner) quotes() string {
	if s.Python {
		return "quotes"
	}
	return "double quotes"
}

// controlInText stops the scan at a control character inside a string, whose start is
// the last token.
func (s *Scanner) controlInText(closing byte) bool {
	c := s.data[s.pos]
	switch {
	case c == '\n' || c == '\r':
		s.failAt(s.pos, s.pos, "found a line break inside a string, expected `"+string(closing)+"` or `\\n`")
		if !s.Python {
			s.stop.Related = &Range{s.token, s.token + 1}
		}
		return false
	case s.Python:
		return s.failAt(s.pos, s.pos+1, "found the character U+0000 inside a string, expected it as `\\x00`")
	}
	return s.failAt(s.pos, s.pos+1, fmt.Sprintf("found the control character U+%04X inside a string, expected it as `\\u%04x`", c, c))
}

// badEscape stops the scan at a backslash that does not start an escape. Valid is how
// many bytes after it may.
func (s *Scanner) badEscape(valid int, detail string) bool {
	end := s.pos + 1 + valid
	_, size := utf8.DecodeRune(s.data[end:])
	return s.failAt(s.pos, end+size, "found "+s.quote(s.pos, end+size)+detail)
}

func (s *Scanner) quote(start, end int) string { return Quote(s.data[start:end]) }

// Quote returns bytes of the input for use in a detail: in backticks, truncated
// to 40 bytes, with unprintable characters replaced.
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

// WordEnd returns the end of the word or number at start. It returns start if
// there is none.
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

// Describe describes the token at data[i], and returns where it ends. It knows
// JSON's tokens only.
func Describe(data []byte, i int) (end int, found string) {
	switch c := data[i]; {
	case c == '"':
		return i + 1, "a string"
	case c == '#', c == '/' && i+1 < len(data) && (data[i+1] == '/' || data[i+1] == '*'):
		return i + 1, "a comment (not allowed in JSON)"
	case IsDigit(c), IsLetter(c):
		end := WordEnd(data, i)
		return end, Quote(data[i:end])
	}
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

// KindPhrase returns the name of a kind with its article, such as "an array".
func KindPhrase(k Kind) string {
	switch k {
	case Array, Object:
		return "an " + k.String()
	case Null:
		return "null"
	}
	return "a " + k.String()
}
