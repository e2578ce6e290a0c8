package assemble

import (
	"bytes"
	"encoding/json"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
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
