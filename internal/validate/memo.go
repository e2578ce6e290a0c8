package validate

import (
	"hash/maphash"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/lmclint/lmclint/internal/source"
)

// How many shapes of records of one part are remembered, and how many before
// room is made for that many: most inputs have few.
const (
	maxShapes = 4096
	fewShapes = 64
)

// memo holds verdicts by shape. It is safe for concurrent use, and readers do
// not wait.
type memo struct {
	seed maphash.Seed
	few  memoTable
	many atomic.Pointer[memoTable] // nil up to fewShapes

	mu    sync.Mutex // of those who add
	count atomic.Int32
}

func newMemo() *memo { return &memo{seed: maphash.MakeSeed(), few: newMemories(fewShapes)} }

// find returns what is remembered of a shape, or nil.
func (m *memo) find(by *definition, shape []byte) *memoEntry {
	hash := maphash.Bytes(m.seed, shape)
	known := m.few.find(hash, by, shape)
	if many := m.many.Load(); known == nil && many != nil {
		known = many.find(hash, by, shape)
	}
	return known
}

// add remembers the verdict on a record of a shape, if there is room and the
// verdict can be told from the shape.
func (m *memo) add(by *definition, shape []byte, root *source.Node, violations []Violation) {
	if m.count.Load() >= maxShapes {
		return
	}
	fresh, ok := newMemory(by, shape, root, violations)
	if !ok {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.count.Load() < maxShapes && m.find(by, shape) == nil {
		m.room().put(maphash.Bytes(m.seed, shape), fresh)
		m.count.Add(1)
	}
}

// room is where the next memory goes.
func (m *memo) room() memoTable {
	if m.count.Load() < fewShapes {
		return m.few
	}
	if m.many.Load() == nil {
		many := newMemories(maxShapes)
		m.many.Store(&many)
	}
	return *m.many.Load()
}

// memories are a hash table in which a slot is filled once, with more slots
// than it ever holds memories.
type memoTable []atomic.Pointer[memoEntry]

func newMemories(most int) memoTable { return make(memoTable, 2*most) }

func (m memoTable) find(hash uint64, by *definition, shape []byte) *memoEntry {
	for i := m.slot(hash); ; i = m.next(i) {
		known := m[i].Load()
		if known == nil || known.is(by, shape) {
			return known
		}
	}
}

// put puts a memory into the first free slot.
func (m memoTable) put(hash uint64, fresh *memoEntry) {
	i := m.slot(hash)
	for m[i].Load() != nil {
		i = m.next(i)
	}
	m[i].Store(fresh)
}

// slot is where to begin to look. The slots are a power of two.
func (m memoTable) slot(hash uint64) int { return int(hash & uint64(len(m)-1)) }

func (m memoTable) next(slot int) int { return (slot + 1) & (len(m) - 1) }

// memory is the verdict on the records of one shape.
type memoEntry struct {
	by    *definition
	shape string
	found []*memoViolation // empty if they are valid
}

// remembered is a violation without the record that it was found in.
type memoViolation struct {
	violation Violation
	path      []int // where its node is, by the numbers of children
	vague     bool  // what is made of its node's key or value differs between records of the shape
	instead   int   // which child of the record Instead is the key of, -1 without one

	latest atomic.Pointer[memoWords] // a program makes the same mistake again and again
}

// told is what was made of a string.
type memoWords struct{ found, nearest string }

// newMemory reports false if a violation is about a place that the shape does
// not reach.
func newMemory(by *definition, shape []byte, root *source.Node, violations []Violation) (*memoEntry, bool) {
	m := &memoEntry{by: by, shape: string(shape)}
	for _, v := range violations {
		path, at, ok := by.known().relevance.find(root, v.Node)
		if !ok {
			return nil, false
		}
		vague := v.origin == fromName || v.origin != fromKeys && !at.decides(v.Node)
		instead := childNamed(root, v.Instead)
		v.Node, v.Expected = nil, slices.Clone(v.Expected)
		m.found = append(m.found, &memoViolation{violation: v, path: path, vague: vague, instead: instead})
	}
	return m, true
}

func (m *memoEntry) is(by *definition, shape []byte) bool {
	return m.by == by && m.shape == string(shape)
}

// append appends the verdict on a record of the shape to a list.
func (m *memoEntry) append(list []Violation, root *source.Node) []Violation {
	for _, r := range m.found {
		list = append(list, r.violation)
		r.fit(&list[len(list)-1], root)
	}
	return list
}

// fit makes a copy of the violation one of a record.
func (r *memoViolation) fit(v *Violation, root *source.Node) {
	v.Node = root
	for _, child := range r.path {
		v.Node = &v.Node.Children[child]
	}
	if r.instead >= 0 {
		v.Instead = root.Children[r.instead].Name
	}
	if r.vague {
		r.describe(v)
	}
}

// describe fills in what is made of the node's key or value, which is the same
// as for the latest if that was the same string.
func (r *memoViolation) describe(v *Violation) {
	if v.origin == fromName || v.Node.Kind != source.String {
		v.describe(v.origin)
		return
	}
	text := textOf(v.Node)
	if last := r.latest.Load(); last != nil && last.found[1:len(last.found)-1] == string(text) {
		v.Found, v.Nearest = last.found, last.nearest
		return
	}
	v.describe(v.origin)
	if v.Found[1:len(v.Found)-1] == string(text) { // not cut, and without escapes
		r.latest.Store(&memoWords{v.Found, v.Nearest})
	}
}

// childNamed is the number of the member that Instead is the key of, -1 if it is
// empty: no unknown key that is near a known one is.
func childNamed(root *source.Node, key string) int {
	if key == "" {
		return -1
	}
	return slices.IndexFunc(root.Children, func(n source.Node) bool { return n.Name == key })
}

// find returns the way from a value to a node in it, and the node's location.
// It looks only where shapes tell how many members there are.
func (l *relevanceNode) find(from, node *source.Node) (path []int, at *relevanceNode, ok bool) {
	if from == node {
		return nil, l, true
	}
	if l == nil || l.Members == nil || from.Kind != source.Object {
		return nil, nil, false
	}
	for i := range from.Children {
		child := &from.Children[i]
		if path, at, ok := l.Members[child.Name].find(child, node); ok {
			return append([]int{i}, path...), at, true
		}
	}
	return nil, nil, false
}

// decides reports whether the shape of a value says all that is ever told
// about it.
func (l *relevanceNode) decides(n *source.Node) bool {
	switch {
	case !isScalar(n.Kind):
		return true
	case l == nil:
		return false
	case n.Kind == source.String:
		return slices.Contains(l.Texts, n.Text())
	}
	return l.Exact
}
