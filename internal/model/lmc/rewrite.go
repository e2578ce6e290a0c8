package lmc

import (
	"encoding/json"
	"strings"
)

// RewrittenCode is code as the interpreter stores it.
type RewrittenCode struct {
	Text     string
	Language string // as in the block, unless a call names another
	Called   bool   // the code was unwrapped from a call
	Message  bool   // the code is a note: Text is a message of the assistant
}

// RewriteCode rewrites the assistant's code as respond.py does before it runs
// the code: models wrap code in what looks like a function call. A note
// becomes a message.
func RewriteCode(code, language string) RewrittenCode {
	r := RewrittenCode{Text: code, Language: language}
	if rest, ok := strings.CutPrefix(r.Text, "`\n"); ok {
		r.Text = strings.TrimSpace(rest)
	}
	const opening = "functions.execute("
	call, ok := unwrapObject(r.Text)
	if strings.HasPrefix(r.Text, opening) {
		call, ok = parseCall(strings.TrimRight(strings.ReplaceAll(r.Text, opening, ""), ")"), false)
	}
	if ok {
		r.Text, r.Called, r.Language = call.code, true, Canonical(language)
		if call.language != nil {
			r.Language = *call.language
		}
	}
	if strings.HasSuffix(strings.TrimSpace(r.Text), "executeexecute") {
		r.Text = strings.ReplaceAll(r.Text, "executeexecute", "")
	}
	if IsNoteLanguage(r.Language) {
		r.Text, r.Language, r.Message = "```\n"+r.Text+"\n```", "", true
	}
	return r
}

// IsNoteLanguage reports whether the interpreter treats code of a language as
// notes [S respond.py].
func IsNoteLanguage(language string) bool {
	switch Canonical(language) {
	case "text", "markdown", "plaintext":
		return true
	}
	return false
}

// call is code that a model wrapped.
type call struct {
	code     string
	language *string // nil if the call does not name one
}

// unwrapObject finds the code in {"language": …, "code": …}, also without quotes
// around the keys.
func unwrapObject(code string) (c call, ok bool) {
	if !strings.HasPrefix(strings.TrimLeft(code, " \n"), "{") {
		return call{}, false
	}
	bare := strings.NewReplacer("\n", "", " ", "").Replace(code[:min(len(code), 64)])
	switch {
	case strings.HasPrefix(bare, `{"language":`):
		return parseCall(code, true)
	case strings.HasPrefix(bare, "{language:"):
		return parseCall(strings.NewReplacer("language: ", `"language": `, "code: ", `"code": `).Replace(code), true)
	}
	return call{}, false
}

// parseCall parses the object of a call. If strict, the object must have both
// keys and no other.
func parseCall(text string, strict bool) (c call, ok bool) {
	var parsed map[string]any
	_ = json.Unmarshal([]byte(text), &parsed) // what cannot be parsed has no code
	code, isCode := parsed["code"].(string)
	language, isLanguage := parsed["language"].(string)
	if !isCode || strict && (!isLanguage || len(parsed) != 2) {
		return call{}, false
	}
	if isLanguage {
		c.language = &language
	}
	c.code = code
	return c, true
}
