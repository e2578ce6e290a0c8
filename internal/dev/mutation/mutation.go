// Package mutation seeds single mistakes in valid recordings and knows which
// rule must find each one, and on which line. It reads recordings with
// encoding/json instead of the linter's own reader, so that a bug in the reader
// cannot hide itself.
package mutation

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
)

// Mutant is a recording with one mistake. All records but those with the mistake
// are those of the recording, byte for byte.
type Mutant struct {
	Data []byte
	Want []string // rules; one of them must find the mistake
	At   []int    // lines, 1-based; the mistake must be found on one of them
}

// Kind is a kind of mistake.
type Kind struct {
	Name        string   // in words, unique
	Rules       []string // one of them finds the mistake
	Transcripts bool     // is seeded in transcripts, else in streams

	seed func(*Recording, dice) *edit
}

// Seed returns the recording with the mistake in it. The place and the values
// depend only on the kind, the recording's name, and the number. Seed returns nil
// if the recording has no suitable place.
func (k Kind) Seed(r *Recording, number uint64) *Mutant {
	if len(r.records) == 0 || k.Transcripts != r.Transcript {
		return nil
	}
	e := k.seed(r, newDice(number, k.Name, r.Name))
	if e == nil {
		return nil
	}
	m := &Mutant{Data: e.data, Want: k.Rules, At: e.at}
	if e.want != nil {
		m.Want = e.want
	}
	if m.Data == nil {
		m.Data, m.At = r.join(e.lines, e.at)
		return m
	}
	m.At = slices.Clone(e.at)
	for i := range m.At {
		m.At[i]++
	}
	return m
}

// Kinds returns all kinds of mistakes, those of streams first.
func Kinds() []Kind {
	return slices.Concat(framing(), shape(), execution(), content(), reading(), transcripts())
}

// onStream returns a kind of mistake in streams.
func onStream(name string, rules []string, seed func(*Recording, dice) *edit) Kind {
	return Kind{Name: name, Rules: rules, seed: seed}
}

// onTranscript returns a kind of mistake in transcripts.
func onTranscript(name string, rules []string, seed func(*Recording, dice) *edit) Kind {
	return Kind{Name: name, Rules: rules, Transcripts: true, seed: seed}
}

// edit is the result of seeding a mistake: the changed records and the 0-based
// indices of the records at which the mistake may be found. An index may be
// that of the end.
type edit struct {
	lines [][]byte
	at    []int    // indices of lines in data, if that is not nil
	want  []string // overrides the rules of the kind, if not nil
	data  []byte   // the whole input, used instead of lines if not nil
}

// dice is a random generator seeded by a number and the names of a kind and a
// recording, so that every run seeds the same mistakes.
type dice struct{ *rand.Rand }

func newDice(number uint64, names ...string) dice {
	hash := fnv.New64a()
	for _, name := range names {
		_, _ = hash.Write([]byte(name + "|")) // never fails
	}
	return dice{rand.New(rand.NewPCG(hash.Sum64(), number))}
}

// pick returns one of its arguments. It panics if there are none.
func pick[T any](d dice, from ...T) T { return from[d.IntN(len(from))] }

// at returns an edit that must be found at one of places.
func at(lines [][]byte, places ...int) *edit { return &edit{lines: lines, at: places} }

// replaceLine returns the lines with line i replaced by others, or removed if
// there are none.
func (r *Recording) replaceLine(i int, lines ...[]byte) [][]byte {
	return slices.Concat(r.lines[:i], lines, r.lines[i+1:])
}

// set returns the lines with record i replaced.
func (r *Recording) set(i int, o object) [][]byte { return r.replaceLine(i, o.line()) }

// repeatLine returns the lines with line i duplicated.
func (r *Recording) repeatLine(i int) [][]byte { return r.replaceLine(i, r.lines[i], r.lines[i]) }

// insertBefore returns the lines with others inserted before line i, which may
// be the end.
func (r *Recording) insertBefore(i int, lines ...[]byte) [][]byte {
	return slices.Concat(r.lines[:i], lines, r.lines[i:])
}

// swapWithNext returns the lines with lines i and i+1 exchanged.
func (r *Recording) swapWithNext(i int) [][]byte {
	lines := slices.Clone(r.lines)
	lines[i], lines[i+1] = lines[i+1], lines[i]
	return lines
}

// deleteLines returns the lines without those from i up to, not including, j.
func (r *Recording) deleteLines(i, j int) [][]byte { return slices.Concat(r.lines[:i], r.lines[j:]) }

// blockFilter reports whether a mistake can be seeded in a block.
type blockFilter func(*block) bool

// in returns a kind of mistake that is seeded in a random block of a stream that
// passes the filter.
func in(name string, fit blockFilter, seed func(*Recording, *block, dice) *edit, want ...string) Kind {
	return onStream(name, want, func(r *Recording, d dice) *edit {
		blocks := slices.DeleteFunc(slices.Clone(r.blocks), func(b *block) bool { return !fit(b) })
		if len(blocks) == 0 {
			return nil
		}
		return seed(r, pick(d, blocks...), d)
	})
}

func anyBlock(*block) bool { return true }

// of accepts blocks of the given types with at least that many content chunks.
func of(contents int, types ...string) blockFilter {
	return func(b *block) bool {
		return len(b.contents) >= contents && slices.Contains(types, b.kind)
	}
}

// code accepts the assistant's code blocks with at least that many content chunks.
func code(contents int) blockFilter {
	return func(b *block) bool { return b.isCode() && len(b.contents) >= contents }
}

// both accepts the blocks that both filters accept.
func both(a, b blockFilter) blockFilter { return func(x *block) bool { return a(x) && b(x) } }

func single(b *block) bool { return len(b.contents) == 1 }

func byAssistant(b *block) bool { return b.role == "assistant" }

func confirmed(b *block) bool { return b.isCode() && b.confirmation >= 0 }

// confirmedAtOnce accepts code blocks directly followed by their confirmation.
func confirmedAtOnce(b *block) bool { return b.isCode() && b.confirmation == b.end+1 }

// runAtOnce accepts code blocks whose confirmation is directly followed by the
// execution.
func runAtOnce(b *block) bool {
	return confirmed(b) && len(b.runs) > 0 && b.runs[0].start == b.confirmation+1
}

// notBlank accepts blocks whose text is not only whitespace.
func notBlank(b *block) bool { return strings.TrimSpace(b.text()) != "" }

// visibleContent returns the index of a random content chunk that is not only
// whitespace.
func (b *block) visibleContent(d dice) int {
	var from []int
	for i, text := range b.texts {
		if strings.TrimSpace(text) != "" {
			from = append(from, b.contents[i])
		}
	}
	return pick(d, from...)
}

// last returns the index of the block's last content chunk.
func (b *block) last() int { return b.contents[len(b.contents)-1] }

// span returns the numbers from i up to, not including, j.
func span(i, j int) []int {
	var numbers []int
	for ; i < j; i++ {
		numbers = append(numbers, i)
	}
	return numbers
}
