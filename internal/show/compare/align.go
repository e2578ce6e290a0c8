package compare

// Scores of pairs. An equal pair counts more than two others, and a pair of blocks
// whose role and type are the same counts more than none.
const (
	scoreEqual    = 1300 // all that is compared is equal
	scoreSameText = 550  // the text is equal
	scoreSameType = 60   // role and type are; and what the texts have in common, up to 400
	minSimilarity = 50   // percent of the words of blocks of other types that are compared
)

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
