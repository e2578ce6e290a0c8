package schema

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
	return object{{"$ref", "#/$defs/" + pointerToken(definition)}}
}

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
			{"enum", recipients()},
		})
	}
	for _, key := range d.Keys {
		properties = properties.with(key, true)
	}
	return properties
}

func recipients() []string { return []string{"user", "assistant"} }

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
