package report

import (
	"cmp"
	"slices"

	"github.com/lmclint/lmclint/lint"
)

// compare orders findings as documents list them: by path, offset and rule.
func compare(a, b *lint.Finding) int {
	return cmp.Or(
		cmp.Compare(a.Path, b.Path),
		cmp.Compare(a.Place.Span.Start.Offset, b.Place.Span.Start.Offset),
		cmp.Compare(a.Rule.ID, b.Rule.ID),
		cmp.Compare(a.Message, b.Message),
	)
}

func sortFindings(findings []lint.Finding) {
	slices.SortStableFunc(findings, func(a, b lint.Finding) int { return compare(&a, &b) })
}

func sortFiles(files []File) {
	slices.SortStableFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
}

// gravest keeps the findings that matter most, up to a number, and counts the
// rest: memory stays bounded, and what is left does not depend on how many
// jobs there were.
type mostSevere struct {
	most int // to keep
	kept []lint.Finding
	left int // findings that were not kept
}

func (g *mostSevere) add(f lint.Finding) {
	g.kept = append(g.kept, f)
	if len(g.kept) >= 2*g.most {
		g.cut()
	}
}

func (g *mostSevere) cut() {
	if len(g.kept) <= g.most {
		return
	}
	slices.SortStableFunc(g.kept, func(a, b lint.Finding) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), compare(&a, &b))
	})
	g.left += len(g.kept) - g.most
	clear(g.kept[g.most:])
	g.kept = g.kept[:g.most]
}

// sorted returns what was kept in the order of documents.
func (g *mostSevere) sorted() []lint.Finding {
	g.cut()
	sortFindings(g.kept)
	return g.kept
}
