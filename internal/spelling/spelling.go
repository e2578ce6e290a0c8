// Package spelling finds the known word that a misspelled one was meant to be.
package spelling

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
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
	best, _ := nearest(word, known)
	return best, best != ""
}

// Only returns the known word that a misspelled word can only have been meant to
// be: what [Nearest] returns if no other known word is as near. Case is
// ignored.
func Only(word string, known []string) (string, bool) {
	best, alone := nearest(word, known)
	return best, alone
}

// nearest returns the known word that [Nearest] does, or "", and whether no other
// known word is as near, or has the same prefix if none is near.
func nearest(word string, known []string) (best string, alone bool) {
	if len(word) > maxWord*utf8.UTFMax {
		return "", false
	}
	word = strings.TrimSpace(word)
	var space, other [maxWord]rune
	letters := appendLower(space[:0], word)
	if len(letters) == 0 || len(letters) > maxWord {
		return "", false
	}
	fewest := 3
	for _, candidate := range known {
		if len(candidate)+2 < len(letters) {
			continue // a word has at most one letter per byte, so the distance exceeds 2
		}
		n, near := withinEditDistance(letters, appendLower(other[:0], candidate))
		switch {
		case near && n < fewest:
			best, fewest, alone = candidate, n, true
		case near && n == fewest && candidate != best:
			alone = false
		}
	}
	if best != "" {
		return best, alone
	}
	return withPrefix(strings.ToLower(word), known)
}

func appendLower(letters []rune, word string) []rune {
	for _, letter := range word {
		letters = append(letters, unicode.ToLower(letter))
	}
	return letters
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
func AnyOf(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// withPrefix returns the first known word with a prefix of three letters or more,
// or "", and whether no other known word has it.
func withPrefix(prefix string, known []string) (first string, alone bool) {
	if utf8.RuneCountInString(prefix) < 3 {
		return "", false
	}
	for _, candidate := range known {
		switch {
		case candidate == first || !strings.HasPrefix(strings.ToLower(candidate), prefix):
		case first == "":
			first, alone = candidate, true
		default:
			return first, false
		}
	}
	return first, alone
}

// withinEditDistance returns the edit distance of two words and reports
// whether it is small enough for words of their length. Words that share no
// letter are never near.
func withinEditDistance(a, b []rune) (int, bool) {
	allowed := 2
	if min(len(a), len(b)) <= 4 {
		allowed = 1
	}
	if len(b) > maxWord || len(a)-len(b) > allowed || len(b)-len(a) > allowed {
		return 0, false
	}
	if unsharedLetters(a, b) > allowed {
		return 0, false
	}
	n := distance(a, b, allowed)
	return n, n <= allowed && n < max(1, min(len(a), len(b)))
}

// unsharedLetters returns a lower bound of the distance of two words: the
// number of letters that only one of them has. One edit removes at most one
// such letter from each word. Letters that are equal modulo 64 count as equal.
func unsharedLetters(a, b []rune) int {
	inA, inB := letterSet(a), letterSet(b)
	return max(bits.OnesCount64(inA&^inB), bits.OnesCount64(inB&^inA))
}

func letterSet(word []rune) (set uint64) {
	for _, letter := range word {
		set |= 1 << (letter & 63)
	}
	return set
}

// distance returns the Damerau-Levenshtein distance (optimal string alignment)
// of two words of up to maxWord letters, or any larger number than limit if
// the distance exceeds limit.
func distance(a, b []rune, limit int) int {
	a, b = trimCommon(a, b)
	if len(a) == 0 || len(b) == 0 {
		return len(a) + len(b)
	}
	var rows [3][maxWord + 1]uint8
	before, above, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		row[j] = uint8(j)
	}
	for i := 1; i <= len(a); i++ {
		before, above, row = above, row, before
		row[0] = uint8(i)
		least := row[0]
		for j := 1; j <= len(b); j++ {
			cost := uint8(1)
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if int(least) > limit+1 {
			break // a transposition skips one row and adds 1
		}
	}
	return int(row[len(b)])
}

// trimCommon removes the common prefix and suffix of two words, which do not
// change their distance.
func trimCommon(a, b []rune) ([]rune, []rune) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}
