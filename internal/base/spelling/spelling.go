// Package spelling finds the known word that a misspelled one was meant to be.
package spelling

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dustin/go-humanize/english"
	"github.com/hbollon/go-edlib"
)

// maxWord is the length of the longest word that [Nearest] compares, in code
// points.
const maxWord = 64

// Nearest returns the known word that a misspelled word was probably meant to
// be: the one with the smallest edit distance, at most 2, or at most 1 if
// either word has up to four letters. Without one, it returns the first known
// word that starts with the misspelled one (three letters or more). Case and
// surrounding whitespace are ignored.
func Nearest(word string, known []string) (string, bool) {
	best, _ := Only(word, known)
	return best, best != ""
}

// Only returns the known word that [Nearest] does, or "", and whether the misspelled word
// can only have been meant to be that: no other known word is as near, or has the same
// prefix if none is near.
func Only(word string, known []string) (best string, alone bool) {
	word = strings.TrimSpace(word)
	if word == "" || len(word) > maxWord*utf8.UTFMax || utf8.RuneCountInString(word) > maxWord {
		return "", false
	}
	word = strings.ToLower(word)
	size, set, fewest := utf8.RuneCountInString(word), letters(word), 3
	for _, candidate := range known {
		n := utf8.RuneCountInString(candidate)
		short, long, allowed := min(size, n), max(size, n), 2
		if short <= 4 {
			allowed = 1
		}
		allowed = min(allowed, fewest, short-1) // words that share no letter are never near
		other := letters(candidate)
		if long > maxWord || max(long-short, bits.OnesCount32(set&^other), bits.OnesCount32(other&^set)) > allowed {
			continue // each letter that only one of them has is an edit
		}
		switch distance := edlib.OSADamerauLevenshteinDistance(word, strings.ToLower(candidate)); {
		case distance > allowed:
		case distance < fewest:
			best, fewest, alone = candidate, distance, true
		case candidate != best:
			alone = false
		}
	}
	if best != "" {
		return best, alone
	}
	return withPrefix(word, known)
}

// Within returns the only known word that a longer one has in it as a word, in any case, such
// as that of an enumeration (Role.USER, ROLE_USER, "user", users), and what the longer word is
// without it. Known words of one letter are not looked for.
func Within(word string, known []string) (found, rest string) {
	lower := strings.ToLower(word)
	if len(lower) != len(word) {
		return "", "" // an offset in one is another one in the other
	}
	for _, candidate := range known {
		if candidate == found || len(candidate) < 2 {
			continue
		}
		i := strings.Index(lower, candidate)
		end := i + len(candidate)
		if i < 0 || !isBoundary(word, i) || !isBoundary(word, end) && word[end:] != "s" {
			continue
		}
		if found != "" {
			return "", ""
		}
		found, rest = candidate, lower[:i]+"…"+lower[end:]
	}
	return found, rest
}

// isBoundary reports whether a word may end at an offset of a text, and another one begin.
func isBoundary(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	return !unicode.IsLetter(before) || !unicode.IsLetter(after) || unicode.IsLower(before) && unicode.IsUpper(after)
}

// DidYouMean returns the end of a message that suggests the known word nearest
// to a misspelled one, as in "; did you mean chunk?", or "" if none is near.
func DidYouMean(word string, known []string) string {
	if nearest, ok := Nearest(word, known); ok {
		return "; did you mean " + nearest + "?"
	}
	return ""
}

// AnyOf joins words with commas and "or", as in "text, json or jsonl".
func AnyOf(words []string) string { return english.WordSeries(words, "or") }

// AllOf returns a list in words, such as "a, b and c".
func AllOf(words []string) string { return english.WordSeries(words, "and") }

// withPrefix returns the first known word with a prefix of three letters or more,
// or "", and whether no other known word has it.
func withPrefix(prefix string, known []string) (first string, alone bool) {
	if utf8.RuneCountInString(prefix) < 3 {
		return "", false
	}
	for _, candidate := range known {
		switch {
		case candidate == first || len(candidate) < len(prefix) || !strings.EqualFold(candidate[:len(prefix)], prefix):
		case first == "":
			first, alone = candidate, true
		default:
			return first, false
		}
	}
	return first, alone
}

// letters returns the set of the last five bits of the letters of a word, which
// do not depend on the case of a Latin letter.
func letters(word string) (set uint32) {
	for _, r := range word {
		set |= 1 << (r & 31)
	}
	return set
}
