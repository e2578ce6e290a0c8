package redact

import (
	"bytes"
	"encoding/json"
	"iter"
	"math/bits"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/source/value"
)

// alphabets are the characters that replace those of a class. The first three are also
// digits of a hexadecimal number, or of base64. The first of each may be repeated: a number
// may begin with 1.
var alphabets = [][]rune{[]rune("abc"), []rune("ABC"), []rune("102"), []rune("äöü"), []rune("ÄÖÜ"), []rune("甲乙丙"), []rune("☺☻☼"), []rune("😀😁😂")}

// digits is the class of the ASCII digits.
const digits = 2

// classOf returns the class of a character, or -1 for one that stays: punctuation, space,
// what controls a terminal, half a surrogate pair.
func classOf(r rune) int {
	switch {
	case 'a' <= r && r <= 'z':
		return 0
	case 'A' <= r && r <= 'Z':
		return 1
	case '0' <= r && r <= '9':
		return digits
	case r < utf8.RuneSelf, r == utf8.RuneError, unicode.IsSpace(r), unicode.IsPunct(r), unicode.In(r, unicode.Cc, unicode.Cf, unicode.Cs):
		return -1
	case r > 0xffff:
		return 7
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar): // without spaces between words
		return 5
	case unicode.IsUpper(r):
		return 4
	case unicode.IsLetter(r), unicode.IsMark(r), unicode.IsNumber(r):
		return 3
	}
	return 6
}

// letter is a character of a text that is replaced.
type letter struct {
	start, end int
	r          rune
	class      int
}

// decoding decodes the escape that a source begins with. It is nil for text that has none.
type decoding func(source []byte) (r rune, size int)

// letters returns the letters of a text or of its source.
func letters(source []byte, decode decoding) iter.Seq[letter] {
	return func(yield func(letter) bool) {
		for at := 0; at < len(source); {
			r, size := utf8.DecodeRune(source[at:])
			if r == '\\' && decode != nil {
				r, size = decode(source[at:])
			}
			l := letter{at, at + size, r, classOf(r)}
			if at = l.end; l.class >= 0 && !yield(l) {
				return
			}
		}
	}
}

// lettersOf returns the letters of a text.
func lettersOf(text string) (all []rune) {
	for l := range letters([]byte(text), nil) {
		all = append(all, l.r)
	}
	return all
}

// invalid replaces bytes that are not UTF-8, such as letters in another encoding.
var invalid = []byte{0xff}

// replace returns a source with other letters, and where there are none with the first of an
// alphabet. What remains of the letters is appended.
func replace(source []byte, with []rune, decode decoding) []byte {
	out, at := make([]byte, 0, len(source)), 0
	for l := range letters(source, decode) {
		r := alphabets[l.class][0]
		if len(with) > 0 {
			r, with = with[0], with[1:]
		}
		out = append(out, bytes.ToValidUTF8(source[at:l.start], invalid)...)
		switch at = l.end; {
		case r == l.r:
			out = append(out, source[l.start:l.end]...)
		case source[l.start] == '\\':
			out = value.AppendEscape(out, r)
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	out = append(out, bytes.ToValidUTF8(source[at:], invalid)...)
	return append(out, string(with)...)
}

// masks replaces texts: equal ones by equal ones, and different ones by different ones. What
// replaces a text depends on its shape and on the texts before it only.
type masks struct {
	known map[string][]rune // the letters that replace those of a text
	next  map[string]int    // how many texts have a shape
}

// of returns the letters that replace those of a text. There may be more of them, as there
// may be many short texts.
func (m *masks) of(text string) []rune {
	with, ok := m.known[text]
	if !ok {
		var number int
		if with = m.json(text); with == nil {
			with, number = m.fill(text, nil)
		}
		for size := len(with); size < 10 && power(size) <= number; size++ {
			with = append(with, alphabets[0][number/power(size)%3])
		}
		m.known[text] = with
	}
	return with
}

// fill makes letters for a text, and returns the number of the text among those of its shape.
// From says which letter each repeats, if that is not nil: its own number, or that of one
// before it.
func (m *masks) fill(text string, from []int) (with []rune, number int) {
	all := func() (with []rune) {
		phrases := phrase.FindAllStringIndex(text, -1)
		for l := range letters([]byte(text), nil) {
			for len(phrases) > 0 && phrases[0][1] <= l.start {
				phrases = phrases[1:]
			}
			i := len(with)
			if from != nil {
				i = from[i]
			}
			r := alphabets[l.class][(bits.OnesCount(uint(i))+number/power(i%10))%3] // no text repeats itself
			if len(phrases) > 0 && phrases[0][0] <= l.start && l.class != digits {
				r = l.r
			}
			with = append(with, r)
		}
		return with
	}
	shape := string(replace([]byte(text), all(), nil))
	number = m.next[shape]
	m.next[shape]++
	return all(), number
}

// power returns a power of three.
func power(n int) (p int) {
	for p = 1; n > 0; n-- {
		p *= 3
	}
	return p
}

// ofBlock returns the letters of the chunks of a block. Text that the block repeats remains
// a repetition.
func (m *masks) ofBlock(chunks []string) [][]rune {
	if len(chunks) == 1 {
		return [][]rune{m.of(chunks[0])}
	}
	whole := strings.Join(chunks, "")
	var own []rune
	counts := make([]int, len(chunks))
	for i, chunk := range chunks {
		chunk := lettersOf(chunk)
		own, counts[i] = append(own, chunk...), len(chunk)
	}
	with, ok := m.known[whole]
	if !ok {
		if with = m.json(whole); len(with) != len(own) {
			with, _ = m.fill(whole, repeats(own, counts))
		}
		m.known[whole] = with
	}
	split := make([][]rune, len(chunks))
	for i, n := range counts {
		split[i], with = with[:n:n], with[n:]
		if _, ok := m.known[chunks[i]]; !ok && (i == 0 || 2*n > len(own)/len(chunks)) { // it may be all of the text
			m.known[chunks[i]] = split[i]
		}
	}
	return split
}

// repeats says which letter each of a block repeats: of chunks that begin as the block or
// the chunk before does, and the rest of the block if the first chunk ends with it.
func repeats(own []rune, counts []int) []int {
	from := make([]int, len(own))
	for i := range from {
		from[i] = i
	}
	at, last := counts[0], 0
	if rest := len(own) - at; rest <= at && string(own[at-rest:at]) == string(own[at:]) {
		copy(from[at:], from[at-rest:at])
		return from
	}
	for _, n := range counts[1:] {
		for _, start := range []int{last, 0} {
			same := 0
			for at+same < len(own) && own[start+same] == own[at+same] {
				same++
			}
			if same < n && start+same < at {
				continue
			}
			for i := range same {
				from[at+i] = from[start+i]
			}
			break
		}
		at, last = at+n, at
	}
	return from
}

// token matches a string, a number or a word of JSON.
var token = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|[A-Za-z0-9.+-]+`)

// json returns the letters for a text that is JSON, perhaps in a code fence: it remains JSON,
// and a call of a tool remains one. It returns nil for another text.
func (m *masks) json(text string) []rune {
	start, end := strings.IndexAny(text, "{["), strings.LastIndexAny(text, "}]")+1
	isFenced := strings.HasPrefix(strings.TrimSpace(text), "`")
	if start < 0 || end <= start || !isFenced && strings.TrimSpace(text[:start]) != "" || !json.Valid([]byte(text[start:end])) {
		return nil
	}
	with, isWord := slices.Clone(m.of(text[:start])), false
	for _, at := range token.FindAllStringIndex(text[start:end], -1) {
		source := text[start+at[0] : start+at[1]]
		isKey := strings.HasPrefix(strings.TrimLeft(text[start+at[1]:end], " \t\r\n"), ":")
		var inner string
		switch err := json.Unmarshal([]byte(source), &inner); {
		case err != nil:
			source = anyDigit.ReplaceAllString(source, "1")
		case isKey && slices.Contains([]string{"name", "arguments", "language", "code", "id", "type"}, inner), isWord && vocabulary().Has(inner):
		default:
			source = string(replace([]byte(source), m.of(inner), value.DecodeEscape))
		}
		isWord = isKey && (inner == "language" || inner == "type")
		with = append(with, lettersOf(source)...)
	}
	return append(with, m.of(text[end:])...)
}

// phrase matches what programs write, and rules find, in a text: there letters stay, but
// digits do not.
var phrase = regexp.MustCompile(`^Output truncated\. Showing the last \d+ characters\.|^Code block was empty\.|` +
	`##active_line\d*#{0,2}|(?i:^\s*data:)|\x1b\[[0-9;]*m|created the conversation|` +
	`(?:</(?:s(?:a(?:fe?)?)?|u(?:n(?:s(?:a(?:fe?)?)?)?)?|w(?:a(?:r(?:n(?:i(?:ng?)?)?)?)?)?)>?|(?:un)?safe>|warning>)\s*$|` +
	`(?i:(?:(?:^|\s)(?:is|are)\s+)?(?:still\s+)?\b(?:thinking|typing|working|processing|generating|searching|loading|analy[sz]ing|reading)` +
	`(?:\s+(?:on|about)\s+it|\s+an?\s+(?:answer|response|reply|message))?\s*(?:\.*|…)\s*$)`)
