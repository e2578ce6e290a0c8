package lmc

import (
	"bytes"
	"unicode/utf8"
)

// spare is how many bytes of cut output may pile up beyond what is kept, so
// that cutting costs little.
const spare = 64 << 10

// cutOutput keeps the last code points of a message, behind a notice that says
// so, once it has become longer than most. A message that begins with the
// notice counts as cut before, as truncate_output.py has it.
func (m *assembled) cutOutput(notice string, most int) {
	if m.notice == "" && bytes.HasPrefix(m.text, []byte(notice)) {
		m.notice, m.text = notice, m.text[len(notice):]
	}
	if m.notice == "" && len(tailOf(m.text, most)) < len(m.text) {
		m.notice = notice
	}
	if m.notice != "" && len(m.text) > utf8.UTFMax*most+spare {
		m.text = append(m.text[:0], tailOf(m.text, most)...)
	}
	m.most = most
}

// content is the text as it is stored.
func (m *assembled) content() []byte {
	if m.notice == "" {
		return m.text
	}
	return append([]byte(m.notice), tailOf(m.text, m.most)...)
}

// tailOf is the end of a text, at most so many code points. A surrogate counts as one.
func tailOf(text []byte, most int) []byte {
	at := len(text)
	for ; most > 0 && at > 0; most-- {
		at--
		for at > 0 && !utf8.RuneStart(text[at]) {
			at--
		}
	}
	return text[at:]
}
