package protocol

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// Limits of a run of deltas, see [endsDeltas].
const (
	MaxDeltas  = 64 // the maximum number of records that one test looks back
	deltaJoins = 2  // of texts that continue the one before
	deltaWords = 4  // texts in a row that are single words
	deltaInner = 2  // of these words that do not begin a sentence
)

// endsDeltas reports whether the last records are chunks of a stream that lost its
// flags: adjacent texts of the assistant of one type and format of which two
// continue the text before, or four in a row are single words of which two do not
// begin a sentence. A text continues another one if that does not end a sentence or
// a line, and there is a space between them or punctuation follows. A text of
// whitespace only continues every other. A caller that tests each record as it
// comes finds all runs.
func endsDeltas(records []*source.Record) bool {
	var texts []string
	var last *lmc.Record
	for _, src := range records[max(0, len(records)-MaxDeltas):] {
		r := lmc.NewRecord(src)
		if last == nil || r.Type != last.Type || r.Format != last.Format {
			texts = nil
		}
		if last = nil; MayBeDelta(r) {
			last, texts = r, append(texts, r.Text())
		}
	}
	return last != nil && EndsDeltaTexts(texts, last.Type)
}

// EndsDeltaTexts is the test of adjacent texts of one type and format: whether the
// last ones are pieces of one.
func EndsDeltaTexts(texts []string, typ string) bool {
	joins, words, inner := 0, 0, 0
	before := ""
	for _, text := range texts[max(0, len(texts)-MaxDeltas-1):] {
		if joinsTexts(before, text) {
			joins++
		}
		if !isWordText(text) || endsSentence(before) {
			words, inner = 0, 0
		}
		if isWordText(text) {
			words++
			if isInnerWord(text, typ) {
				inner++
			}
		}
		before = text
	}
	return joins >= deltaJoins || words >= deltaWords && inner >= deltaInner
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
