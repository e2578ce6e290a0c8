package schema

import (
	"hash/maphash"
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
