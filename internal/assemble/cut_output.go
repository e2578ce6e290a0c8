package assemble

import (
	"bytes"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/wtf8"
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
	if m.notice == "" && len(wtf8.Tail(m.text, most)) < len(m.text) {
		m.notice = notice
	}
	if m.notice != "" && len(m.text) > utf8.UTFMax*most+spare {
		m.text = append(m.text[:0], wtf8.Tail(m.text, most)...)
	}
	m.most = most
}

// content is the text as it is stored.
func (m *assembled) content() []byte {
	if m.notice == "" {
		return m.text
	}
	return append([]byte(m.notice), wtf8.Tail(m.text, m.most)...)
}
