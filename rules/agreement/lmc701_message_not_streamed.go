package agreement

import (
	"github.com/lmclint/lmclint/internal/agreement"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var messageNotStreamed = &lint.Rule{
	ID: "LMC701", Name: "message-not-streamed", Since: "0.1",
	Summary: "The stored conversation has a message that no block of the stream gave",
	Rationale: "Whoever followed the stream never saw the message, though the model reads it in the next turn: a block was lost on the way, " +
		"or somebody else wrote to the conversation. Compared are the messages of the assistant and of the computer, with --against. " +
		"The user's messages and empty console messages are never streamed. Messages of turns before and behind the stream, output that the " +
		"application stored for code that it ran itself, and what the terminal's display adds are explained, and noted only.",
	Evidence: []string{
		"recordings of streams and their conversation files: blocks and messages match one to one, but for a few known causes",
		"recordings app_as_computer and list_with_images, where the application supplied messages",
	},
	Severity: lint.SeverityError, Inputs: lint.Streams, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name:    "the stream lost a block",
		Against: example.Conversation,
		Input: example.ShellCode + example.Confirmed + `{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "output", "content": "a.txt\n"}
{"role": "computer", "type": "console", "format": "active_line", "content": null}
{"role": "computer", "type": "console", "end": true}
`,
		Want: []string{"LMC701 4:1"},
	}},
	Good: []lint.Example{{
		Name:    "a whole turn",
		Against: example.Conversation,
		Input:   example.Turn,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnDifference(agreement.NotStreamed, agreement.StoredByApplication, func(d *agreement.Difference) {
			f := lint.Finding{
				Path: protocol.StateOf(p).Against, Place: d.Message.Place, Severity: severityOf(d),
				Message: notStreamed(d), Help: notStreamedHelp(d.Reason),
			}
			if d.After != nil {
				f.Related = []lint.Related{{Message: "the block before it in the stream", Path: p.Path, Place: d.After.Place}}
			}
			p.Report(f)
		}))
	},
}

func notStreamed(d *agreement.Difference) string {
	switch d.Reason {
	case agreement.StreamedBefore:
		return counted(d.More+1, "message") + " of turns before the stream: the comparison begins behind"
	case agreement.StreamedAfter:
		return counted(d.More+1, "message") + " of turns behind the stream: the comparison ends here"
	case agreement.StoredByDisplay:
		return "the terminal's display stored this message, and no block gave it"
	case agreement.StoredByApplication:
		return "the stream ends at the confirmation: the application stored this " + d.Message.Name() + " itself"
	}
	return "no block of the stream gave this " + d.Message.Name() + andMore(d.More, "nor", "message")
}

func notStreamedHelp(reason agreement.Reason) string {
	switch reason {
	case agreement.StreamedBefore, agreement.StreamedAfter:
		return "to compare those turns, put the streams of all turns one behind the other: cat turn1 turn2 | lmclint check --against FILE -"
	case agreement.NotStreamed:
		return "find out where the stream lost the block, or who else wrote to the conversation"
	}
	return ""
}
