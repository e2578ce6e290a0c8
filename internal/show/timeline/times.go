package timeline

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// timeForms are how recordings write times.
var timeForms = []string{
	time.RFC3339Nano, "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999",
}

// parseTime returns the time that a JSON number or string says, in milliseconds
// since 1970; 0 if it says none. A number is in seconds, or in milliseconds if it
// is large.
func parseTime(raw []byte) int64 {
	text := strings.Trim(string(raw), `"' `)
	if text == "" {
		return 0
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		const (
			firstSeconds, firstMillis = 1e8, 1e11 // in 1973
			lastMillis                = 1e13      // in 2286
		)
		switch {
		case n >= firstSeconds && n < firstMillis:
			return int64(math.Round(n * 1000))
		case n >= firstMillis && n < lastMillis:
			return int64(n)
		}
		return 0
	}
	for _, form := range timeForms {
		if t, err := time.Parse(form, text); err == nil && t.Year() > 1970 {
			return t.UnixMilli()
		}
	}
	return 0
}

// isTimed reports whether everything in a view has a time, and not the same.
func isTimed(v *Conversation) bool {
	first, last := int64(math.MaxInt64), int64(0)
	note := func(t int64) bool {
		first, last = min(first, t), max(last, t)
		return t > 0
	}
	for _, b := range v.Bars {
		if !note(b.Start) || !note(b.End) || b.End < b.Start {
			return false
		}
	}
	for _, m := range v.Marks {
		if !note(m.Time) {
			return false
		}
	}
	return first < last
}
