package mutation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// object is a JSON object that keeps the order and the layout of its members.
type object []member

// member is one key and value, with the text around them.
type member struct {
	name  string
	value json.RawMessage

	lead  string // between the opening brace, or the comma before, and the key
	key   string // verbatim, with its quotes
	colon string // between key and value
	trail string // between the value and the comma after, or the closing brace
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
	end := int(decoder.InputOffset()) // of what is parsed
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, fmt.Errorf("read a record's key: %w", err)
		}
		keyEnd := int(decoder.InputOffset())
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, fmt.Errorf("read a record's value: %w", err)
		}
		m := member{name: name.(string), value: bytes.Clone(value)}
		gap, key, _ := strings.Cut(string(text[end:keyEnd]), `"`)
		m.lead, m.key = gap, `"`+key
		if before, after, found := strings.Cut(gap, ","); found {
			o[len(o)-1].trail, m.lead = before, after
		}
		end = int(decoder.InputOffset())
		m.colon = string(text[keyEnd : end-len(value)])
		o = append(o, m)
	}
	if len(o) > 0 {
		o[len(o)-1].trail = string(text[end:bytes.LastIndexByte(text, '}')])
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

// with returns a copy with a key set. A new key is appended, in the layout of
// the others, or of Python's json.dumps if there are none.
func (o object) with(name string, value any) object {
	out := slices.Clone(o)
	for i := range out {
		if out[i].name == name {
			out[i].value = encode(value)
			return out
		}
	}
	m := member{name: name, value: encode(value), key: string(encode(name)), colon: ": "}
	if n := len(out); n > 0 {
		last := &out[n-1]
		m.lead, m.colon, m.trail = last.lead, last.colon, last.trail
		last.trail = ""
		if n == 1 && last.lead == "" {
			m.lead = strings.TrimPrefix(last.colon, ":")
		}
	}
	return append(out, m)
}

// without returns a copy without a key.
func (o object) without(name string) object {
	i := slices.IndexFunc(o, func(m member) bool { return m.name == name })
	if i < 0 {
		return slices.Clone(o)
	}
	out := slices.Delete(slices.Clone(o), i, i+1)
	switch {
	case len(out) == 0:
	case i == 0:
		out[0].lead = o[0].lead
	case i == len(out):
		out[i-1].trail = o[i].trail
	}
	return out
}

// renamed returns a copy with a key renamed.
func (o object) renamed(from, to string) object {
	out := slices.Clone(o)
	for i := range out {
		if out[i].name == from {
			out[i].name, out[i].key = to, string(encode(to))
		}
	}
	return out
}

// line returns the JSON text.
func (o object) line() []byte {
	line := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			line = append(line, ',')
		}
		line = append(line, m.lead+m.key+m.colon...)
		line = append(line, m.value...)
		line = append(line, m.trail...)
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
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(fmt.Sprintf("encode %v: %v", value, err))
	}
	return bytes.TrimSpace(out.Bytes())
}
