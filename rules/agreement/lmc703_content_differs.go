package agreement

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/judge/agreement"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var contentDiffers = &lint.Rule{
	ID: "LMC703", Name: "content-differs",
	Summary: "A stored message differs from the streamed block",
	Rationale: "The user saw other content than what is stored and what the model reads in the next turn: chunks were lost " +
		"or doubled, or text was appended to the wrong message. Requires --against. Changes by the interpreter itself are " +
		"explained and reported as notes: it truncates long console output, unwraps code that a model wrapped in a call, " +
		"stores notes as messages, and stores code as edited at the confirmation.",
	Evidence: []string{
		"512 of 591 recordings store exactly what they stream; the others have one of these causes",
		"recordings py_image_mid and py_plot up to 0.3.4: output is appended to the base64 of the image before it",
	},
	Requirements: []string{"LMC-AGR-3"},
	Severity:     lint.SeverityError, Severities: []lint.SeverityCase{explainedDifference},
	Inputs: lint.Streams, Protocol: protocol.LMC{},
	Bad: []lint.Example{
		{
			Name: "a missing chunk",
			Against: `[{"role": "user", "type": "message", "content": "List the files"},
{"role": "assistant", "type": "code", "format": "shell", "content": "ls"},
{"role": "computer", "type": "console", "format": "output", "content": "a.txt\n"},
{"role": "assistant", "type": "message", "content": "One."}]
`,
			Input: example.Turn,
			Want:  []string{"LMC703 9:1"},
		},
		{
			Name: "truncated output is reported as a note",
			Against: `[{"role": "user", "type": "message", "content": "List the files"},
{"role": "assistant", "type": "code", "format": "shell", "content": "ls"},
{"role": "computer", "type": "console", "format": "output", "content": "Output truncated. Showing the last 4 characters.\n\ntxt\n"},
{"role": "assistant", "type": "message", "content": "One file."}]
`,
			Input: example.Turn,
			Want:  []string{"LMC703 5:1"},
		},
	},
	Good: []lint.Example{{
		Name:    "a complete turn",
		Against: example.Conversation,
		Input:   example.Turn,
	}},
	New: newContentDiffers,
}

func newContentDiffers(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnDifference(agreement.Differs, agreement.RepeatedFirstChunk, func(d *agreement.Difference) {
		message, help := differs(d)
		p.Report(lint.Finding{
			Place: d.Block.Place, Severity: severityOf(d), Message: message, Help: help,
			Related: []lint.Related{{Message: "stored here", Path: protocol.StateOf(p).Against, Place: d.Message.Content}},
		})
	})}
}

// differs returns the message and the help for a block that differs from its
// stored message.
func differs(d *agreement.Difference) (message, help string) {
	name := d.Block.Name()
	switch d.Reason {
	case agreement.TruncatedOutput:
		return "only the end of this output is stored; the interpreter truncated it", "raise interpreter.max_output to store more"
	case agreement.Unwrapped:
		return "the interpreter unwrapped this " + name + " before running and storing it", ""
	case agreement.Edited:
		return "the stored code was edited at the confirmation, or changed later", ""
	case agreement.NoteAsMessage:
		return name + " is stored as a message, as the interpreter stores notes", ""
	case agreement.LanguageSpelling:
		return "stored language " + protocol.Quoted(d.Message.Format) + " differs in spelling from the streamed " + protocol.Quoted(d.Block.Format), ""
	case agreement.JoinedOutput:
		return "the interpreter stored the output of this block and the next in one message", ""
	case agreement.DisplayedToo:
		return "the terminal display added a line to the stored output", ""
	case agreement.TruncationMismatch:
		return "stored output is marked as truncated but is not the end of this block",
			"check whether chunks were lost or other output was stored"
	case agreement.OtherFormat:
		return fmt.Sprintf("%s is stored with format %s", name, protocol.Quoted(d.Message.Format)), "store the format of the start flag"
	case agreement.RepeatedFirstChunk:
		return "the first chunk of " + name + " already contains the text of the next chunks, which is stored once",
			"serialize each chunk when it is yielded; the interpreter changes the object afterwards"
	case agreement.AppendedToOther:
		return "output is appended to the preceding " + d.Message.Name(),
			"record with Open Interpreter 0.3.6 or newer, which stores a separate message"
	}
	message = "stored " + d.Message.Name() + " differs from the streamed block"
	if at, streamed, stored, ok := d.FirstMismatch(); ok {
		message += fmt.Sprintf(" at character %d: %s, streamed %s", at, excerptOf(stored), excerptOf(streamed))
	}
	return message, "check which of the two is correct; chunks may be lost or doubled, or the message changed later"
}

// excerptOf quotes a fragment of text.
func excerptOf(text string) string {
	if text == "" {
		return "the end"
	}
	return protocol.Quoted(text)
}
