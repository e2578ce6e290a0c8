package report

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/lmclint/lmclint/lint"
)

// maxNumbers is how many lines or records, or ranges of them, a text names of a finding,
// the last one included.
const maxNumbers = 8

// also returns the places of a finding besides its first one, as in "44 more, lines 3, 4, 6,
// 9 to 12, …, 90", or "" if there are none. Where all are on one line, as in a JSON document,
// it names the records.
func also(f *lint.Finding) string {
	if f.Count < 2 || len(f.Places) < 2 {
		return ""
	}
	what, numbers := "line", numbersOf(f, func(s lint.Spot) int { return s.Line })
	if len(numbers) == 0 {
		what, numbers = "record", numbersOf(f, func(s lint.Spot) int { return s.Record })
	}
	more := humanize.Comma(int64(f.Count-1)) + " more"
	if len(numbers) == 0 {
		return more + " in the same " + what
	}
	ranges := rangesOf(numbers)
	kept := len(f.Places) == f.Count // none is missing before the last one
	if len(ranges) > maxNumbers {
		last := ranges[len(ranges)-1]
		ranges = append(ranges[:maxNumbers-1:maxNumbers-1], "…", last[strings.LastIndexByte(last, ' ')+1:])
	} else if last := len(ranges) - 1; !kept && last > 0 {
		ranges = slices.Insert(ranges, last, "…")
	}
	if len(numbers) > 1 {
		what += "s"
	}
	return more + ", " + what + " " + strings.Join(ranges, ", ")
}

// numbersOf returns the different numbers of the places of a finding after the number of
// the first one.
func numbersOf(f *lint.Finding, number func(lint.Spot) int) []int {
	var all []int
	for _, s := range f.Places[1:] {
		if n := number(s); n >= 0 && n != number(f.Places[0]) {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// rangesOf returns sorted numbers as text, three or more consecutive ones as a range.
func rangesOf(numbers []int) (ranges []string) {
	for i := 0; i < len(numbers); {
		end := i + 1
		for end < len(numbers) && numbers[end] == numbers[end-1]+1 {
			end++
		}
		if end-i < 3 {
			end = i + 1
		}
		text := strconv.Itoa(numbers[i])
		if end > i+1 {
			text += " to " + strconv.Itoa(numbers[end-1])
		}
		ranges = append(ranges, text)
		i = end
	}
	return ranges
}

// again says of a finding that was reported before the end of its input how often its
// cause came, as in "unknown role "bot": 44 more, lines 3 to 46".
func again(f *lint.Finding) string { return f.Message + ": " + also(f) }
