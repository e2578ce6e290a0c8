package schema

import (
	"net/url"
	"strings"
)

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
