package mutation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/lmclint/lmclint/internal/base/plainjson"
)

// object is a JSON object that keeps the order of its members.
type object []member

// member is a key and its value, verbatim.
type member struct {
	name  string
	value json.RawMessage
}

// parse parses a JSON object.
func parse(text []byte) (object, error) {
	if !json.Valid(text) {
		return nil, errors.New("not one JSON value")
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	if open, err := decoder.Token(); err != nil || open != json.Delim('{') {
		return nil, errors.Join(errors.New("not an object"), err)
	}
	var o object
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, fmt.Errorf("read a record's key: %w", err)
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, fmt.Errorf("read a record's value: %w", err)
		}
		o = append(o, member{name.(string), bytes.Clone(value)})
	}
	return o, nil
}

// raw returns the value of a key verbatim, or nil.
func (o object) raw(name string) json.RawMessage {
	for _, m := range o {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

func (o object) has(name string) bool { return o.raw(name) != nil }

// text returns the value of a key if it is a string, otherwise "".
func (o object) text(name string) string {
	var s string
	if json.Unmarshal(o.raw(name), &s) != nil {
		return ""
	}
	return s
}

// with returns a copy with a key set. A new key is appended.
func (o object) with(name string, value any) object {
	out := slices.Clone(o)
	for i := range out {
		if out[i].name == name {
			out[i].value = encode(value)
			return out
		}
	}
	return append(out, member{name, encode(value)})
}

// without returns a copy without a key.
func (o object) without(name string) object {
	return slices.DeleteFunc(slices.Clone(o), func(m member) bool { return m.name == name })
}

// renamed returns a copy with a key renamed.
func (o object) renamed(from, to string) object {
	out := slices.Clone(o)
	for i := range out {
		if out[i].name == from {
			out[i].name = to
		}
	}
	return out
}

// line returns the JSON text, as Python's json.dumps writes it.
func (o object) line() []byte {
	line := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			line = append(line, ", "...)
		}
		line = append(append(line, encode(m.name)...), ": "...)
		line = append(line, m.value...)
	}
	return append(line, '}')
}

// encode returns the JSON of a value. It panics if the value cannot be encoded.
func encode(value any) json.RawMessage {
	switch v := value.(type) {
	case json.RawMessage:
		return v
	case object:
		return v.line()
	}
	text, err := plainjson.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("encode %v: %v", value, err))
	}
	return text
}
