package validate

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/spelling"
)

// Limits of what is remembered. Beyond them the authority is asked.
const (
	maxShape   = 256 // bytes of a shape
	maxExact   = 64  // bytes of a key, or of a value that is part of a shape
	maxMembers = 32  // of an object
)

// shape is all of a record that a verdict can depend on: two records of one
// shape get the same verdict.
//
// It is read as it was written, by the same location: the kind, then what of
// the value matters. What varies in length has its length before it. So no
// two records that differ in what matters have one shape.
type shape struct {
	space  [maxShape]byte
	used   int
	sorted bool // the members of objects are added by their keys
}

func (s *shape) bytes() []byte { return s.space[:s.used] }

// put adds a byte. All of the shape's methods report false if they would make
// it too long.
func (s *shape) put(b byte) bool {
	if s.used == maxShape {
		return false
	}
	s.space[s.used] = b
	s.used++
	return true
}

// putText adds a text behind its length.
func (s *shape) putText(text string) bool {
	space := s.reserve(len(text))
	return copy(space, text) == len(text) && space != nil
}

// putValue adds a number or boolean as it stands in the input.
func (s *shape) putValue(raw []byte) bool {
	space := s.reserve(len(raw))
	return copy(space, raw) == len(raw) && space != nil
}

// reserve adds a length and returns the space for as many bytes, or nil.
func (s *shape) reserve(length int) []byte {
	if length > maxExact || length >= maxShape-s.used {
		return nil
	}
	s.space[s.used] = byte(length)
	from := s.used + 1
	s.used = from + length
	return s.space[from:s.used]
}

// add adds what matters of a value at a location. It reports false if only the
// authority can tell.
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

// classified stands where a text or an exact value has its length.
const classified = maxExact + 1

// addMembers adds the number of members, and of each what matters of its key
// and of its value.
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

// addKey adds what matters of a key. The schemas have named all keys that they
// tell from others, so that one which is not named is to them like any other
// such: all that is left is what the translation asks. Two keys of one name are
// no two such keys, and left to the authority.
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
// as it is.
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

// plainInteger reads an integer of up to 18 bytes without an exponent.
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

// addText adds which of the texts that matter a string is, and which patterns
// it matches. All strings that are none of those texts are alike to enum and
// const, which tell no more than whether two values are equal. It goes by what
// the string says: how that is written means one thing in JSON and may mean
// another in Python.
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

// addSorted adds members by their keys, so that two objects that differ in the
// order of their members alone have one shape. It reports false where two keys
// have one name, of which the last one counts, and where a key is none that the
// schemas name.
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
