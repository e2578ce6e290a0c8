// Package plainjson encodes values as JSON in which nothing is escaped for HTML.
package plainjson

import (
	"bytes"
	"encoding/json"
)

// Marshal returns a value as JSON on one line.
func Marshal(value any) ([]byte, error) {
	text, err := encode(value, "")
	return bytes.TrimSuffix(text, []byte{'\n'}), err
}

// MarshalIndent returns a value as indented JSON that ends with a line feed.
func MarshalIndent(value any) ([]byte, error) { return encode(value, "  ") }

func encode(value any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	err := e.Encode(value)
	return b.Bytes(), err
}
