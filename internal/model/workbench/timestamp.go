package workbench

import (
	"regexp"
	"strconv"
	"sync"
	"time"

	"github.com/lmclint/lmclint/internal/source"
)

// Timestamp is a point in time.
type Timestamp struct {
	Time   time.Time // UTC, which is assumed without an offset
	Offset bool      // it has a UTC offset
	Number bool      // it is written as seconds or milliseconds since 1970
	Odd    bool      // accepted, but not as the service writes it, such as a date alone or a space for T
}

var (
	dateTime = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(\d{4}-\d{2}-\d{2})(?:([Tt _])(\d{2}:\d{2})(:\d{2})?(?:[.,](\d{1,9})\d*)?([Zz]|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?$`)
	})
	seconds = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[+-]?\d{1,20}(\.\d+)?$`)
	})
)

// ParseTimestamp parses a timestamp as the service does. It reports false if the
// service rejects it.
func ParseTimestamp(n *source.Node) (Timestamp, bool) {
	if n == nil {
		return Timestamp{}, false
	}
	switch n.Kind {
	case source.Number:
		return parseSeconds(string(n.Raw()))
	case source.String:
		text := n.Text()
		if seconds().MatchString(text) {
			return parseSeconds(text)
		}
		return parseText(text)
	}
	return Timestamp{}, false
}

// parseSeconds parses seconds since 1970, or milliseconds if that number of
// seconds is past the year 2600.
func parseSeconds(text string) (Timestamp, bool) {
	const (
		maxSeconds = 20_000_000_000
		minMillis  = -62_135_596_800_000 // the first of the year 1
		maxMillis  = 253_402_300_799_999 // the last of the year 9999
	)
	value, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || value > maxMillis || value < minMillis:
		return Timestamp{}, false
	case value <= maxSeconds && value >= -maxSeconds:
		value *= 1000
	}
	return Timestamp{Time: time.UnixMilli(int64(value)).UTC(), Offset: true, Number: true}, true
}

func parseText(text string) (Timestamp, bool) {
	part := dateTime().FindStringSubmatch(text)
	if part == nil {
		return Timestamp{}, false
	}
	date, between, clock, second, fraction, offset := part[1], part[2], part[3], part[4], part[5], part[6]
	m := Timestamp{Offset: offset != "", Odd: between != "T" || second == ""}
	if clock == "" {
		clock = "00:00"
	}
	if second == "" {
		second = ":00"
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	switch { // in the form of RFC 3339
	case offset == "", offset == "z":
		offset = "Z"
	case len(offset) == len("+0000"):
		offset = offset[:3] + ":" + offset[3:]
	}
	parsed, err := time.Parse("2006-01-02T15:04:05.999999999Z07:00", date+"T"+clock+second+fraction+offset)
	m.Time = parsed.UTC()
	return m, err == nil && parsed.Year() > 0
}
