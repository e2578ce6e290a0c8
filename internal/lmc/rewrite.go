package lmc

import (
	"encoding/json"
	"strings"
)

// rewrite changes the assistant's code as respond.py does before it runs it:
// models wrap code in what they take for a call. A note becomes a message.
func rewrite(m *assembled) {
	if m == nil || !m.isText || !m.is("role", "assistant") || !m.is("type", "code") || !m.has("format") {
		return
	}
	code := string(m.text)
	if rest, ok := strings.CutPrefix(code, "`\n"); ok {
		code = strings.TrimSpace(rest)
		m.setContent([]byte(code))
	}
	if call, ok := unwrap(code); ok {
		code = call.code
		m.setContent([]byte(code))
		m.setText("format", call.language(m.format()))
	}
	if strings.HasSuffix(strings.TrimSpace(code), "executeexecute") {
		m.setContent([]byte(strings.ReplaceAll(code, "executeexecute", "")))
	}
	if isNoteFormat(Canonical(m.format())) {
		m.fence()
	}
}

// isNoteFormat reports whether the interpreter takes code of that format for
// notes [S respond.py].
func isNoteFormat(language string) bool {
	return language == "text" || language == "markdown" || language == "plaintext"
}

// fence makes a note a message of the assistant's.
func (m *assembled) fence() {
	text := append(append([]byte("```\n"), m.text...), "\n```"...)
	*m = assembled{block: m.block}
	m.setText("role", "assistant")
	m.setText("type", "message")
	m.setContent(text)
}

func (m *assembled) format() string {
	var format string
	if json.Unmarshal(m.get("format"), &format) != nil {
		return ""
	}
	return format
}

// call is code that a model wrapped.
type call struct {
	code string
	lang *string // nil if the call does not say
}

// language is the language of the call, or else the block's own.
func (c *call) language(block string) string {
	if c.lang != nil {
		return *c.lang
	}
	return Canonical(block)
}

// unwrap finds the code in functions.execute({…}) and in {"language": …,
// "code": …}.
func unwrap(code string) (c call, ok bool) {
	const opening = "functions.execute("
	if strings.HasPrefix(code, opening) {
		return parseCall(strings.TrimRight(strings.ReplaceAll(code, opening, ""), ")"), false)
	}
	bare := strings.NewReplacer("\n", "", " ", "").Replace(start(code, 64))
	switch {
	case strings.HasPrefix(bare, `{"language":`):
		return parseCall(code, true)
	case strings.HasPrefix(bare, "{language:"):
		return parseCall(strings.NewReplacer("language: ", `"language": `, "code: ", `"code": `).Replace(code), true)
	}
	return call{}, false
}

// parseCall reads the object of a call. Strict wants both keys and no other.
func parseCall(text string, strict bool) (c call, ok bool) {
	var parsed map[string]any
	if json.Unmarshal([]byte(text), &parsed) != nil {
		return call{}, false
	}
	code, isCode := parsed["code"].(string)
	language, isLanguage := parsed["language"].(string)
	if !isCode || strict && (!isLanguage || len(parsed) != 2) {
		return call{}, false
	}
	if isLanguage {
		c.lang = &language
	}
	c.code = code
	return c, true
}

// start is the beginning of a text, at most so many bytes.
func start(text string, most int) string { return text[:min(len(text), most)] }

// rewritten is what code of that format becomes when it is stored, nil if it
// stays as it is.
func rewritten(code []byte, format string) *assembled {
	m := &assembled{}
	m.setText("role", "assistant")
	m.setText("type", "code")
	m.setText("format", format)
	m.setContent(code)
	if rewrite(m); string(m.text) == string(code) {
		return nil
	}
	return m
}
