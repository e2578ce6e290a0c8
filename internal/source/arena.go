package source

// Sizes of an arena's slabs, in nodes.
const (
	slabNodes = 64      // in the first, twice as many in each that follows
	keptNodes = 1 << 16 // a larger slab is not kept for the next record
)

// nodeArena hands out slices of nodes that all become free together.
type nodeArena struct {
	slabs [][]Node // in use before slabs[at], free behind it
	at    int
	used  int // nodes of slabs[at]
}

func (a *nodeArena) reset() {
	a.at, a.used = 0, 0
	for i, slab := range a.slabs {
		if len(slab) > keptNodes {
			a.slabs = a.slabs[:i]
			return
		}
	}
}

// take returns a copy of nodes.
func (a *nodeArena) take(nodes []Node) []Node {
	if len(nodes) == 0 {
		return nil
	}
	slab := a.room(len(nodes))
	copy(slab, nodes)
	return slab
}

func (a *nodeArena) room(n int) []Node {
	for a.at < len(a.slabs) && a.used+n > len(a.slabs[a.at]) {
		a.at, a.used = a.at+1, 0
	}
	if a.at == len(a.slabs) {
		a.slabs = append(a.slabs, make([]Node, max(n, slabNodes<<min(a.at, 8))))
	}
	from := a.used
	a.used += n
	return a.slabs[a.at][from:a.used:a.used]
}
