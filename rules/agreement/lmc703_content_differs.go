package agreement

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/agreement"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var contentDiffers = &lint.Rule{
	ID: "LMC703", Name: "content-differs", Since: "0.1",
	Summary: "A block and the message that holds it say different things",
	Rationale: "What the user saw is not what is stored, and what the model reads in the next turn: chunks were lost or doubled, or text went to the " +
		"wrong message. Compared is with --against. What the interpreter itself changes is explained, and noted only: it cuts long console " +
		"output, unwraps code that a model wrapped in a call, makes messages of notes, and stores code as it was edited at the confirmation.",
	Evidence: []string{
		"512 of 591 recordings store what they stream to the letter; the others have one of these causes",
		"recordings py_image_mid and py_plot up to 0.3.4: output is appended to the base64 of the image before it",
	},
	Severity: lint.SeverityError, Inputs: lint.Streams, Protocol: protocol.LMC{},
	Bad: []lint.Example{
		{
			Name: "a chunk was lost",
			Against: `[{"role": "user", "type": "message", "content": "List the files"},
{"role": "assistant", "type": "code", "format": "shell", "content": "ls"},
{"role": "computer", "type": "console", "format": "output", "content": "a.txt\n"},
{"role": "assistant", "type": "message", "content": "One."}]
`,
			Input: example.Turn,
			Want:  []string{"LMC703 9:1"},
		},
		{
			Name: "cut output is explained, and noted",
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
		Name:    "a whole turn",
		Against: example.Conversation,
		Input:   example.Turn,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnDifference(agreement.Differs, agreement.RepeatedFirstChunk, func(d *agreement.Difference) {
			message, help := differs(d)
			p.Report(lint.Finding{
				Place: d.Block.Place, Severity: severityOf(d), Message: message, Help: help,
				Related: []lint.Related{{Message: "stored here", Path: protocol.StateOf(p).Against, Place: d.Message.Content}},
			})
		}))
	},
}

// differs says how a block and its message differ.
func differs(d *agreement.Difference) (message, help string) {
	name := d.Block.Name()
	switch d.Reason {
	case agreement.TruncatedOutput:
		return "only the end of this output is stored: the interpreter cut it", "raise interpreter.max_output to store more"
	case agreement.Unwrapped:
		return "the interpreter unwrapped this " + name + " before it ran and stored it", ""
	case agreement.Edited:
		return "other code is stored than was streamed and confirmed: it was edited at the confirmation, or changed later", ""
	case agreement.NoteAsMessage:
		return "this " + name + " is stored as a message, as the interpreter stores notes", ""
	case agreement.LanguageSpelling:
		return "the stored language is spelled " + protocol.Quoted(d.Message.Format) + ", and " + protocol.Quoted(d.Block.Format) + " was streamed", ""
	case agreement.JoinedOutput:
		return "the output of this block and of the next stands in one message, as the interpreter stores it", ""
	case agreement.DisplayedToo:
		return "the terminal's display added a line to this output in the conversation", ""
	case agreement.TruncationMismatch:
		return "the stored output says that it is the end of what was put out, and is not the end of this block",
			"compare the block with the stored message: chunks were lost, or the output of something else was stored"
	case agreement.OtherFormat:
		return fmt.Sprintf("this %s is stored with the format %s", name, protocol.Quoted(d.Message.Format)), "store the format of the block's start"
	case agreement.RepeatedFirstChunk:
		return "the first chunk of this " + name + " already holds the text of the chunks behind it, which is stored once",
			"serialise a chunk at the moment it is yielded: the interpreter changes the object afterwards"
	case agreement.AppendedToOther:
		return "this output is appended to the " + d.Message.Name() + " before it, which it spoils",
			"interpreters up to 0.3.5 do so: a newer one stores a message of its own"
	}
	message = "the stored " + d.Message.Name() + " is not what was streamed"
	if at, streamed, stored, ok := d.FirstMismatch(); ok {
		message += fmt.Sprintf(": from character %d on it was %s, and %s is stored", at, excerptOf(streamed), excerptOf(stored))
	}
	return message, "find out which of the two is right: chunks may have been lost or doubled, or the message changed later"
}

// excerptOf shows a piece of text.
func excerptOf(text string) string {
	if text == "" {
		return "at its end"
	}
	return protocol.Quoted(text)
}
