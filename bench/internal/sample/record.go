// Package sample generates conversations for benchmarks: streams, transcripts and
// images that resemble recordings of Open Interpreter and are valid under dialect
// interpreter.
//
// The same options give the same bytes with the same Go version, whose standard
// library encodes the images.
package sample

import (
	"math/rand/v2"

	"github.com/lmclint/lmclint/internal/source/value"
)

// kind is how the value of a member is written.
type kind uint8

const (
	text    kind = iota // a JSON string
	literal             // JSON, verbatim
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

// with returns the header with one more member, in Open Interpreter's order.
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

// Layout is how records are written. The zero value is Python's json.dumps
// with a line feed after each record.
type Layout struct {
	Compact  bool // no spaces after ',' and ':'
	Raw      bool // ensure_ascii=False: characters beyond ASCII as UTF-8
	CRLF     bool // "\r\n" ends a line
	Shuffled bool // a different key order in every record
}

// appendLine writes a record and its line end.
func (l Layout) appendLine(dst []byte, r record, rng *rand.Rand) []byte {
	dst = l.appendRecord(dst, r, rng)
	if l.CRLF {
		dst = append(dst, '\r')
	}
	return append(dst, '\n')
}

func (l Layout) appendRecord(dst []byte, r record, rng *rand.Rand) []byte {
	if l.Shuffled {
		rng.Shuffle(len(r), func(i, j int) { r[i], r[j] = r[j], r[i] })
	}
	dst = append(dst, '{')
	for i := range r {
		if i > 0 {
			dst = l.appendMark(dst, ',')
		}
		dst = appendString(dst, r[i].key, l.Raw)
		dst = l.appendMark(dst, ':')
		dst = l.appendValue(dst, &r[i], rng)
	}
	return append(dst, '}')
}

func (l Layout) appendValue(dst []byte, m *member, rng *rand.Rand) []byte {
	switch m.kind {
	case literal:
		return append(dst, m.value...)
	case object:
		return l.appendRecord(dst, m.members, rng)
	}
	return appendString(dst, m.value, l.Raw)
}

// appendMark writes ',' or ':' with the space that json.dumps writes after it.
func (l Layout) appendMark(dst []byte, mark byte) []byte {
	if l.Compact {
		return append(dst, mark)
	}
	return append(dst, mark, ' ')
}

// appendString writes s as json.dumps does, with or without ensure_ascii.
func appendString(dst []byte, s string, raw bool) []byte {
	dst = append(dst, '"')
	plain := 0
	for i, c := range s {
		if c >= ' ' && c != '"' && c != '\\' && (raw || c < 0x7f) {
			continue
		}
		dst = append(dst, s[plain:i]...)
		dst = value.AppendEscape(dst, c)
		plain = i + len(string(c))
	}
	dst = append(dst, s[plain:]...)
	return append(dst, '"')
}
