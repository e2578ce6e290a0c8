package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"
)

// encode writes a value as one line of JSON without its line end. HTML is
// left as it is. Characters that would do something to a terminal are written
// as escapes, which say the same to a program.
func encode(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, fmt.Errorf("encode report: %w", err)
	}
	return escapeHidden(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// escapeHidden escapes hidden characters. In valid JSON they stand in strings
// only, the line ends and tabs between values aside, which encode has none of.
func escapeHidden(text []byte) []byte {
	if !bytes.ContainsFunc(text, hidden) {
		return text
	}
	var b bytes.Buffer
	for _, r := range string(text) {
		if !hidden(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.Bytes()
}
