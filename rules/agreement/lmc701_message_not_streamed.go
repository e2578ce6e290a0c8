package agreement

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/judge/agreement"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var messageNotStreamed = &lint.Rule{
	ID: "LMC701", Name: "message-not-streamed",
	Summary: "A stored message was not streamed",
	Rationale: "A consumer of the stream never saw the message, although the model reads it in the next turn: a block was " +
		"lost, or another program wrote to the conversation. --against compares the messages of the assistant and the " +
		"computer. User messages and empty console messages are never streamed. Messages of turns before or after the " +
		"stream, output of code that the application ran itself, and messages that the terminal display adds are " +
		"explained and reported as notes.",
	Evidence: []string{
		"recordings of streams and their conversation files: blocks and messages match one to one, with a few known exceptions",
		"recordings app_as_computer and list_with_images, where the application supplied messages",
	},
	Requirements: []string{"LMC-AGR-1"},
	Severity:     lint.SeverityError, Severities: []lint.SeverityCase{explainedDifference},
	Inputs: lint.Streams, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name:    "a block is missing from the stream",
		Against: example.Conversation,
		Input: example.Running + `{"role": "computer", "type": "console", "format": "output", "content": "a.txt\n"}
` + example.Ran,
		Want: []string{"LMC701 4:1"},
	}},
	Good: []lint.Example{{
		Name:    "a complete turn",
		Against: example.Conversation,
		Input:   example.Turn,
	}},
	New: newMessageNotStreamed,
}

func newMessageNotStreamed(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnDifference(agreement.NotStreamed, agreement.StoredByApplication, func(d *agreement.Difference) {
		f := lint.Finding{Path: protocol.StateOf(p).Against, Place: d.Message.Place, Severity: severityOf(d)}
		const turns = "to compare those turns, concatenate all streams: cat turn1 turn2 | lmclint check --against FILE -"
		switch d.Reason {
		case agreement.StreamedBefore:
			f.Message, f.Help = countedMessages(d.More+1)+" from turns before the stream; the comparison starts after them", turns
		case agreement.StreamedAfter:
			f.Message, f.Help = countedMessages(d.More+1)+" from turns after the stream; the comparison ends here", turns
		case agreement.StoredByDisplay:
			f.Message = "the terminal display stored this message; it was not streamed"
		case agreement.StoredByApplication:
			f.Message = "the stream ends at the confirmation; the application stored this " + d.Message.Name()
		default:
			f.Message = "stored " + d.Message.Name() + " was not streamed" + andMore(d.More, "message")
			f.Help = "check whether the stream lost a block or another program wrote to the conversation"
		}
		if d.After != nil {
			f.Related = []lint.Related{{Message: "preceding block in the stream", Path: p.Path, Place: d.After.Place}}
		}
		p.Report(f)
	})}
}

// countedMessages returns a number of messages in words.
func countedMessages(n int) string {
	if n == 1 {
		return "1 message"
	}
	return fmt.Sprintf("%d messages", n)
}
