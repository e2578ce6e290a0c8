package assemble

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/wtf8"
)

// assembled is a message under assembly: members in their order, as a dict of
// Python or an object of JavaScript keeps them.
type assembled struct {
	members []member
	isText  bool   // the content is text, and stands in text
	text    []byte // UTF-8, but that lone surrogates keep their value
	notice  string // what stands before output of which only the last code points are kept
	most    int    // how many of them
	block   int    // the block that began it, as the consumer counts them
}

// member is a key with its value as JSON. The value of a content that is text
// is not kept here.
type member struct {
	name string
	json []byte
}

// newAssembled copies a record, without the keys that are to be left out.
func newAssembled(r *lmc.Record, without ...string) *assembled {
	m := &assembled{}
members:
	for i := range r.Source.Root.Children {
		n := &r.Source.Root.Children[i]
		for _, name := range without {
			if n.Name == name {
				continue members
			}
		}
		m.set(n.Name, n)
	}
	return m
}

// emptyConsole is the message that stands for an execution without output.
func emptyConsole() *assembled {
	m := &assembled{isText: true}
	m.setText("role", "computer")
	m.setText("type", "console")
	m.setText("format", "output")
	m.setContent(nil)
	return m
}

// set sets a key to a value of a record.
func (m *assembled) set(name string, n *source.Node) {
	if name == "content" && n.Kind == source.String {
		m.setContent(n.AppendExact(m.text[:0]))
		return
	}
	if name == "content" {
		m.isText = false
	}
	m.setJSON(name, appendValue(nil, n))
}

func (m *assembled) setText(name, text string) { m.setJSON(name, appendASCII(nil, []byte(text))) }

// setContent makes the content that text.
func (m *assembled) setContent(text []byte) {
	m.isText, m.text = true, text
	m.setJSON("content", nil)
}

func (m *assembled) setJSON(name string, json []byte) {
	if at := m.find(name); at >= 0 {
		m.members[at].json = json
		return
	}
	m.members = append(m.members, member{name, json})
}

func (m *assembled) find(name string) int {
	for i := range m.members {
		if m.members[i].name == name {
			return i
		}
	}
	return -1
}

func (m *assembled) has(name string) bool { return m.find(name) >= 0 }

// get is the value of a key as JSON. A key that is not there is null, as
// dict.get has it.
func (m *assembled) get(name string) []byte {
	if at := m.find(name); at >= 0 {
		return m.members[at].json
	}
	return []byte("null")
}

// is reports whether a key has that string.
func (m *assembled) is(name, text string) bool {
	json := m.get(name)
	return len(json) == len(text)+2 && string(json[1:len(json)-1]) == text
}

// agrees reports whether a key has the value that it has in a record, if any.
func (m *assembled) agrees(r *lmc.Record, name string) bool {
	n := r.Key(name)
	if n == nil {
		return bytes.Equal(m.get(name), []byte("null"))
	}
	return bytes.Equal(m.get(name), appendValue(nil, n))
}

func (m *assembled) isCommand() bool { return m.is("type", "command") }

// isImage reports whether the content is to be base64 of an image.
func (m *assembled) isImage() bool {
	return m.is("type", "image") && bytes.HasPrefix(m.get("format"), []byte(`"base64`))
}

// appendJSON writes the message as json.dumps does.
func (m *assembled) appendJSON(b []byte) []byte {
	b = append(b, '{')
	for i := range m.members {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(appendASCII(b, []byte(m.members[i].name)), ": "...)
		if m.isText && m.members[i].name == "content" {
			b = appendASCII(b, m.content())
		} else {
			b = append(b, m.members[i].json...)
		}
	}
	return append(b, '}')
}

// rewrite changes the assistant's code as the interpreter does before it runs it.
func (m *assembled) rewrite() {
	if m == nil || !m.isText || !m.is("role", "assistant") || !m.is("type", "code") || !m.has("format") {
		return
	}
	code := lmc.RewriteCode(string(m.text), m.format())
	switch {
	case code.Message:
		*m = assembled{block: m.block}
		m.setText("role", "assistant")
		m.setText("type", "message")
	case code.Called:
		m.setText("format", code.Language)
	}
	m.setContent([]byte(code.Text))
}

func (m *assembled) format() string {
	var format string
	if json.Unmarshal(m.get("format"), &format) != nil {
		return ""
	}
	return format
}

// extend is += of Python on the content. An error is Python's.
func (m *assembled) extend(r *lmc.Record) error {
	switch n := r.Content; {
	case m.isText && n.Kind == source.String:
		m.text = n.AppendExact(m.text)
		return nil
	case m.isText:
		return exception(`TypeError: can only concatenate str (not "` + pythonType(appendValue(nil, n)) + `") to str`)
	default:
		return exception("TypeError: unsupported operand type(s) for +=: '" + m.contentType() + "' and '" + pythonType(appendValue(nil, n)) + "'")
	}
}

// contentType is the type of the content, as Python calls it.
func (m *assembled) contentType() string {
	if m.isText {
		return "str"
	}
	return pythonType(m.get("content"))
}

// differs reports whether a message is of another role, type or format than a
// chunk, as far as it says.
func (m *assembled) differs(r *lmc.Record) bool {
	for _, name := range []string{"role", "type", "format"} {
		if m.has(name) && !m.agrees(r, name) {
			return true
		}
	}
	return false
}

// gluesImage tells of an image that is joined to a whole one.
func (a *Assembler) gluesImage(m *assembled, r *lmc.Record) {
	if !m.isText || len(m.text) == 0 || r.Type != "image" || !m.isImage() {
		return
	}
	if beginsImage(r.Content.RawContent()) || endsPadded(m.text) {
		a.mishap(Merged, r, "a second image is joined to the image before it, and neither can be read any more")
	}
}

// what calls the message for people.
func (m *assembled) what() string {
	text := func(name string) string {
		if json := m.get(name); json[0] == '"' {
			return string(json[1 : len(json)-1])
		}
		return ""
	}
	return lmc.Name(text("role"), text("type"), text("format"))
}

// beginsImage reports whether base64 begins an image of its own.
func beginsImage(base64 []byte) bool {
	for _, signature := range []string{"iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR"} {
		if bytes.HasPrefix(base64, []byte(signature)) {
			return true
		}
	}
	return false
}

// endsPadded reports whether base64 ends with padding, so that nothing can
// follow it.
func endsPadded(base64 []byte) bool {
	return bytes.HasSuffix(bytes.TrimRight(base64, " \t\r\n"), []byte{'='})
}

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
