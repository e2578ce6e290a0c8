package validate

import (
	"encoding/json"
	"strconv"
	"strings"
)

// longNumber is the length, in bytes, above which numbers are shortened, as are
// those with an exponent: jsonschema/v5 computes with them exactly, in time that
// is not linear.
const longNumber = 64

// maxDigits is the number of digits of the largest bound in a schema, 1.8e308.
const maxDigits = 309

// shortenNumbers shortens the long numbers in a value, and returns the value.
func shortenNumbers(value any) any {
	switch v := value.(type) {
	case json.Number:
		if len(v) > longNumber || strings.ContainsAny(string(v), "eE") {
			return shortenNumber(v)
		}
	case map[string]any:
		for key, member := range v {
			v[key] = shortenNumbers(member)
		}
	case []any:
		for i := range v {
			v[i] = shortenNumbers(v[i])
		}
	}
	return value
}

// shortenNumber returns a short number that the schemas do not distinguish from
// a long one: the same integer up to maxDigits digits, one with more digits for
// a larger one, and 0.5 for a fraction, each with its sign.
func shortenNumber(number json.Number) json.Number {
	text, negative := strings.CutPrefix(string(number), "-")
	mantissa, exponent := text, 0
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa = text[:i]
		exponent, _ = strconv.Atoi(text[i+1:]) // the nearest int if out of range
		exponent = min(max(exponent, -1<<40), 1<<40)
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	significant := strings.TrimRight(digits, "0")
	zeros := exponent - len(fraction) + len(digits) - len(significant) // that follow the significant digits
	var short string
	switch {
	case significant == "":
		short = "0"
	case zeros < 0:
		short = "0.5"
	case zeros > maxDigits || len(significant)+zeros > maxDigits:
		short = "1" + strings.Repeat("0", maxDigits)
	default:
		short = significant + strings.Repeat("0", zeros)
	}
	if negative {
		short = "-" + short
	}
	return json.Number(short)
}
