package config

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// release is a version that was released. Others, such as those of a checkout,
// are held to nothing.
var release = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^v?(\d+\.\d+\.\d+)(-rc\.?\d+)?$`)
})

// condition is a part of the key required-version.
var condition = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(>=|<)? *v?(\d+(?:\.\d+){0,2})$`)
})

// refuses reports whether a document is for other releases of the program. It
// is asked first: what else is wrong may be right for those.
func (r *loading) refuses(d *document) bool {
	var wanted *yaml.Node
	if d.root.Kind == yaml.MappingNode {
		each(d.root, func(key, value *yaml.Node) {
			if key.Value == "required-version" && value.Kind == yaml.ScalarNode {
				wanted = value
			}
		})
	}
	if wanted == nil {
		return false
	}
	version := r.Version()
	fits, understood := satisfies(version, wanted.Value)
	switch {
	case !understood:
		r.faults.add(d.at(wanted), `required-version: %q, want conditions such as ">=0.2, <0.4"`, wanted.Value)
	case !fits:
		r.faults.add(d.at(wanted), "this is lmclint %s, and %s is required", strings.TrimPrefix(version, "v"), wanted.Value)
	}
	return !understood || !fits
}

// satisfies reports whether a version fits all conditions, and whether they
// are any. A condition without a sign means the releases that begin so.
func satisfies(version, conditions string) (fits, understood bool) {
	released := release().FindStringSubmatch(version)
	fits = true
	for part := range strings.SplitSeq(conditions, ",") {
		c := condition().FindStringSubmatch(strings.TrimSpace(part))
		if c == nil {
			return false, false
		}
		if released != nil {
			fits = fits && holds(numbers(released[1]), c[1], numbers(c[2]))
		}
	}
	return fits, true
}

func holds(version []int, sign string, wanted []int) bool {
	switch order := slices.Compare(version[:len(wanted)], wanted); sign {
	case ">=":
		return order >= 0
	case "<":
		return order < 0
	default:
		return order == 0
	}
}

// numbers are the parts of a version, the largest there is for one beyond it.
func numbers(version string) []int {
	var parts []int
	for part := range strings.SplitSeq(version, ".") {
		n, _ := strconv.Atoi(part)
		parts = append(parts, n)
	}
	return parts
}
