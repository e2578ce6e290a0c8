package workbench

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/lmclint/lmclint/internal/source"
)

// booleans are the texts that the models of the service take for a boolean.
var booleans = []string{"0", "off", "f", "false", "n", "no", "1", "on", "t", "true", "y", "yes"}

// integer matches the texts that the models take for an integer.
var integer = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*[+-]?\d+(\.0+)?\s*$`) })

// Converts reports whether the models of the service convert a value to a JSON
// type that it does not have: to a boolean or an integer.
func Converts(n *source.Node, to string) bool {
	switch {
	case to == "boolean" && n.Kind == source.Number:
		value, err := strconv.ParseFloat(string(n.Raw()), 64)
		return err == nil && (value == 0 || value == 1)
	case to == "boolean":
		return slices.Contains(booleans, strings.ToLower(n.Text()))
	case to == "integer":
		return n.Kind == source.Bool || integer().MatchString(n.Text())
	}
	return false
}
