package schema

import (
	"bytes"
	"encoding/json"
	"strings"
)

// object is a JSON object whose members keep their order.
type object []member

type member struct {
	name  string
	value any
}

// with returns the object with one more member.
func (o object) with(name string, value any) object {
	return append(o, member{name, value})
}

// text is the object as it is published.
func (o object) text() []byte { return []byte(layout(o, "") + "\n") }

// lineWidth is how long a line of a published schema may be, in bytes, before
// what it holds is spread over several.
const lineWidth = 100

// layout writes a value as JSON for people to read: what is short stands on
// one line.
func layout(value any, indent string) string {
	line := inline(value)
	if len(indent)+len(line) <= lineWidth {
		return line
	}
	inner := indent + "  "
	var items []string
	switch value := value.(type) {
	case object:
		for _, m := range value {
			items = append(items, inner+scalar(m.name)+": "+layout(m.value, inner))
		}
		return "{\n" + strings.Join(items, ",\n") + "\n" + indent + "}"
	case []any:
		for _, element := range value {
			items = append(items, inner+layout(element, inner))
		}
		return "[\n" + strings.Join(items, ",\n") + "\n" + indent + "]"
	}
	return line
}

// inline writes a value as JSON on one line.
func inline(value any) string {
	var items []string
	switch value := value.(type) {
	case object:
		for _, m := range value {
			items = append(items, scalar(m.name)+": "+inline(m.value))
		}
		return "{" + strings.Join(items, ", ") + "}"
	case []any:
		for _, element := range value {
			items = append(items, inline(element))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case []string:
		for _, element := range value {
			items = append(items, scalar(element))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	return scalar(value)
}

// scalar writes a string, number, boolean or null as JSON, with <, > and & as
// they are.
func scalar(value any) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return "null" // no schema holds a value that JSON cannot write
	}
	return strings.TrimSpace(text.String())
}
