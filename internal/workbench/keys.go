package workbench

import (
	"slices"

	"github.com/lmclint/lmclint/internal/source"
)

// keySet asks for the keys of an object.
type keySet struct{ of *source.Node }

func keysOf(n *source.Node) keySet { return keySet{n} }

// has reports whether all of the keys are there.
func (k keySet) has(names ...string) bool { return k.count(names...) == len(names) }

// any reports whether one of the keys is there.
func (k keySet) any(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return k.of.Member(name) != nil })
}

// count returns how many of the keys are there.
func (k keySet) count(names ...string) (n int) {
	for _, name := range names {
		if k.of.Member(name) != nil {
			n++
		}
	}
	return n
}

func hasKey(names []string, name string) bool { return slices.Contains(names, name) }
