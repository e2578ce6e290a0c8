// Package quantity writes counts for people.
package quantity

import (
	"strconv"
	"strings"
)

// Of returns a count with its noun, as in "1,204 records". The count must not be
// negative, and the plural of the noun must end in s.
func Of(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return Number(n) + " " + noun
}

// Number returns a count with commas, as in "1,204". It must not be negative.
func Number(n int) string {
	digits := strconv.Itoa(n)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}
