package mutation

import "strings"

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
