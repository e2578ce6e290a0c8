// Package compare finds where two recordings of one conversation differ.
//
// A [Recorder] observes the check of one input (see lint.WithObserver) and makes
// its [Recording]: the [Entry]s of its conversations, in order. A block is what a
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
	"hash/fnv"
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
	A, B   *Entry  // nil where a recording has no such block
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
func (s *scope) fields(a, b *Entry) (fields []Field) {
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
func score(a, b *Entry) int32 {
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

// scope is what is compared of two recordings: it depends on their kinds, and on
// the options.
//
// A transcript of LMC has no flags, confirmations, reviews, active lines and frames
// of a server, and no empty output. A stream has no messages of the user, unless it
// was made of a transcript: what the other one cannot have is not a difference. Of
// Semantic Workbench, a list of messages has no events.
type scope struct {
	options Options
	stored  bool // of LMC, one is a transcript and the other is not: flags are not compared
	users   bool // both have messages of the user, which are compared
	several bool // one of them has several conversations
}

// hasUser reports whether the recording has a message of the user.
func (r *Recording) hasUser() bool {
	return slices.ContainsFunc(r.Blocks, func(b *Entry) bool { return b.Kind == Content && b.Role == "user" })
}

func (r *Recording) isWorkbench() bool { return r.Protocol == (protocol.Workbench{}).Name() }

func (r *Recording) hasBoundaries() bool { return len(r.Blocks) > 0 && r.Blocks[0].Kind == Boundary }

// view is the blocks of a recording that are compared, and for each the hash of all
// of it that is compared.
type view struct {
	blocks []*Entry
	keys   []blocks.Hash
}

// view returns the blocks of a recording that are compared with those of another
// one, and adds the number of the others to leftOut.
func (s *scope) view(r, other *Recording, leftOut *int) (v view) {
	if s.several && !r.hasBoundaries() {
		v.blocks = append(v.blocks, newBoundary(-1, r.Blocks))
	}
	for _, b := range r.Blocks {
		if s.omits(b, r, other) {
			*leftOut++
		} else {
			v.blocks = append(v.blocks, b)
		}
	}
	for _, b := range v.blocks {
		v.keys = append(v.keys, s.keyOf(b))
	}
	return v
}

// omits reports whether the other recording cannot have a block.
func (s *scope) omits(b *Entry, r, other *Recording) bool {
	switch {
	case b.Kind == Boundary || b.Kind == Unreadable || b.Kind == Other:
		return false
	case b.Kind == Event:
		return r.Kind != protocol.KindTranscript && other.Kind == protocol.KindTranscript
	case r.Kind == protocol.KindSession && other.Kind == protocol.KindStream:
		return b.sent // what the client sends is not in what it receives
	case !s.stored:
		return false
	case r.Kind == protocol.KindTranscript:
		isUsers := b.Role != "assistant" && b.Role != "computer"
		return other.Kind == protocol.KindStream && isUsers && (!s.users || b.Type == "command") || b.isSilentConsole()
	}
	return b.Kind == Single || b.Type == "review" || b.Type == "command" || b.isSilentConsole()
}

// isSilentConsole reports whether the block is an execution without output.
func (b *Entry) isSilentConsole() bool { return b.Type == "console" && b.Text.Bytes == 0 }

// keyOf returns the hash of what is compared of a block.
func (s *scope) keyOf(b *Entry) blocks.Hash {
	var key bytes.Buffer
	for _, word := range []string{string(b.Kind), b.Role, b.Type, b.Format, b.Recipient, s.flagsOf(b), b.Keys} {
		key.WriteString(word)
		key.WriteByte(0)
	}
	values, text := s.valuesOf(b), s.textOf(b)
	return blocks.HashOf(key.Bytes(), values[:], text[:])
}

// flagsOf returns the flags of a block, if they are compared.
func (s *scope) flagsOf(b *Entry) string {
	if s.stored {
		return ""
	}
	return b.Flags
}

// valuesOf returns the hash of a block's values, if they are compared.
func (s *scope) valuesOf(b *Entry) blocks.Hash {
	if s.options.IgnoreContent && b.isMeaningful() || s.stored && b.Type == "console" {
		return blocks.Hash{}
	}
	return b.values
}

// textOf returns the hash of a block's text, if it is compared.
func (s *scope) textOf(b *Entry) blocks.Hash {
	if s.options.IgnoreContent && b.isMeaningful() || s.options.IgnoreImages && b.IsImage() {
		return blocks.Hash{}
	}
	return b.Text.Hash
}

// isMeaningful reports whether the block has a role and a type, so that it can be
// compared without its content.
func (b *Entry) isMeaningful() bool { return b.Kind != Other && b.Kind != Unreadable }

// sketch estimates how similar two texts are, in constant memory: for each of some
// groups of words, the least hash of a word in it. Texts that share most of their
// words have most of these in common.
type sketch [sketchGroups]uint32

const (
	sketchGroups = 16
	sketchText   = 64 << 10 // bytes of a text that are looked at
	sketchWord   = 32       // bytes of a word, at most
)

// sketchOf returns the sketch of a text. Of a long one it looks at the beginning.
func sketchOf(text []byte) (s sketch) {
	for i := range s {
		s[i] = ^uint32(0)
	}
	text = text[:min(len(text), sketchText)]
	for word := range bytes.FieldsSeq(text) {
		for len(word) > 0 {
			part := word[:min(len(word), sketchWord)]
			word = word[len(part):]
			sum := fnv.New64a()
			_, _ = sum.Write(part) // never fails
			h := uint32(sum.Sum64() ^ sum.Sum64()>>32)
			group := h % sketchGroups
			s[group] = min(s[group], h/sketchGroups)
		}
	}
	return s
}

// similarity is how many of a hundred parts two texts share, by their sketches.
func (s *sketch) similarity(o *sketch) int {
	same, all := 0, 0
	for i := range s {
		if s[i] == ^uint32(0) && o[i] == ^uint32(0) {
			continue
		}
		all++
		if s[i] == o[i] {
			same++
		}
	}
	if all == 0 {
		return 0
	}
	return 100 * same / all
}
