package workbench

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/lint"
)

// maxNoticeLength is the length in code points above which a notice is too long for
// one line.
const maxNoticeLength = 200

var longNotice = lint.SeverityCase{Severity: lint.SeverityNote, When: "long line"}

var noticeMultiline = &lint.Rule{
	ID: "WB103", Name: "notice-multiline",
	Summary: "A notice has more than one line or is too long",
	Rationale: "The app shows a notice small, on a single line, without its sender. Text with several lines belongs in a " +
		"note. A line of more than 200 characters is reported as a note.",
	Evidence: []string{
		pageTypes + ": \"The notice message type is used for sending short, one-line update messages\"",
		"semanticworkbench, explorer and prospector assistants, respond_to_conversation(): warnings about tokens on three lines",
	},
	Requirements: []string{"WB-CON-3"},
	Severity:     lint.SeverityWarning, Severities: []lint.SeverityCase{longNotice},
	Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name: "a warning on three lines",
		Make: func() string {
			return said(1, "assistant", "notice", "The assistant is using a lot of tokens.\n\nTotal tokens used: 48123", "{}")
		},
		Edits: []string{`tokens.\n\nTotal tokens used: 48123"`, `tokens."`},
		Want:  []string{"WB103 1:295"},
	}},
	Good: []lint.Example{{
		Name: "one line with a trailing line feed",
		Make: func() string {
			return said(1, "assistant", "notice", "Explorer Assistant changed its operation mode to brief\n", "{}")
		},
	}},
	New: newNoticeMultiline,
}

func newNoticeMultiline(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnMessage(func(m *workbench.Message) {
		text := strings.TrimSpace(m.Content)
		from := strings.Index(m.Content, text)
		switch at, length := strings.IndexByte(text, '\n'), utf8.RuneCountInString(text); {
		case at >= 0:
			p.Report(lint.Finding{
				Place:   m.Record.Source.PlaceIn(m.ContentNode, from+at, from+at+1),
				Cause:   "lines",
				Message: fmt.Sprintf("notice has %d lines, expected one", strings.Count(text, "\n")+1),
				Help:    "send a note, or only the first line; the app shows a notice on a single line",
			})
		case length > maxNoticeLength:
			p.Report(lint.Finding{
				Place: m.At(m.ContentNode), Severity: longNotice.Severity,
				Cause:   "length",
				Message: fmt.Sprintf("notice has %d characters", length),
				Help:    "send a note; a notice is a short update on a single line",
			})
		}
	}, workbench.Notice)}
}
