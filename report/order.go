package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/lmclint/lmclint/lint"
)

// list is what a document has of findings. If it has a maximum, it keeps the most severe
// ones and counts the rest: memory is bounded, and the result does not depend on the number
// of jobs.
type list[T any] struct {
	most int // to keep; 0 for all
	kept []listed[T]
	left int // findings that were not kept
}

type listed[T any] struct {
	path, rule, message string
	severity            lint.Severity
	offset              int64
	value               T
}

func (l *list[T]) add(f *lint.Finding, value T) {
	l.kept = append(l.kept, listed[T]{f.Path, f.Rule.ID, f.Message, f.Severity, f.Place.Span.Start.Offset, value})
	if l.most > 0 && len(l.kept) >= 2*l.most {
		l.cut()
	}
}

func (l *list[T]) cut() {
	most := cmp.Or(l.most, math.MaxInt)
	if len(l.kept) <= most {
		return
	}
	slices.SortStableFunc(l.kept, func(a, b listed[T]) int {
		return cmp.Or(cmp.Compare(b.severity, a.severity), inOrder(a, b))
	})
	l.left += len(l.kept) - most
	clear(l.kept[most:])
	l.kept = l.kept[:most]
}

// sorted returns the findings that were kept, by path, offset, rule and message.
func (l *list[T]) sorted() []listed[T] {
	l.cut()
	slices.SortStableFunc(l.kept, inOrder[T])
	return l.kept
}

func inOrder[T any](a, b listed[T]) int {
	return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.offset, b.offset), cmp.Compare(a.rule, b.rule), cmp.Compare(a.message, b.message))
}

func sortFiles(files []File) {
	slices.SortStableFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
}
