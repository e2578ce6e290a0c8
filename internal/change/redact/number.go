package redact

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/internal/source"
)

// order notes the time or number that a string is, whose order remains.
func (p *piece) order(n *source.Node, key string) {
	parsed, ok := workbench.ParseTimestamp(n)
	switch {
	case dated.MatchString(p.text):
		if p.kind, p.value = instant, noInstant; ok && parsed.Time.Year() > 0 {
			p.value = parsed.Time.UnixMilli()
		}
	case ok && timed.MatchString(key) && simple.MatchString(p.text):
		p.kind, p.value = number, wholeOf(p.text)
	}
}

// noInstant is the value of an impossible date.
const noInstant = -1 << 62

var (
	dated  = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}(?:[Tt _]\d{2}:\d{2}(?::\d{2})?(?:[.,]\d+)?)?([Zz]|[+-]\d{2}:?\d{2})?$`)
	timed  = regexp.MustCompile(`timestamp$|datetime$|_at$|^time$`) // keys
	simple = regexp.MustCompile(`^[+-]?(\d{1,18})(\.\d+)?$`)
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

// ranks returns the values of the pieces of a kind, sorted. One that is less than a step
// after another has the rank of that.
func ranks(pieces []piece, of kind, step int64) (values []int64) {
	var all []int64
	for i := range pieces {
		if pieces[i].kind == of {
			all = append(all, pieces[i].value)
		}
	}
	slices.Sort(all)
	for _, v := range all {
		if n := len(values); n == 0 || v-values[n-1] >= step {
			values = append(values, v)
		}
	}
	return values
}

// rank returns the number of a value, from 1 on.
func rank(values []int64, v int64) int {
	return sort.Search(len(values), func(i int) bool { return values[i] > v })
}

// numberOf writes a number of that rank as another is written. Zero stays, and one with
// so many digits that it may be a time keeps their number.
func numberOf(as []byte, value int64, rank int) []byte {
	sign := as[:len(as)-len(bytes.TrimLeft(as, "+-"))]
	found := simple.FindSubmatch(as)
	switch {
	case found == nil: // it has an exponent, or is too large
		mantissa := as[:len(as)-len(exponent.Find(as))]
		return append(anyDigit.ReplaceAll(mantissa, []byte("1")), as[len(mantissa):]...)
	case value == 0:
		rank = 0
	}
	whole := strconv.FormatInt(int64(rank), 3)
	if size := len(found[1]); size > 9 {
		whole = fmt.Sprintf("1%0*s", size-1, whole)
	}
	return fmt.Appendf(nil, "%s%s%s", sign, whole, anyDigit.ReplaceAll(found[2], []byte("0")))
}

var (
	anyDigit = regexp.MustCompile(`[xX][0-9a-fA-F]+|\d`)
	exponent = regexp.MustCompile(`[eE][+-]?\d{1,3}$`)
)

// instantOf writes a time of that rank as another is written, without a fraction and in UTC.
func instantOf(as []byte, value int64, rank int) []byte {
	digits := strings.Repeat("0", len(as))
	if value != noInstant {
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
