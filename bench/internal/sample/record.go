package sample

// kind is how the value of a member is written.
type kind uint8

const (
	text    kind = iota // a JSON string
	literal             // JSON as it stands
	object              // members of its own
)

// member is a key of a record with its value.
type member struct {
	key     string
	kind    kind
	value   string
	members record
}

// record is a JSON object in the order in which it is written.
type record []member

// header is what all records of a block share.
type header struct {
	role, typ, format string
}

// with writes the header and one member behind it, in Open Interpreter's order.
func (h header) with(last member) record {
	r := make(record, 0, 5)
	r = append(r, member{key: "role", value: h.role}, member{key: "type", value: h.typ})
	if h.format != "" {
		r = append(r, member{key: "format", value: h.format})
	}
	return append(r, last)
}

func (h header) start() record { return h.with(member{key: "start", kind: literal, value: "true"}) }

func (h header) end() record { return h.with(member{key: "end", kind: literal, value: "true"}) }

func (h header) content(s string) record { return h.with(member{key: "content", value: s}) }

func (h header) literal(json string) record {
	return h.with(member{key: "content", kind: literal, value: json})
}

// confirmation asks whether code may run.
func confirmation(language, code string) record {
	content := record{{key: "type", value: "code"}, {key: "format", value: language}, {key: "content", value: code}}
	return header{"computer", "confirmation", "execution"}.with(member{key: "content", kind: object, members: content})
}

// to says whom the content of a record is meant for.
func (r record) to(recipient string) record {
	return append(r, member{key: "recipient", value: recipient})
}

// index finds a key, or gives -1.
func (r record) index(key string) int {
	for i := range r {
		if r[i].key == key {
			return i
		}
	}
	return -1
}
