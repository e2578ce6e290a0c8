package compare

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/blocks"
)

// Scores of pairs. An equal pair counts more than two others, and a pair of blocks
// whose role and type are the same counts more than none.
const (
	scoreEqual    = 1300 // all that is compared is equal
	scoreSameText = 550  // the text is equal
	scoreSameType = 60   // role and type are; and what the texts have in common, up to 400
	minSimilarity = 50   // percent of the words of blocks of other types that are compared
)

// newAligner returns the aligner of the blocks of two recordings.
func newAligner(x, y []view) *blocks.Aligner {
	ids := map[blocks.Hash]int{}
	number := func(views []view) []int {
		list := make([]int, len(views))
		for i := range views {
			id, ok := ids[views[i].key]
			if !ok {
				id = len(ids)
				ids[views[i].key] = id
			}
			list[i] = id
		}
		return list
	}
	a := &blocks.Aligner{A: number(x), B: number(y)}
	a.Worth = func(i, j int) int32 {
		if a.A[i] == a.B[j] {
			return scoreEqual
		}
		return score(x[i].block, y[j].block)
	}
	return a
}

// score returns what a pair of blocks that differ is worth, 0 if they are not
// compared.
func score(a, b *Block) int32 {
	if a.Kind != b.Kind || a.Kind == Boundary {
		return 0
	}
	sameText := a.Text.Hash == b.Text.Hash && a.Text.Bytes > 0
	alike := int32(a.sketch.similarity(&b.sketch))
	switch sameType := a.Role == b.Role && a.Type == b.Type; {
	case sameText && sameType:
		return scoreSameText + 10
	case sameText:
		return scoreSameText
	case sameType && a.Format == b.Format:
		return scoreSameType + 10 + 4*alike
	case sameType:
		return scoreSameType + 4*alike
	case alike >= minSimilarity:
		return 4 * alike
	}
	return 0
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
