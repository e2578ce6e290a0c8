package compare

import (
	"bytes"
	"slices"
	"sort"
)

// pair is two blocks that are compared with each other, by their indexes.
type pair struct{ a, b int }

// aligner finds the blocks of two recordings that are to be compared with each
// other: the longest common subsequence of equal blocks and, between these, those
// that are most alike.
//
// Blocks that are equal and occur once in both recordings are anchors, as in a
// patience diff: the parts between them are aligned on their own. A part that is
// small enough is aligned exactly, by dynamic programming; of a larger one without
// anchors, only its beginning, then what follows. That takes a time that is at most
// proportional to the number of blocks.
type aligner struct {
	x, y         []view
	ids          map[hash]int // equal blocks have the same number
	xs, ys       []int        // these numbers
	pairs        []pair
	table        []int32 // memory for exact
	approximated bool
}

const (
	maxExactCells = MaxExactBlocks * MaxExactBlocks
	partBlocks    = 512 // blocks of a large part that are aligned at a time, in each recording
	maxSplits     = 32  // how often parts are split at anchors
)

func newAligner(x, y []view) *aligner {
	a := &aligner{x: x, y: y, ids: map[hash]int{}}
	a.xs, a.ys = a.number(x), a.number(y)
	return a
}

func (a *aligner) number(views []view) []int {
	ids := make([]int, len(views))
	for i := range views {
		id, ok := a.ids[views[i].key]
		if !ok {
			id = len(a.ids)
			a.ids[views[i].key] = id
		}
		ids[i] = id
	}
	return ids
}

// align returns the pairs, in order.
func (a *aligner) align() []pair {
	a.between(0, len(a.x), 0, len(a.y), 0)
	return a.pairs
}

// between aligns x[i:m] with y[j:n].
func (a *aligner) between(i, m, j, n, splits int) {
	for i < m && j < n && a.xs[i] == a.ys[j] {
		a.pairs = append(a.pairs, pair{i, j})
		i, j = i+1, j+1
	}
	end := 0
	for i < m && j < n && a.xs[m-1] == a.ys[n-1] {
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
		a.pairs = append(a.pairs, pair{m + k, n + k})
	}
}

// large aligns a part at its anchors.
func (a *aligner) large(i, m, j, n, splits int) {
	var anchors []pair
	if splits < maxSplits {
		anchors = a.anchors(i, m, j, n)
	}
	if len(anchors) == 0 {
		a.partByPart(i, m, j, n)
		return
	}
	for _, p := range anchors {
		a.between(i, p.a, j, p.b, splits+1)
		a.pairs = append(a.pairs, p)
		i, j = p.a+1, p.b+1
	}
	a.between(i, m, j, n, splits+1)
}

// anchors returns the longest list of blocks in the same order that are equal and
// occur once in either part.
func (a *aligner) anchors(i, m, j, n int) []pair {
	type occurrence struct{ x, y, at int } // how often, and where in y
	found := map[int]*occurrence{}
	for k := i; k < m; k++ {
		if found[a.xs[k]] == nil {
			found[a.xs[k]] = &occurrence{}
		}
		found[a.xs[k]].x++
	}
	for k := j; k < n; k++ {
		if o := found[a.ys[k]]; o != nil {
			o.y++
			o.at = k
		}
	}
	var candidates []pair
	for k := i; k < m; k++ {
		if o := found[a.xs[k]]; o.x == 1 && o.y == 1 {
			candidates = append(candidates, pair{k, o.at})
		}
	}
	return longestRising(candidates)
}

// longestRising returns the longest part of a list of pairs, which are sorted by a,
// in which b rises.
func longestRising(list []pair) []pair {
	var ends []int                   // by length: the index of the pair with the least b that ends such a part
	before := make([]int, len(list)) // the pair before each one in its part, or -1
	for i, p := range list {
		at := sort.Search(len(ends), func(k int) bool { return list[ends[k]].b >= p.b })
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
	var rising []pair
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		rising = append(rising, list[i])
	}
	slices.Reverse(rising)
	return rising
}

// partByPart aligns a large part without anchors: the first blocks of it, of which
// it keeps the first half, and so on.
func (a *aligner) partByPart(i, m, j, n int) {
	a.approximated = true
	for (m-i)*(n-j) > maxExactCells {
		until := pair{i + partBlocks/2, j + partBlocks/2}
		next := a.exact(i, min(m, i+partBlocks), j, min(n, j+partBlocks), &until)
		i, j = next.a, next.b
	}
	a.exact(i, m, j, n, nil)
}

// Scores of pairs. An equal pair counts more than two others, and a pair of blocks
// whose role and type are the same counts more than none.
const (
	scoreEqual    = 1300 // all that is compared is equal
	scoreSameText = 550  // the text is equal
	scoreSameType = 60   // role and type are; and what the texts have in common, up to 400
	minSimilarity = 50   // percent of the words of blocks of other types that are compared
)

// score returns what the pair x[i], y[j] is worth, 0 if the two are not compared.
func (a *aligner) score(i, j int) int32 {
	if a.xs[i] == a.ys[j] {
		return scoreEqual
	}
	b, c := a.x[i].block, a.y[j].block
	if b.Kind != c.Kind || b.Kind == Boundary {
		return 0
	}
	sameText := b.text == c.text && b.Bytes > 0
	alike := int32(b.sketch.similarity(&c.sketch))
	switch sameType := b.Role == c.Role && b.Type == c.Type; {
	case sameText && sameType:
		return scoreSameText + 10
	case sameText:
		return scoreSameText
	case sameType && b.Format == c.Format:
		return scoreSameType + 10 + 4*alike
	case sameType:
		return scoreSameType + 4*alike
	case alike >= minSimilarity:
		return 4 * alike
	}
	return 0
}

// exact finds the pairs of x[i:m] and y[j:n] that are worth most. With until, it
// keeps them up to the first that reaches one of these indexes, and returns where
// the rest begins.
func (a *aligner) exact(i, m, j, n int, until *pair) pair {
	rows, columns := m-i, n-j
	width := columns + 1
	if size := (rows + 1) * width; cap(a.table) < size {
		a.table = make([]int32, size)
	}
	best := a.table[:(rows+1)*width] // of x[i+r:] and y[j+c:]
	clear(best[rows*width:])
	for r := rows - 1; r >= 0; r-- {
		best[r*width+columns] = 0
		for c := columns - 1; c >= 0; c-- {
			most := max(best[(r+1)*width+c], best[r*width+c+1])
			if s := a.score(i+r, j+c); s > 0 {
				most = max(most, s+best[(r+1)*width+c+1])
			}
			best[r*width+c] = most
		}
	}
	r, c := 0, 0
	for r < rows && c < columns {
		if until != nil && (i+r >= until.a || j+c >= until.b) {
			return pair{i + r, j + c}
		}
		here := best[r*width+c]
		switch s := a.score(i+r, j+c); {
		case s > 0 && here == s+best[(r+1)*width+c+1]:
			a.pairs = append(a.pairs, pair{i + r, j + c})
			r, c = r+1, c+1
		case here == best[(r+1)*width+c]:
			r++
		default:
			c++
		}
	}
	return pair{m, n}
}

// comesFirst reports whether the blocks of x come before those of y in an order
// that depends only on them. The alignment is made in this order, so that it does
// not depend on which recording is named first.
func comesFirst(x, y []view) bool {
	for i := range min(len(x), len(y)) {
		if order := bytes.Compare(x[i].key[:], y[i].key[:]); order != 0 {
			return order < 0
		}
	}
	return len(x) < len(y)
}
