package lmc

import (
	"bytes"
	"strings"

	"github.com/lmclint/lmclint/internal/source"
)

// Code is a code block that waits to be confirmed and run, or was.
type Code struct {
	Role     string // assistant, or computer for HTML that the computer displayed
	Language string // as the block spells it
	Start    *source.PlaceRef
	Text     TextDigest // without a doubling
	Lossy    bool       // Text may not be what was sent
	Note     bool       // text, not code to run

	Confirmed      *source.PlaceRef // of the first confirmation
	Misplaced      bool             // the last confirmation stood inside a block, or before the code
	ConfirmedLines int              // line feeds + 1 of the confirmed code
	Run            bool             // an execution followed
	Unconfirmed    bool             // it was run before any confirmation
	announced      bool             // only its confirmation was seen
	refused        bool             // the interpreter said that it does not run it
	abandoned      bool             // that was told

	Number    int              // of the record that it begins at, from 1
	confirmed *source.PlaceRef // memory for Confirmed
}

// Lines is the number of lines that an active_line may name.
func (c *Code) Lines() int { return max(c.Text.Lines+1, c.ConfirmedLines) }

// Asked is what a confirmation asks the user to confirm. Its content may be of
// either documented shape.
type ConfirmationRequest struct {
	Language string
	Text     TextDigest // of the code
	OK       bool       // the content says both
	Reported bool       // a mistake in it, or about its place, is told already
}

// ask reads a confirmation's content.
func (t *Tracker) ask(content *source.Node) *ConfirmationRequest {
	a := &t.asked
	*a = ConfirmationRequest{}
	language, code := content.Member("format"), content.Member("content")
	if language == nil && code == nil {
		language, code = content.Member("language"), content.Member("code")
	}
	if language == nil || code == nil || language.Kind != source.String || code.Kind != source.String {
		return a
	}
	a.Language, a.OK = wordOf(language), true
	a.Text = t.reading.textOf(code)
	return a
}

// Canonical is a language as the interpreter compares it: lower-cased and
// without surrounding white space [S core.py].
func Canonical(language string) string { return strings.ToLower(strings.TrimSpace(language)) }

// refusal reports whether an output is the interpreter's answer to code that
// it does not run at all [R unsupported_lang, empty_code].
func (c *Code) refusal(output string) bool {
	if strings.HasPrefix(output, emptyCode) {
		return c.Text.Bytes == 0 || c.Text.Blank || c.Lossy
	}
	language, ok := unsupported(output)
	return ok && (c.Lossy || Canonical(language) == Canonical(c.Language))
}

// emptyCode is how the answer to empty code begins.
const emptyCode = "Code block was empty."

// unsupported finds the language in the answer to code of an unknown one.
func unsupported(output string) (language string, ok bool) {
	name, ok := strings.CutSuffix(strings.TrimSpace(output), "` disabled or not supported.")
	if !ok {
		return "", false
	}
	return strings.CutPrefix(name, "`")
}

// isRefusal reports whether an output may be the interpreter's answer to code
// that it does not run.
func IsRefusal(output string) bool {
	_, ok := unsupported(output)
	return ok || strings.HasPrefix(output, emptyCode)
}

// refuses reports whether a chunk may be such an answer to the code.
func (c *Code) refuses(r *Record) bool {
	return c != nil && (r.Invalid != 0 || r.Format == "output" && mayRefuse(r) && c.refusal(r.Text()))
}

// mayRefuse reports whether an output holds, as it is written, what such an
// answer holds. Letters may be escaped.
func mayRefuse(r *Record) bool {
	written := r.Content.RawContent()
	return r.Source.Python || bytes.Contains(written, []byte("empty.")) || bytes.Contains(written, []byte("supported.")) ||
		bytes.Contains(written, []byte(`\u00`))
}

// announced is code of which only the confirmation was seen.
func announced(r *Record, a *ConfirmationRequest) *Code {
	c := &Code{Role: "assistant", Language: a.Language, Start: &source.PlaceRef{}, Text: a.Text, announced: true, Number: r.Source.Index + 1}
	c.Start.Set(r.Source, nil)
	return c
}

// confirm notes the code's first confirmation.
func (c *Code) confirm(r *Record, lines int) {
	if c.confirmed == nil {
		c.confirmed = new(source.PlaceRef)
	}
	c.Confirmed, c.ConfirmedLines = c.confirmed, lines
	c.Confirmed.Set(r.Source, nil)
}

// inherit takes over the confirmation of announced code, which came too early.
func (c *Code) inherit(early *Code) {
	if early != nil && early.announced && early.Text.Equal(&c.Text) {
		c.Confirmed, c.Misplaced, c.ConfirmedLines = early.Confirmed, true, early.ConfirmedLines
	}
}

// Run is one execution: the computer blocks between a code block and whatever
// is no computer block.
type Run struct {
	Code    *Code  // nil if no code block waited
	First   *Block // its first block
	Console *Block // its last console block, or nil
	Final   bool   // an active_line null came
	Refused bool   // the interpreter refused to run the code
	Lossy   bool   // a record of it was not readable or not sound
	NoCode  bool   // no code block stands before it in the input

	decided bool
	refusal bool // its only content so far is a refusal

	contents int // that are not empty
}
