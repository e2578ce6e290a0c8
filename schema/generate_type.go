package schema

import "strings"

// typeSchema is the definition of one type: flat, so that it can be compiled
// and read by itself.
func (d *Dialect) typeSchema(t *Type, part Part) object {
	return append(object{{"description", t.Summary}}, d.typeBody(t, part)...)
}

func (d *Dialect) typeBody(t *Type, part Part) object {
	properties := object{
		{"role", d.roleSchema()},
		{"type", object{{"const", t.Name}}},
		{"format", d.formatSchema(t, part)},
		{"content", d.contentSchema(t, part)},
	}
	body := object{
		{"type", "object"},
		{"required", t.required(part)},
		{"properties", d.withSharedKeys(properties, t, part)},
		{"additionalProperties", false},
	}
	if part == Chunk && t.Flags {
		body = append(body, d.eventRulesOf(t)...)
	}
	if conditions := d.conditions(t, part); len(conditions) > 0 {
		body = body.with("allOf", conditions)
	}
	return body
}

// eventRulesOf are the rules for the chunks of a type: a bare one need not be a
// flag and has no content either.
func (d *Dialect) eventRulesOf(t *Type) object {
	rules := d.eventRules()
	if t.Bare {
		return rules[1:]
	}
	return rules
}

// required are the keys that every record of the type has.
func (t *Type) required(part Part) []string {
	keys := []string{"role", "type"}
	if t.Options == FormatRequired || t.Options == FormatOnContentOnly && part == Message {
		keys = append(keys, "format")
	}
	if (part == Message || !t.Flags) && !t.Bare {
		keys = append(keys, "content")
	}
	return keys
}

func (d *Dialect) formatSchema(t *Type, part Part) any {
	switch {
	case t.AnyCode:
		return object{
			{"description", "The programming language. Any name is allowed; these are known to run."},
			{"type", "string"},
			{"examples", d.LanguageNames()},
		}
	case t.Options == FormatNone:
		return false
	}
	return object{{"description", t.formatSummary(part)}, {"enum", t.FormatNames(part)}}
}

func (t *Type) formatSummary(part Part) string {
	var lines []string
	for _, name := range t.FormatNames(part) {
		f, _ := t.Format(name)
		lines = append(lines, f.Name+": "+f.Summary)
	}
	return strings.Join(lines, "; ") + "."
}

// contentSchema is what every content of the type must be, whatever its
// format.
func (d *Dialect) contentSchema(t *Type, part Part) any {
	kinds := t.contents(part)
	if len(kinds) == 1 {
		return d.contentOf(kinds[0])
	}
	return object{{"description", "What it must be depends on the format."}}
}

// contents are the kinds of content of the type's formats.
func (t *Type) contents(part Part) []Content {
	var kinds []Content
	seen := map[Content]bool{}
	for i := range t.Formats {
		if f := &t.Formats[i]; f.in(part) && !seen[f.Content] {
			seen[f.Content] = true
			kinds = append(kinds, f.Content)
		}
	}
	if len(kinds) == 0 {
		return []Content{ContentString}
	}
	return kinds
}

func (d *Dialect) contentOf(kind Content) object {
	switch kind {
	case ContentLine:
		return d.lineSchema()
	case ContentConfirmation:
		return d.confirmationContent()
	case ContentObject:
		return object{{"type", "object"}}
	}
	return object{{"type", "string"}}
}

func (d *Dialect) lineSchema() object {
	line := object{{"type", "integer"}, {"minimum", 1}}
	if d.NullLine {
		line[0].value = []string{"integer", "null"}
	}
	if !d.DigitStrings {
		return line
	}
	return object{{"anyOf", []any{line, object{{"type", "string"}, {"pattern", "^[0-9]+$"}}}}}
}

// conditions are what holds in some records of the type only.
func (d *Dialect) conditions(t *Type, part Part) []any {
	var conditions []any
	if t.Options == FormatOnContentOnly && part == Chunk {
		conditions = append(conditions, object{{"if", demand("content")}, {"then", demand("format")}})
	}
	if len(t.contents(part)) == 1 {
		return conditions
	}
	for _, name := range t.FormatNames(part) {
		f, _ := t.Format(name)
		conditions = append(conditions, object{
			{"if", object{
				{"required", []string{"format"}},
				{"properties", object{{"format", object{{"const", name}}}}},
			}},
			{"then", object{{"properties", object{{"content", d.contentOf(f.Content)}}}}},
		})
	}
	return conditions
}
