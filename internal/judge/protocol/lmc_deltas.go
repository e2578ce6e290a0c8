package protocol

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// Limits of a run of deltas, see [deltaRun].
const (
	maxDeltas  = 64 // the maximum number of records that one test looks back
	deltaJoins = 2  // of texts that have an id as the one before
	deltaWords = 4  // texts in a row that are single words
)

// deltaRun is a run of adjacent records that may be the chunks of a stream that lost its
// flags: texts of the assistant of one type and format.
type deltaRun struct {
	last  *lmc.Record // nil if the run is empty
	texts DeltaTexts
	joins int // of two texts that have an id each
}

// add adds a record. One that does not continue the run begins another, or none.
func (d *deltaRun) add(r *lmc.Record) {
	if d.last != nil && (r.Type != d.last.Type || r.Format != d.last.Format) || !MayBeDelta(r) {
		*d = deltaRun{}
	}
	if !MayBeDelta(r) {
		return
	}
	if d.last != nil && d.last.ID != nil && r.ID != nil && !endsSentence(d.last.Text()) {
		d.joins++
	}
	d.last = r
	d.texts.Add(r.Text(), r.Type)
}

// isStream reports whether the texts are pieces of one: two continue the text before, or
// have an id as it has, or four in a row are single words of which two do not begin a
// sentence. A text continues another one if that does not end a sentence or a line, and
// there is a space between them or punctuation follows. A text of whitespace only continues
// every other.
func (d *deltaRun) isStream() bool {
	return d.last != nil && (d.joins >= deltaJoins || d.texts.ArePieces())
}

// isOpen reports whether the next records may show that the run is a stream: its last text
// is a word, or continues the one before it, or what it begins is not complete.
func (d *deltaRun) isOpen() bool {
	if d.last == nil {
		return false
	}
	if d.texts.count == 1 {
		return d.texts.words == 1 || !endsSentence(d.texts.last)
	}
	return d.texts.words > 0 || d.texts.joins[1] == d.texts.count || d.joins > 0
}

// DeltaTexts are adjacent texts of one type and format. It keeps what tells whether the last
// of them are pieces of one text.
type DeltaTexts struct {
	count int
	last  string
	words int    // of the last texts, those that are single words and begin no sentence but the first
	joins [2]int // the numbers, from 1, of the last two texts that continue the one before
	inner [2]int // of the last two of these words that do not begin a sentence
}

// Add adds the next text.
func (d *DeltaTexts) Add(text, typ string) {
	d.count++
	isWord := isWordText(text)
	if joinsTexts(d.last, text) {
		d.joins = [2]int{d.joins[1], d.count}
	}
	if !isWord || endsSentence(d.last) {
		d.words, d.inner = 0, [2]int{}
	}
	if isWord {
		d.words++
		if isInnerWord(text, typ) {
			d.inner = [2]int{d.inner[1], d.count}
		}
	}
	d.last = text
}

// ArePieces reports whether the last texts are pieces of one.
func (d *DeltaTexts) ArePieces() bool {
	isRecent := func(number int) bool { return number > 0 && number >= d.count-maxDeltas }
	return isRecent(d.joins[0]) || d.words >= deltaWords && isRecent(d.inner[0])
}

// joinsTexts reports whether next probably begins in the middle of what text began. Blank
// texts in a row are not pieces of one.
func joinsTexts(text, next string) bool {
	switch {
	case strings.TrimSpace(next) == "":
		return next != "" && strings.TrimSpace(text) != ""
	case text == "" || endsSentence(text):
		return false
	}
	return next[0] == ' ' || strings.HasSuffix(text, " ") || strings.IndexByte(",.;:!?)]}", next[0]) >= 0
}

// MayBeDelta reports whether a record is text of the assistant without a flag.
// Users send whole messages, and an execution's output is stored in several
// messages whose texts often continue each other.
func MayBeDelta(r *lmc.Record) bool {
	if r.Flag() || r.Role != "assistant" || r.Content == nil || r.Content.Kind != source.String {
		return false
	}
	return r.Type == "message" || r.Type == "code"
}

// endsSentence reports whether a text ends a sentence or a line. Spaces, closing
// quotes and marks of emphasis may follow.
func endsSentence(text string) bool {
	end, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, " \"'*_`)]»”’」"))
	return end == ':' || end == '\n' || end == '…' || unicode.Is(unicode.Sentence_Terminal, end)
}

// isWordText reports whether a text is one word at most, and perhaps whitespace
// around it. In scripts that put no space between words, it is a few letters.
func isWordText(text string) bool {
	word := strings.TrimSpace(text)
	if text == "" || strings.ContainsFunc(word, unicode.IsSpace) {
		return false
	}
	return utf8.RuneCountInString(word) <= 4 || !strings.ContainsFunc(word, isUnspaced)
}

// isUnspaced reports whether a letter is of a script without spaces between words.
func isUnspaced(c rune) bool {
	return unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// isInnerWord reports whether a word is probably not the first one of its text: it does
// not begin with a capital letter or a symbol such as an emoji. A word of code must not
// begin with a letter at all, because it may be a whole command, such as ls.
func isInnerWord(word, typ string) bool {
	if strings.TrimSpace(word) == "" {
		return false
	}
	first, _ := utf8.DecodeRuneInString(word)
	if typ == "code" {
		return !unicode.IsLetter(first)
	}
	return !unicode.IsUpper(first) && !unicode.Is(unicode.So, first)
}
