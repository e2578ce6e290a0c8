package workbench

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/lint"
)

var noResponse = lint.SeverityCase{Severity: lint.SeverityNote, When: "no message in its place"}

var commandUnanswered = &lint.Rule{
	ID: "WB107", Name: "command-unanswered",
	Summary: "A user's command has no command-response",
	Rationale: "Assistants should respond to a command with a command-response. A chat or a notice as the response appears " +
		"as something else in the app and becomes part of the history: that is a warning. No response at all is a note, " +
		"because assistants may ignore a command. Nothing links a response to its command: a response belongs to the " +
		"newest command without one: first among those directed at its sender, then among those directed at no one else. " +
		"Not checked in a list of one message type and " +
		"with --partial.",
	Evidence: []string{
		pageTypes + ": \"Assistants should respond to command messages with a command_response message\"",
		pageTypes + ": \"each can choose to respond or ignore the command, regardless of the directed_at metadata\"",
		"semanticworkbench, dotnet-01-echo-bot/MyAgent.cs, ReceiveCommandAsync(): responds to a command with a chat; skill_assistant.py, on_command_message_created(): with a notice",
	},
	Requirements: []string{"WB-CON-5"},
	Severity:     lint.SeverityWarning, Severities: []lint.SeverityCase{noResponse},
	Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "a response of another type",
		Make: func() string {
			return said(1, "user", "command", "/say hi", "{}") + said(2, "assistant", "chat", "hi", "{}")
		},
		Edits: []string{`"chat"`, `"command-response"`},
		Want:  []string{"WB107 1:1"},
	}, {
		Name: "no response",
		Make: func() string {
			return said(1, "user", "command", "/say hi", "{}") + said(2, "user", "chat", "Is anyone there?", "{}")
		},
		Want: []string{"WB107 1:1"},
	}},
	Good: []lint.Example{{
		Name: "a late response",
		Make: func() string {
			return said(1, "user", "command", "/run summary", "{}") + said(2, "assistant", "chat", "Working on it.", "{}") +
				said(3, "user", "chat", "ok", "{}") + said(4, "assistant", "command-response", "Done.", "{}")
		},
	}, {
		Name: "an incomplete list, with --partial",
		Make: func() string {
			return said(1, "user", "command", "/say hi", "{}") + said(2, "assistant", "chat", "hi", "{}")
		},
		Config: lint.Config{Partial: true},
	}},
	New: protocol.ReportWorkbench(workbench.Unanswered, reportCommandUnanswered),
}

func reportCommandUnanswered(e *workbench.Event) lint.Finding {
	f := lint.Finding{
		Place: e.Place, Message: "command " + protocol.Quoted(e.Asked.Name) + " has no command-response",
		Help: "check that an assistant supports the command; if messages are missing, pass --partial",
	}
	if e.Asked.Instead == "" {
		f.Severity = noResponse.Severity
	} else {
		f.Message += ", but " + protocol.WithArticle(e.Asked.Instead)
		f.Help = `respond to a command with message_type "command-response"`
	}
	return f
}
