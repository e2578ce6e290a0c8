package source

import "hash/maphash"

// Layouts finds, among many layouts, that of the record which a text begins
// with, by a single look at the text. Of each layout it holds a value. It does
// not tell layouts apart that differ in the order of their members alone.
type TemplateIndex[T any] struct {
	seed   maphash.Seed
	known  map[uint64]knownLayout[T] // by what the layout fixes
	python pythonLayouts[T]
}

// shortRecord is how many bytes a record may have before its content, in which
// it need not be known to be waited for.
const shortRecord = 1 << 10

type knownLayout[T any] struct {
	layout *Template
	value  T
}

// NewLayouts makes a table of no layouts.
func NewLayouts[T any]() *TemplateIndex[T] {
	return &TemplateIndex[T]{seed: maphash.MakeSeed(), known: map[uint64]knownLayout[T]{}}
}

// Len is how many layouts the table holds.
func (l *TemplateIndex[T]) Len() int { return len(l.known) + len(l.python) }

// Add adds a layout of which Get reports false.
func (l *TemplateIndex[T]) Add(layout *Template, value T) {
	if layout.python {
		l.python = append(l.python, knownLayout[T]{layout, value})
		return
	}
	if sum, ok := l.sum(layout); ok {
		l.known[sum] = knownLayout[T]{layout, value}
	}
}

// Get returns the value of a layout that the table holds, or of another in its
// place, which is as good as never.
func (l *TemplateIndex[T]) Get(layout *Template) (value T, ok bool) {
	if layout.python {
		return l.python.get(layout)
	}
	sum, _ := l.sum(layout)
	found, ok := l.known[sum]
	return found.value, ok
}

// Find returns the value of the layout of the record that text begins with,
// as MatchShuffled finds it. Cut says that it might find one with more text.
func (l *TemplateIndex[T]) Find(text []byte, python bool) (value T, hole Placeholder, size int, cut bool) {
	if python {
		value, hole, size = l.python.find(text)
		return value, hole, size, false
	}
	f := holeFinder{text: text, seed: l.seed}
	if !f.object() {
		return value, f.hole, 0, f.at >= len(text) && l.mayBe(text, f.hole)
	}
	if found, ok := l.known[f.sum]; ok {
		if hole, size, _ = found.layout.MatchAnyOrder(text); size > 0 {
			return found.value, hole, size, false
		}
	}
	return value, hole, 0, false
}

// mayBe reports whether text, which ends before the record does, may be the
// beginning of a record of some layout.
func (l *TemplateIndex[T]) mayBe(text []byte, hole Placeholder) bool {
	if hole.From == 0 {
		return len(text) < shortRecord
	}
	for _, known := range l.known {
		if reached, _, _ := known.layout.MatchAnyOrder(text); reached.From == hole.From {
			return true
		}
	}
	return false
}

// sum is that of the records of a layout. It reports false for one of which
// records are not found.
func (l *TemplateIndex[T]) sum(layout *Template) (sum uint64, ok bool) {
	f := holeFinder{text: layout.record, seed: l.seed}
	ok = f.object() && f.at == len(layout.record) && f.open == layout.open && (f.open == 0 || f.hole.From == len(layout.head))
	return f.sum, ok
}
