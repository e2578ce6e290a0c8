// Package mutation seeds mistakes in healthy recordings, one at a time, and
// knows where each must be found. It reads recordings by itself, with
// encoding/json, so that it does not share the linter's own mistakes.
package mutation

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
)

// Mutant is a recording with one mistake.
type Mutant struct {
	Data []byte
	Want []string // rules; one of them must find the mistake
	At   []int    // lines from 1; the mistake must be found on one of them
}

// Kind is a kind of mistake.
type Kind struct {
	Name string
	want []string
	seed func(*Recording, dice) *edit
}

// Seed makes the mistake in a recording, always the same one. It returns nil if
// the recording has no place for it.
func (k Kind) Seed(r *Recording) *Mutant {
	if len(r.records) == 0 {
		return nil
	}
	e := k.seed(r, newDice(k.Name, r.Name))
	if e == nil {
		return nil
	}
	m := &Mutant{Data: e.data, Want: k.want, At: slices.Clone(e.at)}
	if m.Data == nil {
		m.Data = r.join(e.lines)
	}
	if e.want != nil {
		m.Want = e.want
	}
	for i := range m.At {
		m.At[i]++
		if r.Transcript && e.data == nil {
			m.At[i]++ // the bracket stands on the first
		}
	}
	return m
}

// Kinds returns all kinds of mistakes, those of streams first.
func Kinds() []Kind {
	return slices.Concat(framing(), shape(), execution(), content(), reading(), transcripts())
}

// edit is a recording's lines with a mistake in them. At are places among
// them, from 0.
type edit struct {
	lines [][]byte
	at    []int
	want  []string // in place of the kind's
	data  []byte   // in place of lines
}

// dice choose where a mistake stands. The same kind and recording always
// throw the same.
type dice struct{ *rand.Rand }

func newDice(names ...string) dice {
	hash := fnv.New64a()
	for _, name := range names {
		_, _ = hash.Write([]byte(name + "|")) // never fails
	}
	return dice{rand.New(rand.NewPCG(hash.Sum64(), 0))}
}

// pick chooses one of several; there must be one.
func pick[T any](d dice, from ...T) T { return from[d.IntN(len(from))] }

// at makes an edit of lines.
func at(lines [][]byte, places ...int) *edit { return &edit{lines: lines, at: places} }

// instead replaces the line at i by others; by none to drop it.
func (r *Recording) instead(i int, lines ...[]byte) [][]byte {
	return slices.Concat(r.lines[:i], lines, r.lines[i+1:])
}

// set replaces the record at i.
func (r *Recording) set(i int, o object) [][]byte { return r.instead(i, o.line()) }

// twice repeats the line at i.
func (r *Recording) twice(i int) [][]byte { return r.instead(i, r.lines[i], r.lines[i]) }

// before puts lines in front of the line at i, which may be the end.
func (r *Recording) before(i int, lines ...[]byte) [][]byte {
	return slices.Concat(r.lines[:i], lines, r.lines[i:])
}

// swapped changes the lines at i and i+1 round.
func (r *Recording) swapped(i int) [][]byte {
	lines := slices.Clone(r.lines)
	lines[i], lines[i+1] = lines[i+1], lines[i]
	return lines
}

// cut leaves out the lines from i up to j.
func (r *Recording) cut(i, j int) [][]byte { return slices.Concat(r.lines[:i], r.lines[j:]) }

// fits says whether a block can have a mistake.
type fits func(*block) bool

// in is a kind of mistake that stands in a block of a stream.
func in(name string, fit fits, seed func(*Recording, *block, dice) *edit, want ...string) Kind {
	return Kind{name, want, func(r *Recording, d dice) *edit {
		var blocks []*block
		for _, b := range r.blocks {
			if fit(b) {
				blocks = append(blocks, b)
			}
		}
		if len(blocks) == 0 {
			return nil
		}
		return seed(r, pick(d, blocks...), d)
	}}
}

func anyBlock(*block) bool { return true }

// of are the blocks of some types with at least so many contents.
func of(contents int, types ...string) fits {
	return func(b *block) bool {
		for _, t := range types {
			if b.kind == t {
				return len(b.contents) >= contents
			}
		}
		return false
	}
}

// code are the assistant's code blocks with at least so many contents.
func code(contents int) fits {
	return func(b *block) bool { return b.isCode() && len(b.contents) >= contents }
}

// both are the blocks that both fit.
func both(a, b fits) fits { return func(x *block) bool { return a(x) && b(x) } }

func single(b *block) bool { return len(b.contents) == 1 }

func byAssistant(b *block) bool { return b.role == "assistant" }

func confirmed(b *block) bool { return b.isCode() && b.confirmation >= 0 }

// confirmedAtOnce are code blocks whose confirmation follows their end.
func confirmedAtOnce(b *block) bool { return b.isCode() && b.confirmation == b.end+1 }

// runAtOnce are code blocks whose run follows their confirmation.
func runAtOnce(b *block) bool {
	return confirmed(b) && len(b.runs) > 0 && b.runs[0].start == b.confirmation+1
}

// inked are blocks that hold more than white space.
func inked(b *block) bool { return strings.TrimSpace(b.text()) != "" }

// inkedContent chooses a content with more than white space in it.
func (b *block) inkedContent(d dice) int {
	var from []int
	for i, text := range b.texts {
		if strings.TrimSpace(text) != "" {
			from = append(from, b.contents[i])
		}
	}
	return pick(d, from...)
}

// last is the block's last content.
func (b *block) last() int { return b.contents[len(b.contents)-1] }

// before returns the block that ends right before this one starts, or nil.
func (r *Recording) blockBefore(b *block) *block {
	for _, o := range r.blocks {
		if o.end == b.start-1 {
			return o
		}
	}
	return nil
}

// span lists the numbers from i up to j.
func span(i, j int) []int {
	var numbers []int
	for ; i < j; i++ {
		numbers = append(numbers, i)
	}
	return numbers
}

// otherLanguage is a language that the block's code is not in.
func (b *block) otherLanguage() string {
	if b.format == "shell" {
		return "python"
	}
	return "shell"
}
