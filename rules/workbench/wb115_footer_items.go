package workbench

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/lint"
)

var footerItems = &lint.Rule{
	ID: "WB115", Name: "footer-items",
	Summary: "footer_items is not a list of strings",
	Rationale: "The app shows each item of the list separately. It also accepts a single string, but other readers iterate " +
		"over its characters.",
	Evidence:     []string{pageMetadata + ": footer_items is a list of strings"},
	Requirements: []string{"WB-CON-10"},
	Severity:     lint.SeverityWarning, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name:  "a single string",
		Make:  func() string { return said(1, "assistant", "chat", "Done.", `{"footer_items": "6.8k of 50k"}`) },
		Edits: []string{`"6.8k of 50k"`, `["6.8k of 50k"]`},
		Want:  []string{"WB115 1:308"},
	}},
	Good: []lint.Example{{Name: "a list of one", Make: func() string { return said(1, "assistant", "chat", "Done.", `{"footer_items": ["6.8k of 50k"]}`) }}},
	New:  protocol.ReportWorkbenchViolations(reportFooterItems),
}

func reportFooterItems(_ *lint.Pass, b *protocol.WorkbenchViolation) lint.Finding {
	message := "footer_items is " + protocol.ValueText(b.Node) + ", expected a list of strings"
	if b.Node.Name == "" {
		message = "an item of footer_items is " + protocol.ValueText(b.Node) + ", expected a string"
	}
	return lint.Finding{Place: b.Place(), Cause: b.Node.Name + " " + protocol.KindWord(b.Node), Message: message, Help: `write a list of strings, as in ["Response time: 3.1 seconds"]`}
}
