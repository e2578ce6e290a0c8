package assemble

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

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

// pythonType is what Python calls the type of a value, by its JSON.
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
	for _, c := range json {
		if c == '.' || c == 'e' || c == 'E' {
			return "float"
		}
	}
	return "int"
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
