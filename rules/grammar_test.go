package rules_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/lint"
)

// chunk is a record of a stream: of a block (a key of blockKinds) the start '+', a content
// '.', a final active_line '0' or the end '-'; or a confirmation, right '?' or wrong '!'.
type chunk struct {
	of   byte
	what byte
}

// blockKinds are the role, type and format of blocks, as members of JSON.
var blockKinds = map[byte][3]string{
	'm': {"assistant", "message"}, 'c': {"assistant", "code", "shell"}, 'o': {"computer", "console"},
	'r': {"assistant", "review", "safe"}, 'i': {"computer", "image", "path"}, 'h': {"computer", "code", "html"}, 'u': {"user", "message"},
}

// chunksOf returns the chunks of a stream that is written as in "c+ c. c- ? o+ 0 o-".
func chunksOf(text string) (chunks []chunk) {
	for _, word := range strings.Fields(text) {
		switch {
		case word == "0":
			chunks = append(chunks, chunk{'o', '0'})
		case len(word) == 1:
			chunks = append(chunks, chunk{0, word[0]})
		default:
			chunks = append(chunks, chunk{word[0], word[1]})
		}
	}
	return chunks
}

func wordsOf(stream []chunk) string {
	var words []string
	for _, c := range stream {
		word := string(c.what)
		if c.of != 0 && c.what != '0' {
			word = string(c.of) + word
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// contentAt is the content of a record. No two are the same: text that is said twice is
// another mistake.
func contentAt(i int) string { return fmt.Sprintf("%c%d", 'a'+i%26, i) }

// shownBefore is what a right confirmation asks about: the code of the last block.
func shownBefore(stream []chunk) (language, code string) {
	language = "shell"
	for i, c := range stream {
		switch {
		case c.of != 'c' && c.of != 'h':
		case c.what == '+':
			language, code = blockKinds[c.of][2], ""
		case c.what == '.':
			code += contentAt(i)
		}
	}
	return language, code
}

// askedAt is the language and the code that the confirmation at i asks about.
func askedAt(stream []chunk, i int) string {
	language, code := shownBefore(stream[:i])
	if stream[i].what == '!' {
		code = "rm -r build"
	}
	return language + " " + code
}

// linesOf writes a stream as JSON Lines.
func linesOf(stream []chunk) string {
	var lines strings.Builder
	for i, c := range stream {
		if c.of == 0 {
			language, code, _ := strings.Cut(askedAt(stream, i), " ")
			fmt.Fprintf(&lines, `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": %q, "content": %q}}`+"\n", language, code)
			continue
		}
		kind := blockKinds[c.of]
		fmt.Fprintf(&lines, `{"role": %q, "type": %q`, kind[0], kind[1])
		format, isFlag := kind[2], c.what == '+' || c.what == '-'
		switch {
		case c.what == '0':
			format = "active_line"
		case c.of == 'o' && !isFlag:
			format = "output"
		}
		if format != "" {
			fmt.Fprintf(&lines, `, "format": %q`, format)
		}
		switch c.what {
		case '+':
			lines.WriteString(`, "start": true}` + "\n")
		case '.':
			fmt.Fprintf(&lines, `, "content": %q}`+"\n", contentAt(i))
		case '0':
			lines.WriteString(`, "content": null}` + "\n")
		case '-':
			lines.WriteString(`, "end": true}` + "\n")
		}
	}
	return lines.String()
}

// grammar recognizes the streams without an error: section "Streams" of docs/protocol.md,
// and its order of code, confirmation and execution. It shares nothing with the tracker.
type grammar struct {
	open     byte // the kind of the open block, 0 between blocks
	contents int  // of the open block
	text     string

	code      *string // the language and text of the last block of the assistant's code, or nil
	confirmed bool    // since the code was shown
	ran       bool    // since it was shown or confirmed
	answered  bool    // a message came since it ran
	executing bool    // the last block that is not empty was of an execution
	displayed *string // the code that the last execution displayed, or nil
}

// next reports whether a record may follow.
func (g *grammar) next(c chunk, content, asked string) bool {
	switch {
	case c.of == 0:
		return g.open == 0 && g.confirm(asked)
	case c.what == '+':
		if g.open != 0 {
			return false
		}
		g.open, g.contents, g.text = c.of, 0, ""
		return true
	case g.open != c.of:
		return false
	case c.what == '-':
		g.close()
		return true
	}
	if c.of == 'i' && g.contents == 1 {
		return false // consumers join the contents of an image
	}
	g.contents++
	g.text += content
	isExecution := strings.IndexByte("oih", c.of) >= 0
	return g.contents > 1 || !isExecution || g.run()
}

// close ends the open block. An empty one of output or an image executes nothing.
func (g *grammar) close() {
	kind, text := g.open, blockKinds[g.open][2]+" "+g.text
	g.open = 0
	switch kind {
	case 'c':
		g.code, g.confirmed, g.ran, g.answered, g.executing = &text, false, false, false, false
	case 'h':
		g.displayed = &text
	case 'm', 'u':
		g.answered, g.executing = g.ran, false
	case 'r':
		g.executing = false
	}
}

// run reports whether an execution may begin or go on.
func (g *grammar) run() bool {
	if g.executing {
		return g.open != 'o' || !g.answered
	}
	g.executing, g.displayed = true, nil
	switch {
	case g.code == nil: // output without code is a warning
		return true
	case g.ran:
		return g.open != 'o' || !g.answered
	}
	g.ran = true
	return g.confirmed
}

// confirm reports whether a confirmation may come.
func (g *grammar) confirm(asked string) bool {
	g.executing = false
	switch {
	case g.code != nil && !g.ran:
		g.confirmed = true
		return *g.code == asked
	case g.displayed != nil && *g.displayed == asked:
		g.answered = false
		return true // it is a warning
	case g.code != nil && *g.code == asked:
		g.ran, g.answered = false, false
		return true // as this is: the code may run again
	}
	return false
}

// brokenAt returns the number of the first record, from 1, that a stream must not have
// there; the number of records if it ends inside a block, and 0 if nothing is wrong.
func brokenAt(stream []chunk) int {
	g := &grammar{}
	for i, c := range stream {
		if !g.next(c, contentAt(i), askedAt(stream, i)) {
			return i + 1
		}
	}
	if g.open != 0 {
		return len(stream)
	}
	return 0
}

// checkGrammar compares what is found in a stream with the grammar.
func checkGrammar(t *testing.T, linter *lint.Linter, stream []chunk) bool {
	t.Helper()
	first := 0
	for f, err := range linter.Lint(t.Context(), "in.jsonl", strings.NewReader(linesOf(stream))) {
		if !assert.NoError(t, err, wordsOf(stream)) {
			return false
		}
		if line := f.Place.Span.Start.Line; f.Severity == lint.SeverityError && (first == 0 || line < first) {
			first = line
		}
	}
	broken := brokenAt(stream)
	return assert.Equal(t, broken > 0, first > 0, "%s: broken at %d, error at %d", wordsOf(stream), broken, first) &&
		assert.LessOrEqual(t, first, broken, "%s: found late", wordsOf(stream))
}

// An error is found in a stream if and only if the grammar is broken, at the latest where
// it is: of all streams of up to four records of twelve kinds, or five.
func TestGrammarOfShortStreams(t *testing.T) {
	t.Parallel()
	kinds, longest := chunksOf("m+ m. m- c+ c. c- o+ o. o- 0 ? !"), 4
	if exhaustive.Enabled() {
		longest = 5
	}
	linter := linterFor(lint.Config{Dialect: "interpreter", Kind: "stream"})
	failed := 0
	var follow func(stream []chunk)
	follow = func(stream []chunk) {
		if len(stream) > 0 && failed < 20 && !checkGrammar(t, linter, stream) {
			failed++
		}
		if len(stream) < longest {
			for _, c := range kinds {
				follow(append(stream, c))
			}
		}
	}
	follow(make([]chunk, 0, longest))
}

// The same of longer streams of more kinds, which mistakes were put into.
func TestGrammarOfLongStreams(t *testing.T) {
	t.Parallel()
	parts := strings.Split("m+ m. m-|m+ m. m. m-|c+ c. c- ?|c+ c. c. c-|c+ c-|r+ r. r-|?|!|o+ o. 0 o-|o+ 0 o-|o+ o-|i+ i. i-|h+ h. h-|h+ h. h- ?|u+ u. u-|c+ c. c- ? o+ o. 0 o-|"+
		"c+ c. c- r+ r. r- ? o+ o. o- i+ i. i- h+ h. h- o+ 0 o-", "|")
	kinds := chunksOf("m+ m. m- c+ c. c- o+ o. o- 0 ? ! r+ r. r- i+ i. i- h+ h. h- u+ u. u-")
	random, linter := rand.New(rand.NewPCG(47, 6)), linterFor(lint.Config{Dialect: "interpreter", Kind: "stream"})
	streams, failed := 4_000, 0
	if exhaustive.Enabled() {
		streams = 50_000
	}
	for range streams {
		var stream []chunk
		for length := 1 + random.IntN(40); len(stream) < length; {
			stream = append(stream, chunksOf(parts[random.IntN(len(parts))])...)
		}
		stream = stream[:min(len(stream), 40)]
		for range random.IntN(3) {
			switch i := random.IntN(len(stream)); random.IntN(3) {
			case 0:
				stream[i] = kinds[random.IntN(len(kinds))]
			case 1:
				stream = append(stream[:i:i], append([]chunk{kinds[random.IntN(len(kinds))]}, stream[i:]...)...)
			case 2:
				stream = append(stream[:i:i], stream[i+1:]...)
				if len(stream) == 0 {
					stream = chunksOf("m+ m. m-")
				}
			}
		}
		if failed < 20 && !checkGrammar(t, linter, stream) {
			failed++
		}
	}
}
