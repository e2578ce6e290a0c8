package schema

import "net/url"

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

// Schemas returns the dialect's JSON Schemas (draft 2020-12) by name: message,
// chunk, confirmation and transcript. Each stands by itself. The same dialect
// always gives the same bytes. A dialect without the type confirmation has no
// schema for it.
func (d *Dialect) Schemas() map[string][]byte {
	documents := map[string]object{
		"message":    d.recordSchema(Message),
		"chunk":      d.recordSchema(Chunk),
		"transcript": d.transcriptSchema(),
	}
	if t, ok := d.Type("confirmation"); ok {
		documents["confirmation"] = d.confirmationSchema(t)
	}
	texts := make(map[string][]byte, len(documents))
	for name, document := range documents {
		texts[name] = document.text()
	}
	return texts
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
	return schema.with("examples", d.examples(part)).with("$defs", d.definitions(part))
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

// definitions are the schemas that a record is dispatched to.
func (d *Dialect) definitions(part Part) object {
	var defs object
	for i := range d.Types {
		if t := &d.Types[i]; t.in(part) {
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
