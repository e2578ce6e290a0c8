package lmc

import (
	"encoding/json"
	"strings"

	"github.com/lmclint/lmclint/internal/source"
)

// Code is a code block that may be confirmed and run.
type Code struct {
	Role     string // assistant, or computer for HTML that the computer displayed
	Language string // as the block spells it
	Number   int    // of its first record, from 1: no other code has it
	Start    *source.PlaceRef
	Text     TextDigest  // without a repetition
	Sent     TextDigest  // with it
	Target   TextDigest  // of an edit: the path of the file
	Call     *CalledCode // the code that Text wraps in an object with a language, or nil
	Edit     bool        // a change to a file, not code
	Lossy    bool        // Text may not be what was sent
	Note     bool        // text, not code to run

	Confirmed      *source.PlaceRef // of the first confirmation, or nil
	Misplaced      bool             // the last confirmation came inside a block that continued, or before the code
	ConfirmedLines int              // line feeds + 1 of the confirmed code

	passed bool // a message followed before the code was confirmed or ran, and no lost record
	phase  phase
}

// CalledCode is the code in an object {"language": …, "code": …}, as models write it
// instead of the code. Interpreters that rewrite code unwrap it before it runs.
type CalledCode struct {
	Language string
	Text     TextDigest
}

// phase is how far code has come.
type phase uint8

const (
	pending   phase = iota // neither confirmed nor run
	dismissed              // as pending, and not reported if it does not run: it is a note, or was reported
	announced              // only its confirmation was seen
	confirmed
	ran      // a computer block followed; what is after it in this list ran, too
	bypassed // it ran without a confirmation
)

// codeOf returns the code that a block already became or continues, or nil.
func (x *execution) codeOf(b *Block) *Code {
	for _, c := range []*Code{x.code, x.edit, x.displayed, x.lastRun.Code} {
		if c != nil && c.Number == b.codeNumber {
			return c
		}
	}
	return nil
}

// HasRun reports whether the code ran.
func (c *Code) HasRun() bool { return c.phase >= ran }

// Has reports whether the code is a text, which may repeat itself as the block does.
func (c *Code) Has(text *TextDigest) bool { return c.Text.Equal(text) || c.Sent.Equal(text) }

// Lines is the number of lines that an active_line may name.
func (c *Code) Lines() int { return max(c.Text.Lines+1, c.ConfirmedLines) }

// confirm notes a confirmation. The first one counts. Code that is confirmed again
// after it ran may run again.
func (c *Code) confirm(r *Record, lines int) {
	if c.Confirmed != nil {
		if c.phase == ran {
			c.phase = confirmed
		}
		return
	}
	c.Confirmed, c.ConfirmedLines = source.RefTo(r.Source, nil), lines
	if c.phase == pending || c.phase == dismissed {
		c.phase = confirmed
	}
}

// ConfirmationRequest is what a confirmation asks the user to confirm. Its
// content may have either documented shape.
type ConfirmationRequest struct {
	Language string
	Text     TextDigest // of the code
	Target   TextDigest // of an edit
	OK       bool       // the content has both language and text
	Edit     bool       // it asks about an edit
	Changed  bool       // the content says that the code was changed, and how
	Reported bool       // a mistake in it, or in its place, is already reported
}

// isFor reports whether the user is asked about that code, or about the code in it.
func (a *ConfirmationRequest) isFor(c *Code) bool {
	return a.OK && (c.Has(&a.Text) || c.Call != nil && c.Call.Text.Equal(&a.Text))
}

// readRequest reads a confirmation's content. The result is valid until the
// next call.
func (t *Tracker) readRequest(r *Record) *ConfirmationRequest {
	a, content := &t.request, r.Content
	*a = ConfirmationRequest{Edit: r.Format == "edit" && !r.HasInvalid(InvalidFormat)}
	language, code := AskedCode(content)
	if code == nil {
		return a
	}
	a.Language, a.OK = wordOf(language), true
	a.Text = DigestText(code.Text())
	if target := content.Member("target"); target != nil && target.Kind == source.String {
		a.Target = DigestText(target.Text())
	}
	removed := content.Member("removed")
	a.Changed = removed != nil && removed.Kind == source.String
	return a
}

// AskedCode returns the language and the code in the content of a confirmation, or
// nil if it does not have both.
func AskedCode(content *source.Node) (language, code *source.Node) {
	language, code = content.Member("format"), content.Member("content")
	if language == nil && code == nil {
		language, code = content.Member("language"), content.Member("code")
	}
	if language == nil || code == nil || language.Kind != source.String || code.Kind != source.String {
		return nil, nil
	}
	return language, code
}

// Canonical is a language as the interpreter compares it: lower-cased and
// without surrounding whitespace [S core.py].
func Canonical(language string) string { return strings.ToLower(strings.TrimSpace(language)) }

// emptyCode is how the interpreter's answer to empty code begins.
const emptyCode = "Code block was empty."

// IsRefusal reports whether an output may be the interpreter's answer to code
// that it does not run.
func IsRefusal(output string) bool {
	_, ok := unsupported(output)
	return ok || strings.HasPrefix(output, emptyCode)
}

// unsupported finds the language in the answer to code of an unknown one.
func unsupported(output string) (language string, ok bool) {
	name, ok := strings.CutSuffix(strings.TrimSpace(output), "` disabled or not supported.")
	if !ok {
		return "", false
	}
	return strings.CutPrefix(name, "`")
}

// refuses reports whether a chunk may be the interpreter's answer to code that
// it does not run at all [R unsupported_lang, empty_code]. Output that is
// not text may only be the answer to empty code.
func (c *Code) refuses(r *Record) bool {
	switch {
	case c == nil, r.Content == nil, r.Format != "output" && r.Invalid == 0:
		return false
	case r.Content.Kind != source.String:
		return c.isEmpty() && !c.Lossy
	}
	output := r.Text()
	if strings.HasPrefix(output, emptyCode) {
		return c.isEmpty() || c.Lossy
	}
	language, ok := unsupported(output)
	return ok && (c.Lossy || Canonical(language) == Canonical(c.Language))
}

func (c *Code) isEmpty() bool { return c.Text.Bytes == 0 || c.Text.Blank }

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
