package schema

import (
	"hash/maphash"
	"sync/atomic"

	"github.com/lmclint/lmclint/source"
)

// maxShapes is how many shapes of records of one part are remembered.
const maxShapes = 4096

// memo holds verdicts by shape. It is safe for concurrent use, and readers do
// not wait: it is a hash table in which a slot is filled once, with more slots
// than it ever holds memories.
type memo struct {
	seed  maphash.Seed
	count atomic.Int32
	slots [2 * maxShapes]atomic.Pointer[memory]
}

func newMemo() *memo { return &memo{seed: maphash.MakeSeed()} }

// find returns what is remembered of a shape, or nil.
func (m *memo) find(by *definition, shape []byte) *memory {
	for i := m.slot(shape); ; i = next(i) {
		known := m.slots[i].Load()
		if known == nil || known.is(by, shape) {
			return known
		}
	}
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
	if m.count.Add(1) > maxShapes || !m.fill(fresh) {
		m.count.Add(-1)
	}
}

// fill puts a memory into the first free slot, unless it is there already.
func (m *memo) fill(fresh *memory) bool {
	shape := []byte(fresh.shape)
	for i := m.slot(shape); ; i = next(i) {
		if m.slots[i].CompareAndSwap(nil, fresh) {
			return true
		}
		if m.slots[i].Load().is(fresh.by, shape) {
			return false
		}
	}
}

func (m *memo) slot(shape []byte) int {
	return int(maphash.Bytes(m.seed, shape) % uint64(len(m.slots)))
}

func next(slot int) int { return (slot + 1) % (2 * maxShapes) }
