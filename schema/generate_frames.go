package schema

import "slices"

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
