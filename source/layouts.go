package source

import "hash/maphash"

// Layouts finds, among many layouts, that of the record which a text begins
// with, by a single look at the text. Of each layout it holds a value.
type Layouts[T any] struct {
	seed  maphash.Seed
	known map[uint64]knownLayout[T] // by what the layout fixes
	heads map[uint64]struct{}
	tree  layoutTree[T]

	python pythonLayouts[T]
}

// shortRecord is how many bytes a record may have before its content, in which
// it need not be known to be waited for.
const shortRecord = 1 << 10

type knownLayout[T any] struct {
	layout *Layout
	value  T
}

// NewLayouts makes a table of no layouts.
func NewLayouts[T any]() *Layouts[T] {
	return &Layouts[T]{seed: maphash.MakeSeed(), known: map[uint64]knownLayout[T]{}, heads: map[uint64]struct{}{}}
}

// Len is how many layouts the table holds.
func (l *Layouts[T]) Len() int { return len(l.known) + len(l.python) }

// Add adds a layout of which Get reports false.
func (l *Layouts[T]) Add(layout *Layout, value T) {
	if layout.python {
		l.python = append(l.python, knownLayout[T]{layout, value})
		return
	}
	l.known[l.sum(layout.head, layout.tail)] = knownLayout[T]{layout, value}
	l.heads[l.sum(layout.head, nil)] = struct{}{}
	l.tree.add(layout, value)
}

// Get returns the value of a layout that the table holds, or of another in its
// place, which is as good as never.
func (l *Layouts[T]) Get(layout *Layout) (value T, ok bool) {
	if layout.python {
		return l.python.get(layout)
	}
	found, ok := l.known[l.sum(layout.head, layout.tail)]
	return found.value, ok
}

// Find returns the value of the layout of the record that text begins with,
// as Match finds it. Cut says that it might find one with more text.
func (l *Layouts[T]) Find(text []byte, python bool) (value T, hole Hole, size int, cut bool) {
	if python {
		value, hole, size = l.python.find(text)
		return value, hole, size, false
	}
	if value, hole, size = l.tree.find(text); size > 0 {
		return value, hole, size, false
	}
	hole, _, size, cut = findHole(text)
	return value, hole, 0, size == 0 && cut && l.mayBe(text, hole)
}

// mayBe reports whether text may be the beginning of a record of some layout.
func (l *Layouts[T]) mayBe(text []byte, hole Hole) bool {
	if hole.From == 0 {
		return len(text) < shortRecord
	}
	_, ok := l.heads[l.sum(text[:hole.From], nil)]
	return ok
}

func (l *Layouts[T]) sum(head, tail []byte) uint64 {
	return maphash.Bytes(l.seed, head) ^ 31*maphash.Bytes(l.seed, tail)
}
