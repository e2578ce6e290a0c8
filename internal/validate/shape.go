package validate

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/spelling"
)

// Limits of shapes. A value that exceeds them has none.
const (
	maxShape   = 256 // bytes of a shape
	maxExact   = 64  // bytes of a key, or of a value that is part of the shape
	maxMembers = 32  // of an object
)

// shape contains everything in a value that a verdict can depend on: values of
// equal shapes get the same verdict.
//
// It is written in the order of the value, guided by relevance: the kind, then
// what matters at that place. Anything of variable length is preceded by its
// length, so values that differ in what matters have different shapes.
type shape struct {
	space  [maxShape]byte
	used   int
	sorted bool // the members of objects are added in the order of their keys
}

func (s *shape) bytes() []byte { return s.space[:s.used] }

// put adds a byte. It and the other methods that add something report false if
// the shape would become too long.
func (s *shape) put(b byte) bool {
	if s.used == maxShape {
		return false
	}
	s.space[s.used] = b
	s.used++
	return true
}

// putText adds the length of a text and the text.
func (s *shape) putText(text string) bool {
	space := s.reserve(len(text))
	return copy(space, text) == len(text) && space != nil
}

// putValue adds a number or boolean as the input has it.
func (s *shape) putValue(raw []byte) bool {
	space := s.reserve(len(raw))
	return copy(space, raw) == len(raw) && space != nil
}

// reserve adds a length and returns the space for that many bytes, or nil.
func (s *shape) reserve(length int) []byte {
	if length > maxExact || length >= maxShape-s.used {
		return nil
	}
	s.space[s.used] = byte(length)
	from := s.used + 1
	s.used = from + length
	return s.space[from:s.used]
}

// add adds what matters of a value. It reports false if the value has no shape.
func (s *shape) add(at *relevanceNode, n *source.Node) bool {
	if !s.put(byte(n.Kind)) {
		return false
	}
	switch {
	case at == nil:
		return true
	case at.Opaque:
		return false
	case n.Kind == source.Object && at.Members != nil:
		return s.addMembers(at, n)
	case n.Kind == source.Array && at.Items != nil:
		return s.addItems(at.Items, n)
	case n.Kind == source.String:
		return s.addText(at, n)
	case at.Exact && isScalar(n.Kind):
		return s.putValue(n.Raw())
	case n.Kind == source.Number && (at.Integer || len(at.Bounds) > 0):
		return s.addNumber(at, n.Raw())
	}
	return true
}

func isScalar(kind source.Kind) bool {
	return kind == source.String || kind == source.Number || kind == source.Bool
}

// classified is written instead of a length where a class replaces the text or
// number: a listed text, the nearest key, a comparison with bounds.
const classified = maxExact + 1

// addMembers adds the number of members, and what matters of each key and
// value.
func (s *shape) addMembers(at *relevanceNode, n *source.Node) bool {
	if len(n.Children) > maxMembers || !s.put(byte(len(n.Children))) {
		return false
	}
	if s.sorted {
		return s.addSorted(at, n)
	}
	for i := range n.Children {
		member := &n.Children[i]
		inside, named := at.Members[member.Name]
		if !s.addKey(at, n.Children[:i], member.Name, named) || !s.add(inside, member) {
			return false
		}
	}
	return true
}

// addKey adds what matters of a key. The schemas do not distinguish keys that
// they do not name, and the translation only looks for the nearest known key.
// A value in which such a key occurs twice has no shape.
func (s *shape) addKey(at *relevanceNode, before []source.Node, key string, named bool) bool {
	if named || at.Near == nil {
		return s.putText(key)
	}
	for i := range before {
		if before[i].Name == key {
			return false
		}
	}
	nearest, _ := spelling.Nearest(key, at.Near)
	return s.put(classified) && s.putText(nearest)
}

// addItems adds the number of elements, and what matters of each.
func (s *shape) addItems(at *relevanceNode, n *source.Node) bool {
	if len(n.Children) > maxMembers || !s.put(byte(len(n.Children))) {
		return false
	}
	if s.sorted {
		return s.addSorted(at, n)
	}
	for i := range n.Children {
		if !s.add(at, &n.Children[i]) {
			return false
		}
	}
	return true
}

// addNumber adds how an integer compares with the bounds, and any other number
// verbatim.
func (s *shape) addNumber(at *relevanceNode, raw []byte) bool {
	number, ok := plainInteger(raw)
	if !ok {
		return s.putValue(raw)
	}
	ok = s.put(classified)
	for _, bound := range at.Bounds {
		ok = ok && s.put(byte(1+cmp.Compare(number, bound)))
	}
	return ok
}

// plainInteger parses an integer of up to 18 bytes without an exponent.
func plainInteger(raw []byte) (number int64, ok bool) {
	digits, negative := bytes.CutPrefix(raw, []byte{'-'})
	if len(raw) > 18 {
		return 0, false
	}
	for _, digit := range digits {
		if digit < '0' || digit > '9' {
			return 0, false
		}
		number = 10*number + int64(digit-'0')
	}
	if negative {
		number = -number
	}
	return number, true
}

// addText adds which of the texts that matter a string is, if any, and which
// patterns it matches. It compares the decoded text: JSON and Python decode the
// same bytes differently.
func (s *shape) addText(at *relevanceNode, n *source.Node) bool {
	if len(at.Texts) == 0 && len(at.Patterns) == 0 {
		return true
	}
	text := textOf(n)
	if len(at.Texts) > 0 && !s.addListed(at.Texts, text) {
		return false
	}
	return s.addMatches(at, text)
}

func (s *shape) addListed(texts []string, text []byte) bool {
	for _, listed := range texts {
		if listed == string(text) {
			return s.putText(listed)
		}
	}
	return s.put(classified)
}

// addMatches adds which patterns a string matches.
func (s *shape) addMatches(at *relevanceNode, text []byte) bool {
	ok := true
	for _, pattern := range at.Patterns {
		matches := byte(0)
		if pattern.Match(text) {
			matches = 1
		}
		ok = ok && s.put(matches)
	}
	return ok
}

// addSorted adds members in the order of their keys, so that objects that differ
// only in the order of their members have the same shape. An object has no
// shape if a key occurs twice, or if the schemas do not name a key.
func (s *shape) addSorted(at *relevanceNode, n *source.Node) bool {
	var space [maxMembers]*source.Node
	members := space[:0]
	for i := range n.Children {
		members = append(members, &n.Children[i])
	}
	slices.SortFunc(members, func(a, b *source.Node) int { return cmp.Compare(a.Name, b.Name) })
	for i, member := range members {
		inside, named := at.Members[member.Name]
		if !named || i > 0 && members[i-1].Name == member.Name {
			return false
		}
		if !s.putText(member.Name) || !s.add(inside, member) {
			return false
		}
	}
	return true
}
