package schema

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

const (
	draft = "https://json-schema.org/draft/2020-12/schema"
	base  = "https://lmclint.github.io/schema/"
)

// The names of the definitions that are no type's. A dot keeps them apart
// from types.
const (
	defOther        = "record.other" // a record whose type is missing or unknown
	defAuth         = "frame.auth"
	defAck          = "frame.ack"
	defTypeless     = "frame.typeless" // a user's flag without a type
	defConfirmation = "confirmation.content"
	defLegacy       = "confirmation.legacy"
)

// ID returns the absolute $id of one of the dialect's schemas.
func (d *Dialect) ID(name string) string {
	return base + url.PathEscape(d.Name) + "/" + name + ".schema.json"
}

// Schema returns the JSON Schema (draft 2020-12) of the records of that part:
// the published one of a dialect of ours, and else one that is generated from
// the dialect. The same dialect always gives the same bytes.
func (d *Dialect) Schema(part Part) []byte {
	if d.IsPublished() {
		if text, err := Source(part.String(), d.Name); err == nil {
			return text
		}
	}
	return d.recordSchema(part).text()
}

// head is what every published schema begins with.
func (d *Dialect) head(name, title, description string) object {
	return object{
		{"$schema", draft},
		{"$id", d.ID(name)},
		{"title", title + " (" + d.Name + ")"},
		{"description", description + " " + d.Title + " (" + d.Versions + ")."},
	}
}

func (d *Dialect) recordSchema(part Part) object {
	title, description := "LMC message", "One whole message of a conversation."
	if part == Chunk {
		title, description = "LMC chunk", "One record of a stream: a start flag, a piece of content, an end flag or a confirmation."
	}
	if part == Chunk && d.ServerFrames {
		description = "One record of a stream or of a WebSocket session: a start flag, a piece of content, an end flag or a frame of the server's."
	}
	schema := d.head(part.String(), title, description)
	schema = append(schema, d.record(part)...)
	return schema.with("$defs", d.definitions(part))
}

// definitions are the schemas that a record is dispatched to.
func (d *Dialect) definitions(part Part) object {
	var defs object
	for i := range d.Types {
		if t := &d.Types[i]; t.In(part) {
			defs = defs.with(t.Name, d.typeSchema(t, part))
		}
	}
	defs = defs.with(defOther, d.otherSchema(part))
	if part != Chunk {
		return defs
	}
	if d.ServerFrames {
		defs = append(defs, d.frameDefinitions()...)
	}
	if _, ok := d.Type("confirmation"); ok {
		defs = append(defs, d.confirmationDefinitions()...)
	}
	return defs
}

// record sends a record to the definition of its type. Frames of a server
// come first: they may have neither role nor type.
func (d *Dialect) record(part Part) object {
	body := object{
		{"required", []string{"role", "type"}},
		{"properties", object{
			{"role", d.roleSchema()},
			{"type", object{{"description", "What kind of record it is."}, {"enum", d.TypeNames(part)}}},
		}},
		{"allOf", d.dispatch(part)},
	}
	if part == Chunk && d.ServerFrames {
		body = d.frames(body)
	}
	return append(object{{"type", "object"}}, body...)
}

func (d *Dialect) dispatch(part Part) []any {
	var branches []any
	for _, name := range d.TypeNames(part) {
		branches = append(branches, object{
			{"if", object{
				{"required", []string{"type"}},
				{"properties", object{{"type", object{{"const", name}}}}},
			}},
			{"then", reference(name)},
		})
	}
	return branches
}

func reference(definition string) object {
	return object{{"$ref", "#/$defs/" + url.PathEscape(pointerEscapes.Replace(definition))}}
}

// pointerEscapes escapes a name for a JSON Pointer (RFC 6901).
var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

func (d *Dialect) roleSchema() object {
	return object{{"description", "Who sends the record."}, {"enum", d.Roles}}
}

// otherSchema says what can be said of a record whose type is missing or
// unknown. No record satisfies it: its type does not.
func (d *Dialect) otherSchema(part Part) object {
	t := &Type{Options: FormatOptional, Flags: true}
	properties := object{
		{"role", d.roleSchema()},
		{"type", object{{"enum", d.TypeNames(part)}}},
		{"format", true},
		{"content", true},
	}
	schema := object{
		{"description", "What holds for a record whatever its type is."},
		{"type", "object"},
		{"required", []string{"role", "type"}},
		{"properties", d.withSharedKeys(properties, t, part)},
		{"additionalProperties", false},
	}
	if part == Message {
		schema[2].value = []string{"role", "type", "content"}
		return schema
	}
	return append(schema, d.eventRules()...)
}

// withSharedKeys adds the keys that do not depend on the type.
func (d *Dialect) withSharedKeys(properties object, t *Type, part Part) object {
	if part == Chunk {
		properties = append(properties, d.flagProperties(t.Flags)...)
	}
	if d.Recipient {
		properties = properties.with("recipient", object{
			{"description", "Whom the content is meant for."},
			{"enum", Recipients()},
		})
	}
	for _, key := range d.Keys {
		properties = properties.with(key, true)
	}
	return properties
}

// flagProperties say how a flag looks, in types that have flags.
func (d *Dialect) flagProperties(flags bool) object {
	var start, end any = false, false
	if flags {
		start = object{{"description", "The first record of a block."}, {"const", true}}
		end = object{{"description", "The last record of a block."}, {"const", true}}
	}
	properties := object{{"start", start}, {d.EndKey, end}}
	for _, key := range d.otherEnds() {
		properties = properties.with(key, false)
	}
	return properties
}

// eventRules say that a chunk has exactly one of start, end and content.
func (d *Dialect) eventRules() object {
	return object{
		{"anyOf", []any{demand("content"), demand("start"), demand(d.EndKey)}},
		{"dependentSchemas", object{
			{"start", forbid("content", d.EndKey)},
			{d.EndKey, forbid("content")},
		}},
	}
}

// demand is a record with that key. The key stands under properties too,
// because strict validators take a required key without one for a slip.
func demand(key string) object {
	return object{{"required", []string{key}}, {"properties", object{{key, true}}}}
}

func forbid(keys ...string) object {
	var properties object
	for _, key := range keys {
		properties = properties.with(key, false)
	}
	return object{{"properties", properties}}
}

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

// confirmationContent is what the content of a confirmation must be.
func (d *Dialect) confirmationContent() object {
	if !d.LegacyConfirm {
		return reference(defConfirmation)
	}
	return object{{"anyOf", []any{reference(defConfirmation), reference(defLegacy)}}}
}

func (d *Dialect) confirmationDefinitions() object {
	return object{
		{defConfirmation, d.confirmedCode("The code that is about to run, as a message without a role.", "format", "content")},
		{defLegacy, d.confirmedCode("The code that is about to run, as the documents once showed it.", "language", "code")},
	}
}

// confirmedCode is an object of a language and the code in it.
func (d *Dialect) confirmedCode(description, language, code string) object {
	return object{
		{"description", description},
		{"type", "object"},
		{"required", []string{"type", language, code}},
		{"properties", object{
			{"type", object{{"const", "code"}}},
			{language, object{{"description", "The programming language."}, {"type", "string"}}},
			{code, object{{"description", "The code."}, {"type", "string"}}},
		}},
		{"additionalProperties", d.OpenConfirm},
	}
}

// frames sends the records of a session that have no type to their
// definitions, and all others on.
func (d *Dialect) frames(others object) object {
	typeless := object{
		{"anyOf", d.flagDemands()},
		{"not", object{{"anyOf", []any{
			demand("type"), demand("content"), demand("auth"), demand("ack"),
			object{{"required", []string{"role"}}, {"properties", object{{"role", object{{"enum", d.rolesWithType()}}}}}},
		}}}},
	}
	body := choice(typeless, reference(defTypeless), others)
	body = choice(frameWith("ack", "auth"), reference(defAck), body)
	return choice(frameWith("auth"), reference(defAuth), body)
}

func choice(condition, then, otherwise object) object {
	return object{{"if", condition}, {"then", then}, {"else", otherwise}}
}

// frameWith is a record with that key, and neither role nor type nor the
// other key.
func frameWith(key string, other ...string) object {
	absent := []any{demand("role"), demand("type")}
	for _, name := range other {
		absent = append(absent, demand(name))
	}
	return demand(key).with("not", object{{"anyOf", absent}})
}

func (d *Dialect) flagDemands() []any {
	demands := []any{demand("start"), demand(d.EndKey)}
	for _, key := range d.otherEnds() {
		demands = append(demands, demand(key))
	}
	return demands
}

// rolesWithType are the roles whose flags always have a type.
func (d *Dialect) rolesWithType() []string {
	return slices.DeleteFunc(slices.Clone(d.Roles), func(role string) bool { return role == "user" })
}

func (d *Dialect) frameDefinitions() object {
	return object{
		{defAuth, d.frame("The client's key, or the server's answer to it.", "auth",
			object{{"anyOf", []any{object{{"type", "string"}}, object{{"type", "boolean"}}}}})},
		{defAck, d.frame("The client's receipt for the frame of that id.", "ack", object{{"type", "string"}})},
		{defTypeless, d.typelessSchema()},
	}
}

func (d *Dialect) frame(description, key string, value object) object {
	properties := object{{key, value}}
	for _, name := range d.Keys {
		properties = properties.with(name, true)
	}
	return object{
		{"description", description},
		{"type", "object"},
		{"required", []string{key}},
		{"properties", properties},
		{"additionalProperties", false},
	}
}

// typelessSchema is a flag round a user's message that may have parts of
// several types.
func (d *Dialect) typelessSchema() object {
	t := &Type{Flags: true}
	properties := object{
		{"role", object{{"description", "Who sends the record."}, {"enum", []string{"user"}}}},
		{"format", false},
	}
	schema := object{
		{"description", "A flag round a user's message, which may have parts of several types."},
		{"type", "object"},
		{"required", []string{"role"}},
		{"properties", d.withSharedKeys(properties, t, Chunk)},
		{"additionalProperties", false},
	}
	rules := d.eventRules()
	rules[0].value = d.flagDemands()
	return append(schema, rules...)
}

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
