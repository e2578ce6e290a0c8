package conformance

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/verify/suite"
)

// mistake is one reason why a subject fails a case.
type mistake struct {
	text         string   // what was expected, or what came
	requirements []string // ids of the sentences to read
	line, column int      // of the input, from 1; 0 if unknown
}

// verdict is what a case came to.
type verdict struct {
	mistakes map[suite.Level][]mistake // by level; none for a level that passed
	shown    []string                  // requirements of consumers and producers
	came     string                    // what a checker found, in words
}

func (v *verdict) add(l suite.Level, m mistake) {
	if v.mistakes == nil {
		v.mistakes = map[suite.Level][]mistake{}
	}
	v.mistakes[l] = append(v.mistakes[l], m)
}

// fail adds a requirement that is not met, and why.
func (v *verdict) fail(requirement, format string, values ...any) {
	v.add(suite.Must, mistake{text: fmt.Sprintf(format, values...), requirements: []string{requirement}})
}

// Sizes of what a lesson shows.
const (
	mostMistakes = 5   // that are explained; the others are only counted
	mostCame     = 8   // findings of an answer
	shownWidth   = 100 // characters of a line of the input
)

// lesson explains a failure: the note of the case, and for each mistake the line
// of the input and the sentences of the protocol that it is about.
type lesson struct {
	requirements map[string]suite.Requirement
	lines        [][]byte // of the input; nil if it is not text
	told         map[string]bool
	b            strings.Builder
}

func teach(requirements map[string]suite.Requirement, c *suite.Case, data []byte, mistakes []mistake, came string) string {
	l := &lesson{requirements: requirements, told: map[string]bool{}}
	if utf8.Valid(data) || !isCompressed(c) { // else it is not the text that lines are counted in
		l.lines = bytes.Split(data, []byte{'\n'})
	}
	if c.Note != "" {
		l.write("  %s", c.Note)
	}
	for i, m := range mistakes {
		if i == mostMistakes {
			l.write("  and %d more", len(mistakes)-i)
			break
		}
		l.mistake(m)
	}
	if came != "" {
		l.write("  the answer: %s", came)
	}
	return l.b.String()
}

func (l *lesson) write(format string, values ...any) { fmt.Fprintf(&l.b, format+"\n", values...) }

func (l *lesson) mistake(m mistake) {
	l.write("  %s", m.text)
	if m.line > 0 && m.line <= len(l.lines) {
		text, caret := excerpt(string(bytes.TrimRight(l.lines[m.line-1], "\r")), m.column)
		l.write("    %4d | %s", m.line, text)
		if m.column > 0 {
			l.write("         | %s^", strings.Repeat(" ", caret))
		}
	}
	for _, id := range m.requirements {
		q, ok := l.requirements[id]
		if ok && !l.told[id] {
			l.told[id] = true
			l.write("    %s: %s", q.ID, q.Text)
		}
	}
}

// excerpt returns the part of a line around a column, and how far into it the
// column is.
func excerpt(line string, column int) (text string, caret int) {
	runes := []rune(line)
	column = min(max(column-1, 0), len(runes))
	from := 0
	if len(runes) > shownWidth {
		from = max(0, min(column-shownWidth/2, len(runes)-shownWidth))
	}
	to := min(from+shownWidth, len(runes))
	text, caret = string(runes[from:to]), column-from
	if from > 0 {
		text, caret = "…"+text, caret+1
	}
	if to < len(runes) {
		text += "…"
	}
	return strings.ReplaceAll(text, "\t", " "), caret
}

// cameWords says what a checker answered.
func cameWords(found []reported) string {
	if len(found) == 0 {
		return "no findings"
	}
	var words []string
	for i, f := range found {
		if i == mostCame {
			words = append(words, fmt.Sprintf("and %d more", len(found)-i))
			break
		}
		words = append(words, f.describe())
	}
	return strings.Join(words, "; ")
}
