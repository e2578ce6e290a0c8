package report

import (
	"cmp"
	"slices"

	"github.com/lmclint/lmclint/lint"
)

// sorted is what a document lists of findings, in an order.
type sorted[T any] []listed[T]

type listed[T any] struct {
	path, rule string
	offset     int64
	value      T
}

func (s *sorted[T]) add(f *lint.Finding, value T) {
	*s = append(*s, listed[T]{f.Path, f.Rule.ID, f.Place.Span.Start.Offset, value})
}

// sort sorts the findings by path, offset and rule.
func (s sorted[T]) sort() {
	slices.SortStableFunc(s, func(a, b listed[T]) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.offset, b.offset), cmp.Compare(a.rule, b.rule))
	})
}

// compare orders findings as documents list them: by path, offset and rule.
func compare(a, b *lint.Finding) int {
	return cmp.Or(
		cmp.Compare(a.Path, b.Path),
		cmp.Compare(a.Place.Span.Start.Offset, b.Place.Span.Start.Offset),
		cmp.Compare(a.Rule.ID, b.Rule.ID),
		cmp.Compare(a.Message, b.Message),
	)
}

func sortFiles(files []File) {
	slices.SortStableFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
}

// mostSevere keeps up to a number of the most severe findings and counts the
// rest. Memory is bounded, and the result does not depend on the number of jobs.
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

// sorted returns the findings that were kept, in the order of documents.
func (g *mostSevere) sorted() []lint.Finding {
	g.cut()
	slices.SortStableFunc(g.kept, func(a, b lint.Finding) int { return compare(&a, &b) })
	return g.kept
}
