package schema

import (
	"net/url"
	"strconv"
	"strings"
)

// How RFC 6901 writes a name in a pointer, and back.
var (
	pointerEscapes   = strings.NewReplacer("~", "~0", "/", "~1")
	pointerUnescapes = strings.NewReplacer("~1", "/", "~0", "~")
)

// pointerToken writes a name as a token of a JSON Pointer in a URL.
func pointerToken(name string) string {
	return url.PathEscape(pointerEscapes.Replace(name))
}

// pointerTokens reads the names in a JSON Pointer as jsonschema/v5 writes it:
// percent-encoded.
func pointerTokens(pointer string) []string {
	pointer = strings.TrimPrefix(pointer, "/")
	if pointer == "" {
		return nil
	}
	tokens := strings.Split(pointer, "/")
	for i, token := range tokens {
		if name, err := url.PathUnescape(token); err == nil {
			token = name
		}
		tokens[i] = pointerUnescapes.Replace(token)
	}
	return tokens
}

// lookup walks from a value along the names of members and the numbers of
// elements; nil if there is no such place.
func lookup(value any, tokens []string) any {
	for _, token := range tokens {
		switch container := value.(type) {
		case map[string]any:
			value = container[token]
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(container) {
				return nil
			}
			value = container[i]
		default:
			return nil
		}
	}
	return value
}
