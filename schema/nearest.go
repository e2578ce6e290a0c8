package schema

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxWord bounds the words that Nearest compares, in code points.
const maxWord = 64

// Nearest returns the known word that a misspelled one probably meant: the
// one with the fewest slips of the finger, at most two, or one in words of up
// to four letters, or else the one that it is the beginning of (three letters
// or more). Case and surrounding white space do not matter.
func Nearest(word string, known []string) (string, bool) {
	if len(word) > maxWord*utf8.UTFMax {
		return "", false
	}
	word = strings.TrimSpace(word)
	var space, other [maxWord]rune
	letters := appendLower(space[:0], word)
	if len(letters) == 0 || len(letters) > maxWord {
		return "", false
	}
	best, fewest := "", 3
	for _, candidate := range known {
		if len(candidate)+2 < len(letters) {
			continue // more slips than that, and a word has no more letters than bytes
		}
		if n, near := withinEditDistance(letters, appendLower(other[:0], candidate)); near && n < fewest {
			best, fewest = candidate, n
		}
	}
	if best != "" {
		return best, true
	}
	return completed(strings.ToLower(word), known)
}

func appendLower(letters []rune, word string) []rune {
	for _, letter := range word {
		letters = append(letters, unicode.ToLower(letter))
	}
	return letters
}

// Meant offers, behind a message, the known word that a misspelled one probably
// meant, as in "; did you mean chunk?". It is empty if there is none.
func DidYouMean(word string, known []string) string {
	if nearest, ok := Nearest(word, known); ok {
		return "; did you mean " + nearest + "?"
	}
	return ""
}

// AnyOf joins words for people, as in "text, json or jsonl".
func AnyOf(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// completed returns the first known word that begins with the given letters.
func completed(word string, known []string) (string, bool) {
	if utf8.RuneCountInString(word) < 3 {
		return "", false
	}
	for _, candidate := range known {
		if strings.HasPrefix(strings.ToLower(candidate), word) {
			return candidate, true
		}
	}
	return "", false
}

// slips counts the insertions, deletions, replacements and swaps of
// neighbours between two words, and reports whether they are few enough for
// words of their length: never every letter.
func withinEditDistance(a, b []rune) (int, bool) {
	allowed := 2
	if min(len(a), len(b)) <= 4 {
		allowed = 1
	}
	if len(b) > maxWord || len(a)-len(b) > allowed || len(b)-len(a) > allowed {
		return 0, false
	}
	if lettersApart(a, b) > allowed {
		return 0, false
	}
	n := distance(a, b, allowed)
	return n, n <= allowed && n < max(1, min(len(a), len(b)))
}

// lettersApart counts letters that one of two words has and the other has not,
// as far as some of them can be told from each other. No slip mends more than one
// in each word, so the distance is as large.
func lettersApart(a, b []rune) int {
	inA, inB := letterSet(a), letterSet(b)
	return max(bits.OnesCount64(inA&^inB), bits.OnesCount64(inB&^inA))
}

func letterSet(word []rune) (set uint64) {
	for _, letter := range word {
		set |= 1 << (letter & 63)
	}
	return set
}

// distance is the Damerau-Levenshtein distance (optimal string alignment) of
// words of up to maxWord letters, or more than most if it is more than that.
func distance(a, b []rune, most int) int {
	a, b = withoutEnds(a, b)
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
		if int(least) > most+1 {
			break // a swap steps over one row, and adds one
		}
	}
	return int(row[len(b)])
}

// withoutEnds takes off what two words begin with and what they end with, which
// makes no difference to their distance.
func withoutEnds(a, b []rune) ([]rune, []rune) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}
