package redact

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

var (
	dated    = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}(?:[Tt _]\d{2}:\d{2}(?::\d{2})?(?:[.,]\d+)?)?([Zz]|[+-]\d{2}:?\d{2})?$`)
	simple   = regexp.MustCompile(`^[+-]?(\d{1,18})(\.\d+)?$`)
	anyDigit = regexp.MustCompile(`[xX][0-9a-fA-F]+|\d`)
	exponent = regexp.MustCompile(`[eE][+-]?\d{1,3}$`)
)

// wholeOf returns the whole part of a number without its sign, or 0.
func wholeOf(text string) int64 {
	found := simple.FindStringSubmatch(text)
	if found == nil {
		return 0
	}
	n, _ := strconv.ParseInt(found[1], 10, 64) // 18 digits are in its range
	return n
}

// ranks returns zero and the values of the pieces of a kind, sorted. One that is less than a
// step after another has the rank of that.
func ranks(pieces []piece, of kind, step int64) []int64 {
	values, all := []int64{0}, []int64(nil)
	for i := range pieces {
		if pieces[i].kind == of {
			all = append(all, pieces[i].value)
		}
	}
	slices.Sort(all)
	for _, v := range all {
		if v-values[len(values)-1] >= step {
			values = append(values, v)
		}
	}
	return values
}

// rank returns the number of a value. That of zero is 0.
func rank(values []int64, v int64) int {
	i, found := slices.BinarySearch(values, v)
	if !found {
		i--
	}
	return i
}

// numberOf writes a number of that rank as another is written.
func numberOf(as []byte, rank int) []byte {
	found := simple.FindSubmatch(as)
	if found == nil { // it has an exponent, or is too large
		mantissa := as[:len(as)-len(exponent.Find(as))]
		return append(anyDigit.ReplaceAll(mantissa, []byte("1")), as[len(mantissa):]...)
	}
	sign := as[:len(as)-len(bytes.TrimLeft(as, "+-"))]
	return fmt.Appendf(nil, "%s%s%s", sign, strconv.FormatInt(int64(rank), 3), anyDigit.ReplaceAll(found[2], []byte("0")))
}

// instantOf writes a time of that rank as another is written, without a fraction and in UTC.
// The date of rank 0 is impossible.
func instantOf(as []byte, rank int) []byte {
	digits := strings.Repeat("0", len(as))
	if rank > 0 {
		digits = time.Date(1000, 1, 1, 0, 0, rank, 0, time.UTC).Format("20060102150405") + digits
	}
	with, zone := bytes.Clone(as), dated.FindSubmatchIndex(as)[2]
	for i, c := range with {
		switch {
		case c < '0' || c > '9':
		case zone >= 0 && i >= zone:
			with[i] = '0'
		default:
			with[i], digits = digits[0], digits[1:]
		}
	}
	return with
}
