package source

import "bytes"

// Marks are texts to look for, all of them at once.
type Marks struct {
	byRarest []marksOfByte
}

// marksOfByte are the marks of which the same byte is the rarest.
type marksOfByte struct {
	rarest byte
	texts  []markText
}

type markText struct {
	text []byte
	at   int // where the rarest byte stands in it first
}

// NewMarks prepares for looking for texts, of which none may be empty.
func NewMarks(texts ...string) Marks {
	var m Marks
	for _, text := range texts {
		m.add(text)
	}
	return m
}

func (m *Marks) add(text string) {
	at := 0
	for i := range text {
		if rarity(text[i]) > rarity(text[at]) {
			at = i
		}
	}
	added := markText{[]byte(text), at}
	for i := range m.byRarest {
		if of := &m.byRarest[i]; of.rarest == text[at] {
			of.texts = append(of.texts, added)
			return
		}
	}
	m.byRarest = append(m.byRarest, marksOfByte{text[at], []markText{added}})
}

// rarity says how rare a byte is in recordings: a mark is looked for by its
// rarest byte, so that most of a text need not be looked at closely.
func rarity(c byte) int {
	switch {
	case c >= 'a' && c <= 'z', c == '"', c == ' ', c == '\\':
		return 0
	case isDigit(c), c == ':', c == ',', c == '{', c == '}':
		return 1
	case c >= 'A' && c <= 'Z':
		return 2
	}
	return 3
}

// in reports whether one of the marks stands in text.
func (m *Marks) in(text []byte) bool {
	for i := range m.byRarest {
		if m.byRarest[i].in(text) {
			return true
		}
	}
	return false
}

func (m *marksOfByte) in(text []byte) bool {
	for at := 0; ; at++ {
		i := bytes.IndexByte(text[at:], m.rarest)
		if i < 0 {
			return false
		}
		at += i
		for _, mark := range m.texts {
			if at >= mark.at && bytes.HasPrefix(text[at-mark.at:], mark.text) {
				return true
			}
		}
	}
}
