package workbench

import (
	"encoding/json"
	"strings"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var jsonFormContent = &lint.Rule{
	ID: "WB121", Name: "json-form-content",
	Summary: "A form's content is not valid JSON",
	Rationale: "The app shows a message with content type application/json and a json_schema in its metadata as a form, " +
		"and parses the content without error handling: invalid JSON breaks the display of the conversation.",
	Evidence:     []string{"semanticworkbench, JsonSchemaContentRenderer.tsx, JsonSchemaContentRenderer: calls JSON.parse"},
	Requirements: []string{"WB-CON-14"},
	Severity:     lint.SeverityWarning, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "text in a form",
		Make: func() string {
			return example.Altered(said(1, "assistant", "chat", "not json", `{"json_schema": {"type": "object"}}`), "text/plain", "application/json")
		},
		Edits: []string{`"not json"`, `"{}"`},
		Want:  []string{"WB121 1:259"},
	}},
	Good: []lint.Example{{
		Name: "the data of a form; without a schema it is only shown",
		Make: func() string {
			return example.Altered(said(1, "assistant", "chat", "{}", `{"json_schema": {"type": "object"}}`), "text/plain", "application/json") +
				example.Altered(said(2, "user", "chat", "hello", "{}"), "text/plain", "application/json")
		},
	}},
	New: protocol.ReportWorkbench(workbench.Said, findJsonFormContent),
}

func findJsonFormContent(e *workbench.Event) lint.Finding {
	m := e.Message
	media, _, _ := strings.Cut(m.ContentType, ";")
	isForm := m.Meta("json_schema") != nil && strings.EqualFold(strings.TrimSpace(media), "application/json")
	if isForm && m.ContentNode != nil && m.ContentNode.Kind == source.String && !json.Valid([]byte(m.Content)) {
		return lint.Finding{
			Place: m.At(m.ContentNode), Message: "content is not valid JSON, expected JSON for the form (json_schema)",
			Help: "send the data of the form as JSON, or remove json_schema",
		}
	}
	return lint.Finding{}
}
