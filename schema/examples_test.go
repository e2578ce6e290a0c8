package schema

import "slices"

// Published generates the dialect's schemas as they are published, by name.
func (d *Dialect) Published() map[string][]byte {
	texts := map[string][]byte{"transcript": d.transcriptSchema().text()}
	for _, part := range []Part{Message, Chunk} {
		schema := d.recordSchema(part)
		last := len(schema) - 1 // the definitions
		texts[part.String()] = slices.Insert(schema, last, member{"examples", d.examples(part)}).text()
	}
	if t, ok := d.Type("confirmation"); ok {
		texts["confirmation"] = d.confirmationSchema(t).text()
	}
	return texts
}

func (d *Dialect) transcriptSchema() object {
	return d.head("transcript", "LMC transcript", "A conversation: a list of whole messages.").
		with("type", "array").
		with("items", d.record(Message)).
		with("examples", []any{d.examples(Message)}).
		with("$defs", d.definitions(Message))
}

func (d *Dialect) confirmationSchema(t *Type) object {
	schema := d.head("confirmation", "LMC confirmation", t.Summary)
	schema = append(schema, d.typeBody(t, Chunk)...)
	return schema.with("examples", d.typeExamples(t, Chunk)).with("$defs", d.confirmationDefinitions())
}

// examples are records that satisfy the schema of that part.
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

// typeExamples are a content of each format, between flags where the type has
// them.
func (d *Dialect) typeExamples(t *Type, part Part) []any {
	if t.Bare {
		return []any{d.event(t, "", "tool_call_id", "call_1")}
	}
	var contents []any
	for _, name := range t.FormatNames(part) {
		f, _ := t.Format(name)
		for _, content := range d.contentExamples(t, f) {
			contents = append(contents, d.event(t, name, "content", content))
		}
	}
	if len(contents) == 0 {
		contents = []any{d.event(t, d.exampleFormat(t), "content", t.Example)}
	}
	if part != Chunk || !t.Flags {
		return contents
	}
	format := d.exampleFormat(t)
	if t.Options == FormatOnContentOnly {
		format = ""
	}
	examples := append([]any{d.event(t, format, "start", true)}, contents...)
	return append(examples, d.event(t, format, d.EndKey, true))
}

// exampleFormat is a format that a record of the type may have, or "".
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

func (d *Dialect) event(t *Type, format, key string, value any) object {
	role := "user"
	if len(t.Roles) > 0 {
		role = t.Roles[0]
	}
	record := object{{"role", role}, {"type", t.Name}}
	if format != "" {
		record = record.with("format", format)
	}
	return record.with(key, value)
}

func (d *Dialect) contentExamples(t *Type, f *Format) []any {
	switch f.Content {
	case ContentLine:
		return d.lineExamples()
	case ContentConfirmation:
		return d.confirmationExamples()
	case ContentObject:
		return []any{object{{"format", "sed"}, {"content", "s/a/b/"}, {"target", "/home/me/notes.txt"}}}
	}
	if f.Example != "" {
		return []any{f.Example}
	}
	return []any{t.Example}
}

func (d *Dialect) lineExamples() []any {
	lines := []any{1}
	if d.DigitStrings {
		lines = append(lines, "1")
	}
	if d.NullLine {
		lines = append(lines, nil)
	}
	return lines
}

func (d *Dialect) confirmationExamples() []any {
	examples := []any{object{{"type", "code"}, {"format", "python"}, {"content", "34 / 24"}}}
	if d.LegacyConfirm {
		examples = append(examples, object{{"type", "code"}, {"language", "python"}, {"code", "34 / 24"}})
	}
	return examples
}
