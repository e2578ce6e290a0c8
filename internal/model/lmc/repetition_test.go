package lmc

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// How blocks repeat their text, and what is no repetition: text that people and programs
// write. Chunks are separated by |, and ⏎ is a line feed.
func TestRepetitions(t *testing.T) {
	tests := []struct {
		chunks string
		typ    string
		want   Repetition
		at     int // the chunk that repeats others, from 1
		once   string
		twice  bool // it is sent again more than once
	}{
		{chunks: "How are you?| are| you?", want: FirstHasAll, at: 1, once: "How are you?"},
		{chunks: "How| are| you?"},

		{chunks: "The|The directory|The directory has two files.", want: Totals, at: 2, once: "The directory has two files."},
		{chunks: "The|The|The directory|The directory|The directory has two", want: Totals, at: 3, once: "The directory has two"},
		{chunks: "The|The directory|The directory|The directory has", want: Totals, at: 2, once: "The directory has"},
		{chunks: "The| dir|The dir has|The dir has two", want: Totals, at: 3, once: "The dir has two"},
		{chunks: "The|The dir|The dir has| two| files", want: Totals, at: 2, once: "The dir has two files"},
		{chunks: "H|He|Hel|Hell|Hello", want: Totals, at: 2, once: "Hello"},
		{chunks: "print|print(|print(1)", typ: "code", want: Totals, at: 2, once: "print(1)"},
		{chunks: "1|10|100"},
		{chunks: "=|==|====|========|================"},
		{chunks: "ha|ha ha|ha ha ha|ha ha ha ha"},
		{chunks: "I|I'm"},

		{chunks: "The capital| of France is Paris.|The capital of France is Paris.", want: SentAgain, at: 3, once: "The capital of France is Paris."},
		{chunks: "The capital of France|The capital of France", want: SentAgain, at: 2, once: "The capital of France"},
		{chunks: "The capital of France|The capital of France|The capital of France", want: SentAgain, at: 2, once: "The capital of France", twice: true},
		{chunks: "The|The directory has|TheThe directory has", want: SentAgain, at: 3, once: "TheThe directory has"},
		{chunks: "So| it| is|So it is", want: SentAgain, at: 4, once: "So it is"},
		{chunks: "So| it| was long ago|So it was long ago, and", want: SentAgain, at: 4, once: "So it was long ago, and"},
		{chunks: "So| it| was long ago|So it was long ago| and far", want: SentAgain, at: 4, once: "So it was long ago and far"},
		{chunks: "a|b|ab"},
		{chunks: "ha| ha| ha| ha| ha| ha"},
		{chunks: "ha |ha |ha |ha |ha ha ha ha "},
		{chunks: "no|no|no|nonono"},
		{chunks: "I must not tell lies. |I must not tell lies. "},
		{chunks: "x = step(x, rate=0.1)⏎|x = step(x, rate=0.1)⏎", typ: "code"},
		{chunks: "----------------|----------------"},
		{chunks: "| --- | --- | --- |⏎|| --- | --- | --- |⏎"},

		{
			chunks: "The capital| of France| is|The capital| of France| is| Paris,| on the Seine.",
			want:   Replayed, at: 4, once: "The capital of France is Paris, on the Seine.",
		},
		{chunks: "We| will| see what comes|We| will| see what| comes| next", want: Replayed, at: 4, once: "We will see what comes next"},
		{chunks: "We| will| see what comes|We| will| see what comes next", want: Replayed, at: 4, once: "We will see what comes next"},
		{chunks: "A|A|B long enough now|A|A|B long enough now", want: Replayed, at: 4, once: "AAB long enough now"},
		{chunks: "Hi! This| is Alex.| Is it you?|Hi! This| is Alex.| Is it you?", want: Replayed, at: 4, once: "Hi! This is Alex. Is it you?"},
		{chunks: "import| os⏎|print(os.|import| os⏎|print(os.|getcwd())", typ: "code", want: Replayed, at: 4, once: "import os⏎print(os.getcwd())"},
		{chunks: "- one⏎|- two⏎|- three four⏎|- one⏎|- two⏎|- three four⏎|- five", want: Replayed, at: 4, once: "- one⏎- two⏎- three four⏎- five"},
		{chunks: "We| will|We| will| see"},
		{chunks: "We| will| be|We| will| be| there"},
		{chunks: "print|('hello |wor|ld')⏎|print|('hello |wor|ld')⏎", typ: "code"},
		{chunks: "print|('hello |wor|ld')⏎|print|('hello |wor|ms')⏎", typ: "code"},
		{chunks: "a = 1⏎|b = 2⏎|print(a + b)⏎|a = 1⏎|b = 2⏎|print(a + b)⏎", typ: "code"},
		{chunks: "| 1 || 2 || 3 ||⏎|| 1 || 2 || 3 ||⏎"},
		{chunks: "I |must |not |tell |lies. |I |must |not |tell |lies. "},
		{chunks: "Row,| row,| row your boat.| Row,| row,| row your boat."},
	}
	for _, test := range tests {
		t.Run(test.chunks, func(t *testing.T) {
			b := &Block{signature: signature{Type: "message"}, text: new(openBlockText)}
			if test.typ != "" {
				b.Type = test.typ
			}
			text := strings.ReplaceAll(test.chunks, "||", "\x00|") // a bar that is text
			for i, chunk := range strings.Split(text, "|") {
				content, err := json.Marshal(strings.NewReplacer("⏎", "\n", "\x00", "|").Replace(chunk))
				require.NoError(t, err)
				r := view(t, `{"role": "assistant", "type": "`+b.Type+`", "content": `+string(content)+`}`)
				r.Source.Index = i
				b.add(r)
			}
			require.Equal(t, test.want, b.Repetition())
			if test.want != NoRepetition {
				at, _, size := b.Repeated()
				assert.Equal(t, test.at, at.Place().Record+1)
				assert.Equal(t, test.twice, test.want == SentAgain && size == 0)
				once, first, ok := b.Text()
				assert.Equal(t, strings.ReplaceAll(test.once, "⏎", "\n"), string(once))
				assert.Equal(t, 1, first.Place().Record+1)
				assert.True(t, ok)
			}
		})
	}
}

// chunksOf returns an open block of code with some chunks.
func chunksOf(t *testing.T, chunks ...string) *Block {
	t.Helper()
	b := &Block{signature: signature{Type: "code"}, text: new(openBlockText)}
	for i, chunk := range chunks {
		r := view(t, `{"role": "assistant", "type": "code", "content": `+strconv.Quote(chunk)+`}`)
		r.Source.Index = i
		b.add(r)
	}
	return b
}

// Chunks without text are not counted.
func TestEmptyChunksRepeatNothing(t *testing.T) {
	assert.Equal(t, SentAgain, chunksOf(t, "So", " it", " is", "So it is").Repetition())
	assert.Equal(t, NoRepetition, chunksOf(t, "So", " it is", "", "So it is").Repetition())
}

// A replay that stops, or is complete, is not under way any more.
func TestReplayEnds(t *testing.T) {
	for chunks, underWay := range map[string]bool{
		"The capital| of France| is|The capital": true, "The capital| of France| is|The capital| was": false,
		"The capital| of France| is|The capital| of France| is": false,
	} {
		assert.Equal(t, underWay, chunksOf(t, strings.Split(chunks, "|")...).text.repeats.replay.to > 0, chunks)
	}
}

// Of a text that is too long to compare nothing is known: neither what it is, nor whether
// chunks repeat it.
func TestLongTextIsNotCompared(t *testing.T) {
	const line = "The capital of France"
	b := chunksOf(t, line, line, strings.Repeat("x", maxText))
	_, _, ok := b.Text()
	assert.False(t, ok)
	first, size := b.text.repeats.compared()
	assert.Empty(t, first)
	assert.Equal(t, math.MaxInt, size)
	code := new(Code)
	b.text.keepCode(code)
	assert.True(t, code.Lossy)
	_, _, ok = new(Block).Text()
	assert.False(t, ok)
}

func TestPeriodIsOfTheBeginning(t *testing.T) {
	assert.True(t, isPeriodic([]byte(strings.Repeat("ha ", maxPeriod)+"and so on")))
	assert.False(t, isPeriodic([]byte("and so on "+strings.Repeat("ha ", maxPeriod))))
}
