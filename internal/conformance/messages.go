package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// message is what is compared of a message. Other keys, such as ids, are not.
type message struct {
	Role      string  `json:"role"`
	Type      string  `json:"type"`
	Format    *string `json:"format"`
	Recipient *string `json:"recipient"`
	Content   any     `json:"content"`
}

// readMessages reads a transcript.
func readMessages(text []byte) ([]message, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var messages []message
	if err := decoder.Decode(&messages); err != nil {
		return nil, fmt.Errorf("not a list of messages: %w", err)
	}
	if decoder.More() {
		return nil, errors.New("more than one JSON value")
	}
	return messages, nil
}

// isOptional reports whether a consumer may store a message or not: consumers
// differ about messages without text, reviews, and what the user sent.
func (m message) isOptional() bool {
	return m.Content == "" || m.Type == "review" || m.Role == "user"
}

func (m message) format() string {
	if m.Format == nil {
		return ""
	}
	return *m.Format
}

func (m message) recipient() string {
	if m.Recipient == nil {
		return ""
	}
	return *m.Recipient
}

// text returns the content if it is a string.
func (m message) text() string {
	text, _ := m.Content.(string)
	return text
}

// equals compares two messages. The format of a console message may be missing
// or output, as it is the only one that is stored.
func (m message) equals(o message) bool {
	console := m.Type == "console" && strings.HasPrefix("output", m.format()) && strings.HasPrefix("output", o.format())
	return m.Role == o.Role && m.Type == o.Type && (console || m.format() == o.format()) && m.recipient() == o.recipient() &&
		encoded(m.Content) == encoded(o.Content)
}

// encoded returns a value as JSON, with sorted keys.
func encoded(value any) string {
	text, _ := json.Marshal(value) // it was JSON
	return string(text)
}

func (m message) describe() string {
	words := []string{}
	for _, word := range []string{m.Role, m.Type, m.format()} {
		if word != "" {
			words = append(words, word)
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
	var kept []message
	for _, m := range messages {
		if !m.isOptional() {
			kept = append(kept, m)
		}
	}
	return kept
}
