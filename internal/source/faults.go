package source

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"
)

// inOrder sorts faults by where they stand and keeps to MaxProblems.
func inOrder(faults []fault) []fault {
	slices.SortStableFunc(faults, func(a, b fault) int { return cmp.Compare(a.start, b.start) })
	if more := len(faults) - MaxProblems; more > 0 {
		faults = faults[:MaxProblems]
		faults[MaxProblems-1].detail += fmt.Sprintf("; the record has %d more problems that are not listed", more)
	}
	return faults
}

// beforeStop returns the lone surrogates before the place where the scan
// stopped. Nothing else can be told of a value that was not read to its end.
func (s *scanner) beforeStop() []fault {
	return inOrder(slices.DeleteFunc(s.faults, func(f fault) bool {
		return f.kind != LoneSurrogate || f.start >= s.stop.start
	}))
}

// checkUTF8 stops the scan after all if a byte before end, or at it, is no
// UTF-8. A sequence that the end of the data cuts off is left alone.
func (s *scanner) checkUTF8(end int) {
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

func (s *scanner) stopAtUTF8(i int) {
	if !utf8.FullRune(s.data[i:]) {
		s.cutOff()
		return
	}
	s.failAt(i, i+1, notUTF8(s.data[i]))
	s.stop.kind = InvalidUTF8
}

func notUTF8(b byte) string { return fmt.Sprintf("found the byte 0x%02X, which is not UTF-8", b) }

// runeStart returns the last index, at most i, where a code point begins.
func runeStart(text []byte, i int) int {
	if i >= len(text) {
		return len(text)
	}
	for back := 0; back < utf8.UTFMax && i >= back; back++ {
		if utf8.RuneStart(text[i-back]) {
			return i - back
		}
	}
	return i
}

// passable reports whether the value is likely to be well formed all the same,
// so that it ends where its brackets say.
func (f *fault) passable() bool { return f.kind == NestingTooDeep || f.kind == RecordTooLarge }
