package value

// Limits of the names that a Scanner keeps. A protocol has a few dozen.
const (
	maxNames     = 512
	maxNameBytes = 64
)

// nameOf returns the name of a member. Names recur in every record.
func (s *Scanner) nameOf(raw []byte) string {
	if name, ok := s.names[string(raw)]; ok {
		return name
	}
	name := string(raw)
	if len(raw) <= maxNameBytes && len(s.names) < maxNames {
		if s.names == nil {
			s.names = map[string]string{}
		}
		s.names[name] = name
	}
	return name
}

// Sizes of an arena's slabs, in nodes.
const (
	slabNodes = 64      // in the first, twice as many in each that follows
	keptNodes = 1 << 16 // a larger slab is not kept for the next record
)

// nodeArena allocates slices of nodes that are all released together by reset.
type nodeArena struct {
	slabs [][]Node // full before slabs[at], free after it
	at    int
	used  int // number of nodes of slabs[at] in use
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

// copyOf returns a copy of nodes in the arena.
func (a *nodeArena) copyOf(nodes []Node) []Node {
	n := len(nodes)
	if n == 0 {
		return nil
	}
	for a.at < len(a.slabs) && a.used+n > len(a.slabs[a.at]) {
		a.at, a.used = a.at+1, 0
	}
	if a.at == len(a.slabs) {
		a.slabs = append(a.slabs, make([]Node, max(n, slabNodes<<min(a.at, 8))))
	}
	from := a.used
	a.used += n
	slab := a.slabs[a.at][from:a.used:a.used]
	copy(slab, nodes)
	return slab
}
