// Package compare finds where two recordings of one conversation differ.
//
// A [Recorder] observes the check of one input (see lint.WithObserver) and makes
// its [Recording]: the [Block]s of its conversations, in order. A block is what a
// start and an end flag enclose, a whole message, a confirmation, a frame of the
// server, or an object of another kind. How its text was divided into chunks is not
// kept, so that a stream can be compared with another one, and with the transcript
// of its conversation.
//
//	linter, err := lint.New(rules.All(), lint.WithObserver(compare.Observe))
//	…
//	result, err := linter.Run(ctx, name, reader, emit)
//	recording := compare.Of(result)
//	…
//	found := compare.Compare(a, b, compare.Options{})
//
// [Compare] aligns the blocks of two recordings: an inserted block is one
// difference, and what follows it is compared with what it is equal to.
//
// Memory is bounded: the texts of a recording are kept up to a limit, and longer
// ones as their length and hash; see the limits in this package.
package compare

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/blocks"
)

// Limits of a recording and of a comparison.
const (
	// MaxBlocks is how many blocks a recording may have.
	MaxBlocks = 1 << 18

	// MaxTextBytes is how long a text may be that is kept, and MaxAllTextBytes all
	// texts of a recording. Others are compared by length and hash.
	MaxTextBytes    = 1 << 20
	MaxAllTextBytes = 64 << 20

	// MaxLines is how many lines of a changed text are shown.
	MaxLines = 40
)

// Options are what is not compared.
type Options struct {
	IgnoreContent bool `json:"ignoreContent"` // texts, images and active lines: only the structure counts
	IgnoreImages  bool `json:"ignoreImages"`  // the data of images
}

// Change is what happened to a block between two recordings.
type Change string

// The changes.
const (
	Changed Change = "changed"
	Removed Change = "removed" // only the first recording has it
	Added   Change = "added"   // only the second recording has it
	Moved   Change = "moved"   // it is at another place
)

// Difference is a block that is not the same in both recordings.
type Difference struct {
	Change Change
	A, B   *Block  // nil where a recording has no such block
	Fields []Field // in which a changed block differs
	Reason Reason  // why it does not count as a difference, "" if it does
}

// Field is a part of a block.
type Field string

// The fields, in the order in which they are listed.
const (
	FieldRole      Field = "role"
	FieldType      Field = "type"
	FieldFormat    Field = "format"
	FieldRecipient Field = "recipient"
	FieldFlags     Field = "flags"
	FieldKeys      Field = "keys"
	FieldValues    Field = "values"
	FieldContent   Field = "content"
)

// Result is the comparison of two recordings.
type Result struct {
	Differences []Difference // in the order of the blocks
	Explained   []Difference // between a stream and a transcript: known to happen when the blocks are stored

	Equal        int    // blocks that are the same in both
	LeftOut      [2]int // blocks of each recording that the other one cannot have
	Approximated bool   // there may be a shorter list of differences
}

// Counts returns the number of differences of each kind.
func (r *Result) Counts() map[Change]int {
	counts := map[Change]int{}
	for i := range r.Differences {
		counts[r.Differences[i].Change]++
	}
	return counts
}

// Compare compares two recordings, which it does not change. The result for
// swapped recordings is the mirrored one.
func Compare(a, b *Recording, o Options) *Result {
	s := &scope{
		options: o,
		stored:  !a.isWorkbench() && !b.isWorkbench() && (a.Kind == protocol.KindTranscript) != (b.Kind == protocol.KindTranscript),
		users:   a.hasUser() && b.hasUser(),
		several: a.hasBoundaries() || b.hasBoundaries(),
	}
	r := &Result{}
	x, y := s.view(a, b, &r.LeftOut[0]), s.view(b, a, &r.LeftOut[1])
	var list []Difference
	i, j := 0, 0
	for _, p := range append(r.align(x, y), blocks.Pair{A: len(x.keys), B: len(y.keys)}) {
		for ; i < p.A; i++ {
			list = append(list, Difference{Change: Removed, A: x.blocks[i]})
		}
		for ; j < p.B; j++ {
			list = append(list, Difference{Change: Added, B: y.blocks[j]})
		}
		switch {
		case i == len(x.keys) || j == len(y.keys):
		case x.keys[i] == y.keys[j]:
			r.Equal++
		default:
			a, b := x.blocks[i], y.blocks[j]
			list = append(list, Difference{Change: Changed, A: a, B: b, Fields: s.fields(a, b)})
		}
		i, j = i+1, j+1
	}
	list = s.findMoved(list)
	if s.stored {
		explain(list, a.Kind != protocol.KindTranscript)
	}
	for _, d := range list {
		if d.Reason == "" {
			r.Differences = append(r.Differences, d)
		} else {
			r.Explained = append(r.Explained, d)
		}
	}
	return r
}

// align returns the pairs of blocks that belong together. It aligns the views in an
// order that depends only on them, and not on which recording is named first.
func (r *Result) align(x, y view) []blocks.Pair {
	isSwapped := slices.CompareFunc(x.keys, y.keys, func(a, b blocks.Hash) int { return bytes.Compare(a[:], b[:]) }) > 0
	if isSwapped {
		x, y = y, x
	}
	a := &blocks.Aligner{A: x.keys, B: y.keys, Worth: func(i, j int) int32 {
		if x.keys[i] == y.keys[j] {
			return scoreEqual
		}
		return score(x.blocks[i], y.blocks[j])
	}}
	pairs := a.Align()
	r.Approximated = a.Approximated
	if isSwapped {
		for i := range pairs {
			pairs[i].A, pairs[i].B = pairs[i].B, pairs[i].A
		}
	}
	return pairs
}

// findMoved joins a removed block and an added one that are equal, if there is
// only one of each.
func (s *scope) findMoved(list []Difference) []Difference {
	type places struct{ removed, added []int }
	byKey := map[blocks.Hash]places{}
	for i, d := range list {
		block := cmp.Or(d.A, d.B)
		if d.Change == Changed || block.Kind == Boundary {
			continue
		}
		key := s.keyOf(block)
		p := byKey[key]
		if d.Change == Removed {
			p.removed = append(p.removed, i)
		} else {
			p.added = append(p.added, i)
		}
		byKey[key] = p
	}
	for _, p := range byKey {
		if len(p.removed) == 1 && len(p.added) == 1 {
			removed, added := &list[p.removed[0]], &list[p.added[0]]
			removed.Change, removed.B = Moved, added.B
			added.B = nil
		}
	}
	return slices.DeleteFunc(list, func(d Difference) bool { return d.A == nil && d.B == nil })
}

// fields returns the fields in which two blocks differ.
func (s *scope) fields(a, b *Block) (fields []Field) {
	for _, f := range []struct {
		field   Field
		differs bool
	}{
		{FieldRole, a.Role != b.Role},
		{FieldType, a.Type != b.Type || a.Kind != b.Kind},
		{FieldFormat, a.Format != b.Format},
		{FieldRecipient, a.Recipient != b.Recipient},
		{FieldFlags, s.flagsOf(a) != s.flagsOf(b)},
		{FieldKeys, a.Keys != b.Keys},
		{FieldValues, s.valuesOf(a) != s.valuesOf(b)},
		{FieldContent, s.textOf(a) != s.textOf(b)},
	} {
		if f.differs {
			fields = append(fields, f.field)
		}
	}
	return fields
}

// Has reports whether a changed block differs in a field.
func (d *Difference) Has(f Field) bool { return slices.Contains(d.Fields, f) }
