package assemble

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/base/wtf8"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// assembled is a message that is being built: its members in order, as in a
// Python dict.
type assembled struct {
	members []member
	isText  bool   // the content is a string, kept in text
	text    []byte // in WTF-8
	notice  string // what precedes truncated output, or ""
	most    int    // code points kept of truncated output
	block   int    // the number of the block that began it
}

// member is a key with its value as JSON. A content that is a string is in
// assembled.text instead.
type member struct {
	name string
	json []byte
}

// newAssembled copies a record, without some of its keys.
func newAssembled(r *lmc.Record, without ...string) *assembled {
	m := &assembled{}
	for i := range r.Root.Children {
		if n := &r.Root.Children[i]; !slices.Contains(without, n.Name) {
			m.set(n.Name, n)
		}
	}
	return m
}

// emptyConsole returns the message of an execution without output.
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

func (m *assembled) setText(name, text string) {
	m.setJSON(name, AppendASCII(nil, []byte(text)))
}

// setContent sets the content to a string.
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
	return slices.IndexFunc(m.members, func(m member) bool { return m.name == name })
}

func (m *assembled) has(name string) bool { return m.find(name) >= 0 }

// get returns the value of a key as JSON. An absent key is null, as with
// dict.get.
func (m *assembled) get(name string) []byte {
	if at := m.find(name); at >= 0 {
		return m.members[at].json
	}
	return []byte("null")
}

// is reports whether the value of a key is that string.
func (m *assembled) is(name, text string) bool {
	json := m.get(name)
	return len(json) == len(text)+2 && string(json[1:len(json)-1]) == text
}

// agrees reports whether a key has the same value as in a record.
func (m *assembled) agrees(r *lmc.Record, name string) bool {
	n := r.Key(name)
	if n == nil {
		return bytes.Equal(m.get(name), []byte("null"))
	}
	return bytes.Equal(m.get(name), appendValue(nil, n))
}

func (m *assembled) isCommand() bool { return m.is("type", "command") }

// appendJSON appends the message as json.dumps writes it.
func (m *assembled) appendJSON(b []byte) []byte {
	b = append(b, '{')
	for i := range m.members {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(AppendASCII(b, []byte(m.members[i].name)), ": "...)
		if m.isText && m.members[i].name == "content" {
			text := m.text
			if m.notice != "" {
				text = append([]byte(m.notice), wtf8.Tail(text, m.most)...)
			}
			b = AppendASCII(b, text)
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
	var format string
	_ = json.Unmarshal(m.get("format"), &format) // a value that is not a string is not a language
	code := lmc.RewriteCode(string(m.text), format)
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

// extend appends to the content as Python's += does. An error is the exception
// that Python raises.
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

// contentType is the name of the content's Python type.
func (m *assembled) contentType() string {
	if m.isText {
		return "str"
	}
	return pythonType(m.get("content"))
}

// contradicts reports whether one of some keys of a message has another value than in
// a chunk. Keys that the message lacks do not count.
func (m *assembled) contradicts(r *lmc.Record, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return m.has(name) && !m.agrees(r, name) })
}

// reportMergedImage reports an image that is appended to a complete one.
func (a *Assembler) reportMergedImage(m *assembled, r *lmc.Record) {
	if !m.isText || len(m.text) == 0 || r.Type != "image" || !m.is("type", "image") || !bytes.HasPrefix(m.get("format"), []byte(`"base64`)) {
		return
	}
	isPadded := bytes.HasSuffix(bytes.TrimRight(m.text, " \t\r\n"), []byte{'='}) // so that nothing may follow
	if isPadded || slices.ContainsFunc(imageSignatures, func(s string) bool { return bytes.HasPrefix(r.Content.RawContent(), []byte(s)) }) {
		a.report(Merged, r, "second image appended to the preceding image; neither can be decoded")
	}
}

// what names the message in texts.
func (m *assembled) what() string {
	text := func(name string) string {
		if json := m.get(name); json[0] == '"' {
			return string(json[1 : len(json)-1])
		}
		return ""
	}
	return lmc.Name(text("role"), text("type"), text("format"))
}

// imageSignatures are how images begin, in base64.
var imageSignatures = []string{"iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR"}

// spare is how many bytes of truncated output are buffered beyond what is kept,
// so that it is truncated rarely.
const spare = 64 << 10

// cutOutput keeps the last code points of a message, after a notice, once it has
// more than most. A message that begins with the notice was truncated before, as
// in truncate_output.py.
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

// dumps writes values as Python's json.dumps writes them: with a space after commas and
// colons, and in ASCII. Of a duplicate key, the last value is used.
var dumps = value.Writer{
	String: func(b []byte, n *source.Node) []byte { return AppendASCII(b, n.AppendExact(nil)) },
	Name:   func(b []byte, n *source.Node) []byte { return AppendASCII(b, []byte(n.Name)) },
	Members: func(all []source.Node) (kept []source.Node) {
		at := make(map[string]int, len(all)) // in kept
		for i := range all {
			if j, ok := at[all[i].Name]; ok {
				kept[j] = all[i]
				continue
			}
			at[all[i].Name] = len(kept)
			kept = append(kept, all[i])
		}
		return kept
	},
}

func appendValue(b []byte, n *source.Node) []byte { return dumps.Append(b, n) }

// pythonType returns the name of the Python type of a JSON value.
func pythonType(json []byte) string {
	switch json[0] {
	case '"':
		return "str"
	case '{':
		return "dict"
	case '[':
		return "list"
	case 't', 'f':
		return "bool"
	case 'n':
		return "NoneType"
	}
	if bytes.ContainsAny(json, ".eE") {
		return "float"
	}
	return "int"
}

// AppendASCII appends a text as a JSON string in ASCII, as Python's json.dumps
// writes it. A lone surrogate becomes an escape.
func AppendASCII(b, text []byte) []byte {
	b = append(b, '"')
	for len(text) > 0 {
		r, size := wtf8.DecodeRune(text)
		if ' ' <= r && r <= '~' && r != '"' && r != '\\' {
			b = append(b, text[0])
		} else {
			b = value.AppendEscape(b, r)
		}
		text = text[size:]
	}
	return append(b, '"')
}

// truthy reports whether a value is true where Python asks for a condition. An absent
// value is not; lists and objects are, which no consumer tests.
func truthy(n *source.Node) bool {
	switch {
	case n == nil, n.Kind == source.Null:
		return false
	case n.Kind == source.Bool:
		return n.Value() == true
	case n.Kind == source.String:
		return len(n.AppendText(nil)) > 0
	case n.Kind == source.Number:
		mantissa, _, _ := strings.Cut(strings.ToLower(string(n.Raw())), "e")
		return strings.ContainsAny(mantissa, "123456789")
	}
	return true
}
