package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// message is what is compared of a message. Other keys, such as ids, are not. A
// value may be any JSON: a consumer may keep what a stream has.
type message struct {
	Role      any `json:"role"`
	Type      any `json:"type"`
	Format    any `json:"format"`
	Recipient any `json:"recipient"`
	Content   any `json:"content"`
}

// readMessages reads a transcript.
func readMessages(text []byte) ([]message, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var values []any
	if err := decoder.Decode(&values); err != nil {
		return nil, errors.New("not a list of messages: " + whyNotRead(err))
	}
	if decoder.More() {
		return nil, errors.New("more than one JSON value")
	}
	messages := make([]message, 0, len(values))
	for i, value := range values {
		keys, ok := value.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("not a list of messages: element %d is %s", i, encoded(value))
		}
		messages = append(messages, message{keys["role"], keys["type"], keys["format"], keys["recipient"], keys["content"]})
	}
	return messages, nil
}

// isOptional reports whether a consumer may store a message or not: consumers
// differ about messages without text, reviews, and what the user sent.
func (m message) isOptional() bool {
	return m.Content == "" || m.Type == "review" || m.Role == "user"
}

// text returns the content if it is a string.
func (m message) text() string {
	text, _ := m.Content.(string)
	return text
}

// equals compares two messages. A console message without a format equals one of format
// output, because consumers store console messages of no other format.
func (m message) equals(o message) bool {
	if m.Type == "console" && m.isOutput() && o.isOutput() {
		m.Format, o.Format = nil, nil
	}
	return encoded(m) == encoded(o)
}

func (m message) isOutput() bool { return m.Format == nil || m.Format == "" || m.Format == "output" }

// encoded returns a value as JSON, with sorted keys.
func encoded(value any) string {
	text, _ := json.Marshal(value) // it was JSON
	return string(text)
}

func (m message) describe() string {
	words := []string{}
	for _, word := range []any{m.Role, m.Type, m.Format} {
		if text, ok := word.(string); ok && text != "" {
			words = append(words, text)
		} else if word != nil && !ok {
			words = append(words, encoded(word))
		}
	}
	content := []rune(encoded(m.Content))
	if len(content) > 60 {
		content = append(content[:60], []rune("...")...)
	}
	return strings.Join(words, " ") + " " + string(content)
}

// difference returns how a transcript differs from the wanted one, "" if it does
// not. Optional messages are not compared.
func difference(want, got []message) string {
	want, got = required(want), required(got)
	for i, m := range want {
		switch {
		case i >= len(got):
			return fmt.Sprintf("message %d is missing: %s", i, m.describe())
		case !m.equals(got[i]):
			return fmt.Sprintf("message %d is %s, expected %s", i, got[i].describe(), m.describe())
		}
	}
	if len(got) > len(want) {
		return fmt.Sprintf("message %d is unexpected: %s", len(want), got[len(want)].describe())
	}
	return ""
}

func required(messages []message) []message {
	return slices.DeleteFunc(slices.Clone(messages), message.isOptional)
}
