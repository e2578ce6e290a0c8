package blocks

import (
	"slices"
	"sort"
)

// Pair is a block of one list and one of another that belong together, by their
// indexes.
type Pair struct {
	A, B   int
	Joined bool // also with the block after B
}

// Aligner finds the blocks of two lists that belong together: the pairs, in the
// order of both lists, that are worth most.
type Aligner struct {
	// Worth returns what a pair is worth, 0 for two blocks that are not a pair.
	Worth func(a, b int) int32

	// Joined returns what it is worth that a block belongs to b and the one after
	// it, 0 if it does not. It may be nil.
	Joined func(a, b int) int32

	// A and B are the keys of the blocks: those that are equal in all that is
	// compared have the same. Only Align needs them.
	A, B []Hash

	// Approximated is set by Align if other pairs may be worth more.
	Approximated bool

	pairs []Pair
	table []int32 // memory for exact
}

// MaxExact is how many blocks without an equal one in between are aligned exactly:
// so many in each list. More are aligned part by part.
const MaxExact = 1 << 10

const (
	maxExactCells = MaxExact * MaxExact
	partBlocks    = 512 // blocks of a large part that are aligned at a time, in each list
	maxSplits     = 32  // how often parts are split at anchors
)

// Exact returns the pairs of two short lists, of m and n blocks. Their order is the
// only one that counts: equal blocks need not be a pair.
func (a *Aligner) Exact(m, n int) []Pair {
	a.exact(0, m, 0, n, nil)
	return a.pairs
}

// Align returns the pairs. Blocks that are equal and occur once in both lists are
// anchors, as in a patience diff: the parts between them are aligned on their own.
// A part that is small enough is aligned exactly; of a larger one without anchors,
// only its beginning, then what follows. That takes a time that is at most
// proportional to the number of blocks.
func (a *Aligner) Align() []Pair {
	a.between(0, len(a.A), 0, len(a.B), 0)
	return a.pairs
}

// between aligns A[i:m] with B[j:n].
func (a *Aligner) between(i, m, j, n, splits int) {
	for i < m && j < n && a.A[i] == a.B[j] {
		a.pairs = append(a.pairs, Pair{A: i, B: j})
		i, j = i+1, j+1
	}
	end := 0
	for i < m && j < n && a.A[m-1] == a.B[n-1] {
		m, n, end = m-1, n-1, end+1
	}
	switch {
	case i == m || j == n:
	case (m-i)*(n-j) <= maxExactCells:
		a.exact(i, m, j, n, nil)
	default:
		a.large(i, m, j, n, splits)
	}
	for k := range end {
		a.pairs = append(a.pairs, Pair{A: m + k, B: n + k})
	}
}

// large aligns a part at its anchors. Without any, it aligns the first blocks and
// keeps the first half of these, and so on.
func (a *Aligner) large(i, m, j, n, splits int) {
	var anchors []Pair
	if splits < maxSplits {
		anchors = a.anchors(i, m, j, n)
	}
	for _, p := range anchors {
		a.between(i, p.A, j, p.B, splits+1)
		a.pairs = append(a.pairs, p)
		i, j = p.A+1, p.B+1
	}
	if len(anchors) > 0 {
		a.between(i, m, j, n, splits+1)
		return
	}
	a.Approximated = true
	for (m-i)*(n-j) > maxExactCells {
		next := a.exact(i, min(m, i+partBlocks), j, min(n, j+partBlocks), &Pair{A: i + partBlocks/2, B: j + partBlocks/2})
		i, j = next.A, next.B
	}
	a.exact(i, m, j, n, nil)
}

// anchors returns the longest list of blocks in the same order that are equal and
// occur once in either part.
func (a *Aligner) anchors(i, m, j, n int) []Pair {
	type occurrence struct{ a, b, at int } // how often, and where in B
	found := map[Hash]*occurrence{}
	for k := i; k < m; k++ {
		if found[a.A[k]] == nil {
			found[a.A[k]] = &occurrence{}
		}
		found[a.A[k]].a++
	}
	for k := j; k < n; k++ {
		if o := found[a.B[k]]; o != nil {
			o.b++
			o.at = k
		}
	}
	var candidates []Pair
	for k := i; k < m; k++ {
		if o := found[a.A[k]]; o.a == 1 && o.b == 1 {
			candidates = append(candidates, Pair{A: k, B: o.at})
		}
	}
	return longestRising(candidates)
}

// longestRising returns the longest part of a list of pairs, which are sorted by A,
// in which B rises.
func longestRising(list []Pair) []Pair {
	var ends []int                   // by length: the index of the pair with the least B that ends such a part
	before := make([]int, len(list)) // the pair before each one in its part, or -1
	for i, p := range list {
		at := sort.Search(len(ends), func(k int) bool { return list[ends[k]].B >= p.B })
		before[i] = -1
		if at > 0 {
			before[i] = ends[at-1]
		}
		if at == len(ends) {
			ends = append(ends, i)
		} else {
			ends[at] = i
		}
	}
	if len(ends) == 0 {
		return nil
	}
	var rising []Pair
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		rising = append(rising, list[i])
	}
	slices.Reverse(rising)
	return rising
}

// exact appends the pairs of A[i:m] and B[j:n] with the highest total worth. Where
// skipping a block of A is worth as much as skipping one of B, it skips that of A. With
// until, it stops when it reaches one of these indexes, and returns where the rest
// begins.
func (a *Aligner) exact(i, m, j, n int, until *Pair) Pair {
	rows, columns := m-i, n-j
	width := columns + 2 // two columns are beyond the end
	if size := (rows + 1) * width; cap(a.table) < size {
		a.table = make([]int32, size)
	}
	best := a.table[:(rows+1)*width] // of A[i+r:] and B[j+c:]
	clear(best)
	worth := func(r, c int) (one, both int32) {
		if points := a.Worth(i+r, j+c); points > 0 {
			one = points + best[(r+1)*width+c+1]
		}
		if a.Joined == nil || c+1 == columns {
			return one, 0
		}
		if points := a.Joined(i+r, j+c); points > 0 {
			both = points + best[(r+1)*width+c+2]
		}
		return one, both
	}
	for r := rows - 1; r >= 0; r-- {
		for c := columns - 1; c >= 0; c-- {
			one, both := worth(r, c)
			best[r*width+c] = max(best[(r+1)*width+c], best[r*width+c+1], one, both)
		}
	}
	r, c := 0, 0
	for r < rows && c < columns {
		if until != nil && (i+r >= until.A || j+c >= until.B) {
			return Pair{A: i + r, B: j + c}
		}
		here := best[r*width+c]
		switch one, both := worth(r, c); {
		case here > 0 && here == one:
			a.pairs = append(a.pairs, Pair{A: i + r, B: j + c})
			r, c = r+1, c+1
		case here > 0 && here == both:
			a.pairs = append(a.pairs, Pair{A: i + r, B: j + c, Joined: true})
			r, c = r+1, c+2
		case here == best[(r+1)*width+c]:
			r++
		default:
			c++
		}
	}
	return Pair{A: m, B: n}
}
