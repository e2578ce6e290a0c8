package workbench

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
)

var commandUnanswered = &lint.Rule{
	ID: "WB107", Name: "command-unanswered", Since: "0.1",
	Summary: "A user's command has no command-response",
	Rationale: "Assistants should answer a command with a command-response. One that sends a chat or a notice puts the answer where the app " +
		"shows it as something else, and where it counts as history: that is a warning. No answer at all is a note, because each assistant may " +
		"ignore a command. Nothing links a response to its command: a response answers the oldest command before it that has none, or else " +
		"the latest. A list of one type of message, and --partial, switch the rule off.",
	Evidence: []string{
		pageTypes + ": \"Assistants should respond to command messages with a command_response message\"",
		pageTypes + ": \"each can choose to respond or ignore the command, regardless of the directed_at metadata\"",
		"semanticworkbench: the .NET examples and others answer a command with a chat, the skill assistant with a notice",
	},
	Severity: lint.SeverityWarning, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name: "an answer of another type",
		Make: func() string {
			return said(1, "user", "command", "/say hi", "{}") + said(2, "assistant", "chat", "hi", "{}")
		},
		Want: []string{"WB107 1:1"},
	}, {
		Name: "no answer",
		Make: func() string {
			return said(1, "user", "command", "/say hi", "{}") + said(2, "user", "chat", "Is anyone there?", "{}")
		},
		Want: []string{"WB107 1:1"},
	}},
	Good: []lint.Example{{
		Name: "an answer that takes its time",
		Make: func() string {
			return said(1, "user", "command", "/run summary", "{}") + said(2, "assistant", "chat", "Working on it.", "{}") +
				said(3, "user", "chat", "ok", "{}") + said(4, "assistant", "command-response", "Done.", "{}")
		},
	}, {
		Name: "a list that is known to lack messages",
		Make: func() string {
			return said(1, "user", "command", "/say hi", "{}") + said(2, "assistant", "chat", "hi", "{}")
		},
		Partial: true,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnWorkbench(workbench.Unanswered, func(e *workbench.Event) {
			f := lint.Finding{
				Place: e.Place, Severity: lint.SeverityNote, Message: "the command " + protocol.Quoted(e.Asked.Name) + " has no command-response",
				Help: "nobody may know the command; pass --partial if messages were left out",
			}
			if e.Asked.Instead != "" {
				f.Severity, f.Message = lint.SeverityWarning, f.Message+", but "+protocol.WithArticle(e.Asked.Instead)
				f.Help = `answer a command with message_type "command-response"`
			}
			p.Report(f)
		}))
	},
}
