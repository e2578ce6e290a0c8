package workbench

import (
	"encoding/json"
	"strings"

	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
)

var jsonFormContent = &lint.Rule{
	ID: "WB121", Name: "json-form-content", Since: "0.1",
	Summary: "The content of a form is no JSON",
	Rationale: "The app makes a form of a message with the content type application/json and a json_schema in its metadata, and parses the " +
		"content without any care: one that is no JSON breaks the display of the conversation.",
	Evidence: []string{"semanticworkbench, web app: the renderer of JSON content calls JSON.parse"},
	Severity: lint.SeverityWarning, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name: "a text for a form",
		Make: func() string {
			return altered(said(1, "assistant", "chat", "not json", `{"json_schema": {"type": "object"}}`), "text/plain", "application/json")
		},
		Want: []string{"WB121 1:259"},
	}},
	Good: []lint.Example{{
		Name: "the data of a form; without a schema it is only shown",
		Make: func() string {
			return altered(said(1, "assistant", "chat", "{}", `{"json_schema": {"type": "object"}}`), "text/plain", "application/json") +
				altered(said(2, "user", "chat", "hello", "{}"), "text/plain", "application/json")
		},
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnWorkbench(workbench.Said, func(e *workbench.Event) {
			m := e.Message
			media, _, _ := strings.Cut(m.ContentType, ";")
			if m.Meta("json_schema") == nil || !strings.EqualFold(strings.TrimSpace(media), "application/json") {
				return
			}
			if m.ContentNode != nil && m.ContentNode.Kind == source.String && !json.Valid([]byte(m.Content)) {
				p.Report(lint.Finding{
					Place: m.At(m.ContentNode), Message: "the content is no JSON, but the message asks for a form (json_schema)",
					Help: "send the form's data as JSON, or leave json_schema out: the app cannot show the message",
				})
			}
		}))
	},
}
