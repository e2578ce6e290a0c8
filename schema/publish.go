package schema

import (
	"strings"

	"github.com/lmclint/lmclint/internal/plainjson"
)

// Published generates the texts of the dialect's published schemas, by name.
func (d *Dialect) Published() map[string][]byte {
	texts := map[string][]byte{}
	publish := func(name string, schema object, definitions object) {
		texts[name] = []byte(layout(schema.with("$defs", definitions), "") + "\n")
	}
	for _, part := range []Part{Message, Chunk} {
		publish(part.String(), d.recordSchema(part).with("examples", d.examples(part)), d.definitions(part))
	}
	publish("transcript", d.head("transcript", "LMC transcript", "A conversation: a list of whole messages.").
		with("$comment", "LMC-TRN-1").
		with("type", "array").
		with("items", d.record(Message)).
		with("examples", []any{d.examples(Message)}), d.definitions(Message))
	if t, ok := d.Type("confirmation"); ok {
		schema := append(d.head("confirmation", "LMC confirmation", t.Summary), requirements("LMC-VOC-7"))
		schema = append(schema, d.typeBody(t, Chunk)...)
		publish("confirmation", schema.with("examples", d.typeExamples(t, Chunk)), d.confirmationDefinitions())
	}
	return texts
}

// examples returns records that satisfy the schema of a part.
func (d *Dialect) examples(part Part) []any {
	var examples []any
	for i := range d.Types {
		if t := &d.Types[i]; t.In(part) {
			examples = append(examples, d.typeExamples(t, part)...)
		}
	}
	if part == Chunk && d.ServerFrames {
		examples = append(examples,
			object{{"role", "user"}, {"start", true}},
			object{{"auth", "key"}},
			object{{"ack", "vytxeTZskVKR7C7WgdSP3d"}},
		)
	}
	return examples
}

// typeExamples returns a content of each format, between flags if the type has
// them.
func (d *Dialect) typeExamples(t *Type, part Part) []any {
	if t.Bare {
		return []any{d.withExampleKeys(d.event(t, ""), t)}
	}
	var contents []any
	for _, name := range t.FormatNames(part) {
		f, _ := t.Format(name)
		for _, content := range d.contentExamples(t, f) {
			contents = append(contents, d.withExampleKeys(d.event(t, name).with("content", content), t))
		}
	}
	if len(contents) == 0 {
		contents = []any{d.withExampleKeys(d.event(t, d.exampleFormat(t)).with("content", t.Example), t)}
	}
	if part != Chunk || !t.Flags {
		return contents
	}
	format := d.exampleFormat(t)
	if t.Options == FormatOnContentOnly {
		format = ""
	}
	examples := append([]any{d.event(t, format).with("start", true)}, contents...)
	return append(examples, d.event(t, format).with(d.EndKey, true))
}

// withExampleKeys adds the keys that the type has besides the common ones.
func (d *Dialect) withExampleKeys(record object, t *Type) object {
	values := map[string]any{
		"paths": []string{"/home/me/plot.png"}, "path": "/home/me/notes.txt", "target": "/home/me/notes.txt", "name": "view_image", "tool_call_id": "call_1",
	}
	for _, key := range t.Keys {
		record = record.with(key, values[key])
	}
	return record
}

// exampleFormat returns a format that a record of the type may have, or "".
func (d *Dialect) exampleFormat(t *Type) string {
	switch {
	case t.AnyCode && len(d.Languages) > 0:
		return d.Languages[0].Name
	case t.AnyCode:
		return "text"
	case len(t.Formats) > 0 && t.Options != FormatOptional:
		return t.Formats[0].Name
	}
	return ""
}

func (d *Dialect) event(t *Type, format string) object {
	role := "user"
	if len(t.Roles) > 0 {
		role = t.Roles[0]
	}
	record := object{{"role", role}, {"type", t.Name}}
	if format != "" {
		record = record.with("format", format)
	}
	return record
}

func (d *Dialect) contentExamples(t *Type, f *Format) []any {
	switch f.Content {
	case ContentLine:
		lines := []any{1}
		if d.DigitStrings {
			lines = append(lines, "1")
		}
		if d.NullLine {
			lines = append(lines, nil)
		}
		return lines
	case ContentConfirmation:
		examples := []any{object{{"type", "code"}, {"format", "python"}, {"content", "34 / 24"}}}
		if d.LegacyConfirm {
			examples = append(examples, object{{"type", "code"}, {"language", "python"}, {"code", "34 / 24"}})
		}
		return examples
	case ContentEdit:
		return []any{object{{"format", "sed"}, {"content", "s/a/b/"}, {"target", "/home/me/notes.txt"}}}
	}
	if f.Example != "" {
		return []any{f.Example}
	}
	return []any{t.Example}
}

// lineWidth is the length, in bytes, above which a line of a published schema is
// broken.
const lineWidth = 100

// layout formats a value as JSON: on one line if it is short enough, or a list of words.
func layout(value any, indent string) string {
	line := inline(value)
	if _, areWords := value.([]string); areWords || len(indent)+len(line) <= lineWidth {
		return line
	}
	inner := indent + "  "
	brackets, items := itemsOf(value, func(item any) string { return layout(item, inner) })
	if brackets == "" {
		return line
	}
	return brackets[:1] + "\n" + inner + strings.Join(items, ",\n"+inner) + "\n" + indent + brackets[1:]
}

// inline formats a value as JSON on one line.
func inline(value any) string {
	brackets, items := itemsOf(value, inline)
	if brackets == "" {
		return scalar(value)
	}
	return brackets[:1] + strings.Join(items, ", ") + brackets[1:]
}

// itemsOf returns the brackets and the formatted members or elements of an object or list,
// and no brackets of a scalar.
func itemsOf(value any, format func(any) string) (brackets string, items []string) {
	switch value := value.(type) {
	case object:
		for _, m := range value {
			items = append(items, scalar(m.name)+": "+format(m.value))
		}
		return "{}", items
	case []any:
		for _, element := range value {
			items = append(items, format(element))
		}
		return "[]", items
	case []string:
		for _, element := range value {
			items = append(items, scalar(element))
		}
		return "[]", items
	}
	return "", nil
}

// scalar formats a string, number, boolean or null as JSON, without escaping
// <, > and &.
func scalar(value any) string {
	text, err := plainjson.Marshal(value)
	if err != nil {
		return "null" // no schema holds a value that JSON cannot write
	}
	return string(text)
}
