package job

import (
	"cmp"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

func init() {
	beam.RegisterDoFn(&joinFn{})
	beam.RegisterDoFn(&relocateFn{})
}

// joinFn joins the outcomes of the parts of an input.
type joinFn struct{}

// ProcessElement emits what precedes each part, by the part, and the outcome of
// the input. After a part that could not be read to its end no other counts, as
// if the input had been read in order.
func (joinFn) ProcessElement(path string, parts func(*Outcome) bool, base func(part string, _ Base), done func(Outcome)) {
	var all []Outcome
	for part := (Outcome{}); parts(&part); part = (Outcome{}) {
		all = append(all, part)
	}
	slices.SortFunc(all, func(a, b Outcome) int { return cmp.Compare(a.Start, b.Start) })
	whole := Outcome{Path: path}
	for i := range all {
		piece := Piece{Path: path}
		base(piece.key(all[i].Start), Base{whole.Lines, whole.Conversations})
		if i == 0 {
			whole.Protocol, whole.Kind, whole.Form = all[0].Protocol, all[0].Kind, all[0].Form
		}
		whole.join(&all[i])
		if whole.Failure != "" {
			break
		}
	}
	done(whole)
}

// relocateFn moves the findings of a part to their lines in the input.
type relocateFn struct{ Shards int }

// ProcessElement emits the findings of a part by shard. They are dropped if the
// part has no base: the input could not be read up to it.
func (fn *relocateFn) ProcessElement(part string, texts func(*[]byte) bool, bases func(*Base) bool, emit func(shard int, _ []byte)) {
	var base Base
	if !bases(&base) {
		return
	}
	move := shift{lines: int64(base.Lines), conversations: int64(base.Conversations)}
	for text := []byte(nil); texts(&text); {
		emit(shardOf(part, fn.Shards), move.apply(text))
	}
}
