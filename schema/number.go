package schema

import (
	"encoding/json"
	"strconv"
	"strings"
)

// longNumber is the length, in bytes, from which a number is reduced before
// jsonschema/v5 computes with it: digits cost more than their share.
const longNumber = 64

// reduced returns a short number that is an integer exactly when the long one
// is, and has its sign. The schemas ask no more of a number.
func shortenNumber(number json.Number) json.Number {
	text, negative := strings.CutPrefix(string(number), "-")
	mantissa, exponent := text, 0
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa = text[:i]
		exponent, _ = strconv.Atoi(text[i+1:]) // out of range is the largest or smallest int
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	zeros := len(digits) - len(strings.TrimRight(digits, "0"))
	short := "1"
	switch {
	case digits == "":
		short = "0"
	case exponent < len(fraction)-zeros:
		short = "0.5"
	}
	if negative {
		short = "-" + short
	}
	return json.Number(short)
}

// reduceContent puts a reduced number in the place of a long one in a record's
// content.
func reduceContent(record any) {
	members, ok := record.(map[string]any)
	if !ok {
		return
	}
	if number, ok := members["content"].(json.Number); ok && len(number) > longNumber {
		members["content"] = shortenNumber(number)
	}
}
