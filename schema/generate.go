package schema

import (
	"math"
	"net/url"
	"slices"
	"strings"
)

// A dialect's record schemas have a flat definition for each type, to which the
// root dispatches by the type, so that each can be compiled separately. These
// definitions are not types; the dot distinguishes them.
const (
	defOther        = "record.other" // a record whose type is missing or unknown
	defAuth         = "frame.auth"
	defAck          = "frame.ack"
	defTypeless     = "frame.typeless" // a user's flag without a type
	defConfirmation = "confirmation.content"
	defLegacy       = "confirmation.legacy"
	defEdit         = "confirmation.edit"
)

// ID returns the absolute $id of one of the dialect's schemas.
func (d *Dialect) ID(name string) string {
	return "https://lmclint.github.io/lmclint/schema/" + url.PathEscape(d.Name) + "/" + name + ".schema.json"
}

// Schema returns the JSON Schema of the records of a part: the published one
// of a published dialect, and for any other, as also for an extended one, a generated one,
// which depends on the dialect only.
func (d *Dialect) Schema(part Part) ([]byte, error) {
	if slices.Contains(All(), d) {
		return Source(part.String(), d.Name)
	}
	return []byte(layout(d.recordSchema(part).with("$defs", d.definitions(part)), "", math.MaxInt)), nil
}

// head returns the members that every schema begins with.
func (d *Dialect) head(name, title, description string) object {
	return object{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"$id", d.ID(name)},
		{"title", title + " (" + d.Name + ")"},
		{"description", description + " " + d.Title + " (" + d.Versions + ")."},
	}
}

// requirements returns the member that names the requirements of docs/protocol.md
// that a schema is about. Validators ignore it.
func requirements(ids ...string) member { return member{"$comment", strings.Join(ids, ", ")} }

// What a schema of records is about, wherever in it.
var ofRecords = requirements("LMC-REC-1", "LMC-REC-2", "LMC-REC-3", "LMC-REC-4", "LMC-REC-5", "LMC-REC-6", "LMC-REC-9", "LMC-REC-13")

// recordSchema returns the schema of the records of a part, without its definitions.
func (d *Dialect) recordSchema(part Part) object {
	title, description := "LMC message", "One whole message of a conversation."
	switch {
	case part == Chunk && d.ServerFrames:
		title, description = "LMC chunk", "One record of a stream or WebSocket session: a start flag, a chunk of content, an end flag or a server frame."
	case part == Chunk:
		title, description = "LMC chunk", "One record of a stream: a start flag, a chunk of content, an end flag or a confirmation."
	}
	schema := append(d.head(part.String(), title, description), ofRecords)
	return append(schema, d.record(part)...)
}

// record dispatches a record to the definition of its type. Server frames come
// first: they may have neither role nor type.
func (d *Dialect) record(part Part) object {
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
	required := []string{"role", "type"}
	if slices.ContainsFunc(d.Types, func(t Type) bool { return t.NoRole && t.In(part) }) {
		required = required[1:] // the definitions of the other types require the role
	}
	body := object{
		{"required", required},
		{"properties", object{
			{"role", d.role()},
			{"type", object{{"description", "The kind of record."}, requirements("LMC-VOC-2"), {"enum", d.TypeNames(part)}}},
		}},
		{"allOf", branches},
	}
	if part == Chunk && d.ServerFrames {
		body = d.dispatchFrames(body)
	}
	return append(object{{"type", "object"}}, body...)
}

// definitions returns the schemas to which a record is dispatched.
func (d *Dialect) definitions(part Part) object {
	var defs object
	for i := range d.Types {
		if t := &d.Types[i]; t.In(part) {
			defs = defs.with(t.Name, append(object{{"description", t.Summary}}, d.typeBody(t, part)...))
		}
	}
	defs = defs.with(defOther, d.otherType(part))
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

func (d *Dialect) typeBody(t *Type, part Part) object {
	body := closedObject(t.required(part), d.withSharedKeys(object{
		{"role", d.role()},
		{"type", object{{"const", t.Name}}},
		{"format", d.format(t, part)},
		{"content", d.contentOf(t, part)},
	}, t.Flags, part))
	if part == Chunk && t.Flags {
		events := d.eventKeywords()
		if t.Bare {
			events = events[1:] // needs neither content nor a flag
		}
		body = append(body, events...)
	}
	if conditions := d.conditions(t, part); len(conditions) > 0 {
		body = body.with("allOf", conditions)
	}
	return body
}

// required returns the keys that every record of the type has.
func (t *Type) required(part Part) []string {
	keys := []string{"role", "type"}
	if t.NoRole {
		keys = keys[1:]
	}
	if t.Options == FormatRequired || t.Options == FormatOnContentOnly && part == Message {
		keys = append(keys, "format")
	}
	if (part == Message || !t.Flags) && !t.Bare {
		keys = append(keys, "content")
	}
	if part == Message || !t.Flags {
		keys = append(keys, t.Keys...)
	}
	return keys
}

func (d *Dialect) role() object {
	return object{{"description", "Who sends the record."}, requirements("LMC-VOC-1"), {"enum", d.Roles}}
}

func (d *Dialect) format(t *Type, part Part) any {
	switch {
	case t.AnyCode:
		return object{
			{"description", "The programming language. Any name is allowed; these are known to run."},
			{"type", "string"},
			{"minLength", 1},
			{"examples", d.LanguageNames()},
		}
	case t.Options == FormatNone:
		return false
	}
	var summaries []string
	for _, name := range t.FormatNames(part) {
		f, _ := t.Format(name)
		summaries = append(summaries, f.Name+": "+f.Summary)
	}
	return object{{"description", strings.Join(summaries, "; ") + "."}, requirements("LMC-VOC-3"), {"enum", t.FormatNames(part)}}
}

// contentOf returns the schema of every content of the type, whatever its
// format.
func (d *Dialect) contentOf(t *Type, part Part) object {
	if kinds := t.contents(part); len(kinds) == 1 {
		return d.content(kinds[0])
	}
	return object{{"description", "Depends on the format."}}
}

func (d *Dialect) content(kind Content) object {
	switch kind {
	case ContentLine:
		return d.line()
	case ContentConfirmation:
		if !d.LegacyConfirm {
			return reference(defConfirmation)
		}
		return object{{"anyOf", []any{reference(defConfirmation), reference(defLegacy)}}}
	case ContentEdit:
		return reference(defEdit)
	}
	return object{{"type", "string"}}
}

// line is the content of an active_line. Readers take a larger number than the
// maximum for infinity, which is not an integer.
func (d *Dialect) line() object {
	line := object{{"type", "integer"}, {"minimum", 1}, {"maximum", math.MaxFloat64}, requirements("LMC-EXE-8")}
	if d.NullLine {
		line[0].value = []string{"integer", "null"}
	}
	if !d.DigitStrings {
		return line
	}
	return object{{"anyOf", []any{line, object{{"type", "string"}, {"pattern", "^0*[1-9][0-9]*$"}}}}}
}

// conditions returns what applies to some records of the type only.
func (d *Dialect) conditions(t *Type, part Part) []any {
	var conditions []any
	if t.Options == FormatOnContentOnly && part == Chunk {
		conditions = append(conditions, object{{"if", has("content")}, {"then", has("format")}})
	}
	for _, role := range d.Roles {
		if keys := t.RoleKeys[role]; len(keys) > 0 {
			conditions = append(conditions, object{
				{"if", object{
					{"required", []string{"role", "content"}},
					{"properties", object{{"role", object{{"const", role}}}, {"content", true}}},
				}},
				{"then", hasAll(keys)},
			})
		}
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
			{"then", object{{"properties", object{{"content", d.content(f.Content)}}}}},
		})
	}
	return conditions
}

// otherType returns the schema of a record whose type is missing or unknown,
// which never satisfies it.
func (d *Dialect) otherType(part Part) object {
	required := []string{"role", "type"}
	if part == Message {
		required = append(required, "content")
	}
	schema := append(object{{"description", "Any record, whatever its type."}},
		closedObject(required, d.withSharedKeys(object{
			{"role", d.role()},
			{"type", object{{"enum", d.TypeNames(part)}}},
			{"format", true},
			{"content", true},
		}, true, part))...)
	if part == Chunk {
		schema = append(schema, d.eventKeywords()...)
	}
	return schema
}

// withSharedKeys adds the keys that do not depend on the type: flags, if the
// type has them, the recipient, and the dialect's own.
func (d *Dialect) withSharedKeys(properties object, flags bool, part Part) object {
	if part == Chunk {
		var start, end any = false, false
		if flags {
			start = object{{"description", "The first record of a block."}, requirements("LMC-REC-7"), {"const", true}}
			end = object{{"description", "The last record of a block."}, requirements("LMC-REC-7", "LMC-REC-8"), {"const", true}}
		}
		properties = properties.with("start", start).with(d.EndKey, end)
		for _, key := range d.otherEnds() {
			properties = properties.with(key, false)
		}
	}
	if d.Recipient {
		properties = properties.with("recipient", object{
			{"description", "Who the content is for."},
			requirements("LMC-REC-10"),
			{"enum", Recipients()},
		})
	}
	return d.withOwnKeys(properties)
}

// withOwnKeys adds the dialect's own keys.
func (d *Dialect) withOwnKeys(properties object) object {
	for _, key := range d.Keys {
		var value any = true
		if types := d.KeyTypes[key]; len(types) > 0 {
			value = object{{"type", types}}
			if types[0] == "array" {
				value = object{{"type", types}, {"items", object{{"type", "string"}}}}
			}
		}
		properties = properties.with(key, value)
	}
	return properties
}

// eventKeywords returns the keywords by which a chunk has exactly one of start,
// end and content.
func (d *Dialect) eventKeywords() object {
	return object{
		{"anyOf", []any{has("content"), has("start"), has(d.EndKey)}},
		{"dependentSchemas", object{
			{"start", object{{"properties", object{{"content", false}, {d.EndKey, false}}}}},
			{d.EndKey, object{{"properties", object{{"content", false}}}}},
		}},
	}
}

func (d *Dialect) confirmationDefinitions() object {
	defs := object{
		{defConfirmation, d.confirmedCode("The code that is about to run, as a message without a role.", "format", "content")},
		{defLegacy, d.confirmedCode("The code that is about to run, as the documentation once showed it.", "language", "code")},
	}
	if _, ok := d.Type("edit"); ok {
		defs = defs.with(defEdit, object{
			{"description", "The edit that is about to be made, as a message without a role."},
			{"type", "object"},
			{"required", []string{"format", "content", "target"}},
			{"properties", object{
				{"format", object{{"description", "The editing tool."}, {"type", "string"}}},
				{"content", object{{"description", "The input of the tool."}, {"type", "string"}}},
				{"target", object{{"description", "The path of the file."}, {"type", "string"}}},
			}},
		})
	}
	return defs
}

// confirmedCode returns the schema of an object with a language and code.
func (d *Dialect) confirmedCode(description, language, code string) object {
	properties := object{
		{"type", object{{"const", "code"}}},
		{language, object{{"description", "The programming language."}, {"type", "string"}}},
		{code, object{{"description", "The code."}, {"type", "string"}}},
	}
	if d.OpenConfirm {
		properties = properties.with("removed", object{
			{"description", "What was removed from the streamed code, or null."},
			{"type", []string{"string", "null"}},
		})
	}
	return object{
		{"description", description},
		requirements("LMC-VOC-7"),
		{"type", "object"},
		{"required", []string{"type", language, code}},
		{"properties", properties},
		{"additionalProperties", d.OpenConfirm},
	}
}

// dispatchFrames dispatches the frames of a session that have no type to their
// definitions, and all other records to others.
func (d *Dialect) dispatchFrames(others object) object {
	withType := slices.DeleteFunc(slices.Clone(d.Roles), func(role string) bool { return role == "user" })
	typeless := object{
		{"anyOf", d.hasFlag()},
		{"not", object{{"anyOf", []any{
			has("type"), has("content"), has("auth"), has("ack"),
			object{{"required", []string{"role"}}, {"properties", object{{"role", object{{"enum", withType}}}}}},
		}}}},
	}
	ack := has("ack").with("not", object{{"anyOf", []any{has("role"), has("type"), has("auth")}}})
	auth := has("auth").with("not", object{{"anyOf", []any{has("role"), has("type")}}})
	body := object{{"if", typeless}, {"then", reference(defTypeless)}, {"else", others}}
	body = object{{"if", ack}, {"then", reference(defAck)}, {"else", body}}
	return object{{"if", auth}, {"then", reference(defAuth)}, {"else", body}}
}

// hasFlag lists the schemas of records with a flag.
func (d *Dialect) hasFlag() []any {
	flags := []any{has("start"), has(d.EndKey)}
	for _, key := range d.otherEnds() {
		flags = append(flags, has(key))
	}
	return flags
}

func (d *Dialect) frameDefinitions() object {
	frame := func(description, key string, value object) object {
		return append(object{{"description", description}}, closedObject([]string{key}, d.withOwnKeys(object{{key, value}}))...)
	}
	typeless := append(object{{"description", "A flag of a user message that may have parts of several types."}},
		closedObject([]string{"role"}, d.withSharedKeys(object{
			{"role", object{{"description", "Who sends the record."}, {"enum", []string{"user"}}}},
			{"format", false},
		}, true, Chunk))...)
	events := d.eventKeywords()
	events[0].value = d.hasFlag()
	key := object{{"anyOf", []any{object{{"type", "string"}}, object{{"type", "boolean"}}}}}
	return object{
		{defAuth, frame("The client's key, or the server's answer to it.", "auth", key)},
		{defAck, frame("The client's acknowledgement of the frame with that id.", "ack", object{{"type", "string"}})},
		{defTypeless, append(typeless, events...)},
	}
}

// hasAll is the schema of a record with some keys.
func hasAll(keys []string) object {
	properties := object{}
	for _, key := range keys {
		properties = properties.with(key, true)
	}
	return object{{"required", keys}, {"properties", properties}}
}

// The parts that the schemas of all dialects are made of.

// closedObject returns the schema of an object without other keys.
func closedObject(required []string, properties object) object {
	return object{
		{"type", "object"},
		{"required", required},
		{"properties", properties},
		{"additionalProperties", false},
	}
}

// has returns the schema of an object with a key. The key is in properties as
// well, because strict validators report a required key that is not.
func has(key string) object {
	return object{{"required", []string{key}}, {"properties", object{{key, true}}}}
}

func reference(definition string) object {
	name := strings.NewReplacer("~", "~0", "/", "~1").Replace(definition) // RFC 6901
	return object{{"$ref", "#/$defs/" + url.PathEscape(name)}}
}

// object is a JSON object that keeps the order of its members.
type object []member

type member struct {
	name  string
	value any
}

// with returns the object with one more member.
func (o object) with(name string, value any) object {
	return append(o, member{name, value})
}
