package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// megabytes is a number of bytes in units of 1,000,000.
func megabytes(bytes int64) float64 { return float64(bytes) / 1e6 }

// seconds writes a time in the unit that suits it.
func seconds(d time.Duration) string {
	if d < time.Second {
		return figure(d.Seconds()*1000) + " ms"
	}
	return figure(d.Seconds()) + " s"
}

// figure writes a number with two or three significant digits.
func figure(n float64) string {
	switch {
	case n >= 100:
		return grouped(int(math.Round(n)))
	case n >= 10:
		return strconv.FormatFloat(n, 'f', 0, 64)
	case n >= 1:
		return strconv.FormatFloat(n, 'f', 1, 64)
	}
	return strconv.FormatFloat(n, 'g', 2, 64)
}

// grouped writes a number with a comma before every three digits.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// cell makes a text fit into a cell of a table.
func cell(s string) string {
	s = strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "|", `\|`)
	if len(s) > 200 {
		return fmt.Sprintf("%s …", strings.ToValidUTF8(s[:200], ""))
	}
	return s
}
