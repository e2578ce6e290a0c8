package protocol

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// Limits of a run of deltas, see [endsDeltas].
const (
	deltaJoins = 2 // of texts that continue the one before
	deltaWords = 4 // texts in a row that are single words
)

// endsDeltas reports whether the last records are chunks of a stream that lost its
// flags: adjacent texts of one role, type and format of which two continue the
// text before, or four in a row are single words. A text continues another one if
// there is a space between them, or punctuation follows, and the other does not
// end a sentence or a line; so does a text of whitespace only. A caller that tests each record as it comes finds all runs.
func endsDeltas(records []*source.Record) bool {
	if len(records) == 0 {
		return false
	}
	last := lmc.NewRecord(records[len(records)-1])
	if !mayBeDelta(last) {
		return false
	}
	next, joins, words := last.Text(), 0, 1
	areWords := last.Type != "console" && isWordText(next)
	for i := len(records) - 2; i >= 0; i-- {
		r := lmc.NewRecord(records[i])
		if !mayBeDelta(r) || r.Role != last.Role || r.Type != last.Type || r.Format != last.Format {
			return false
		}
		text := r.Text()
		if continues(text, next) || last.Type != "console" && strings.TrimSpace(next) == "" && next != "" {
			joins++
		}
		if areWords = areWords && isWordText(text) && !endsSentence(text); areWords {
			words++
		}
		if joins >= deltaJoins || words >= deltaWords {
			return true
		}
		if len(records)-i > maxDeltas {
			return false
		}
		next = text
	}
	return false
}

// maxDeltas is the maximum number of records that one test looks back.
const maxDeltas = 64

// mayBeDelta reports whether a record is text of the assistant or the computer
// without a flag. Users send whole messages.
func mayBeDelta(r *lmc.Record) bool {
	if r.Flag() || r.Role != "assistant" && r.Role != "computer" || r.Content == nil || r.Content.Kind != source.String {
		return false
	}
	return r.Type == "message" || r.Type == "code" || r.Type == "console"
}

// continues reports whether next begins in the middle of what text began.
func continues(text, next string) bool {
	if text == "" || next == "" || endsSentence(text) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(next)
	end, _ := utf8.DecodeLastRuneInString(text)
	return first == ' ' || end == ' ' || strings.ContainsRune(",.;:!?)]}", first)
}

// endsSentence reports whether a text ends a sentence or a line.
func endsSentence(text string) bool {
	end, _ := utf8.DecodeLastRuneInString(text)
	return strings.ContainsRune(".!?:\n。！？", end)
}

// isWordText reports whether a text is one word at most, and perhaps whitespace
// around it.
func isWordText(text string) bool {
	return text != "" && !strings.ContainsFunc(strings.TrimSpace(text), unicode.IsSpace)
}
