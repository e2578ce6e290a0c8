package workbench

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/lint"
)

var noticeTyping = &lint.Rule{
	ID: "WB104", Name: "notice-typing",
	Summary: "A notice only reports that someone is typing or thinking",
	Rationale: "Notices stay in the conversation, where such a line is outdated a second later. Use the status of the " +
		"participant.",
	Evidence:     []string{pageTypes + ": \"They should not include a \"typing...\" message in this category\""},
	Requirements: []string{"WB-CON-3"},
	Severity:     lint.SeverityWarning, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "an assistant is typing",
		Make: func() string {
			return hello() + said(2, "assistant", "notice", "Explorer Assistant is typing...", "{}")
		},
		Want: []string{"WB104 2:255"},
	}},
	Good: []lint.Example{{
		Name: "a permanent change",
		Make: func() string {
			return hello() + said(2, "assistant", "notice", "Explorer Assistant changed its operation mode to thinking", "{}")
		},
	}},
	New: newNoticeTyping,
}

func newNoticeTyping(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnMessage(func(m *workbench.Message) {
		if typing().MatchString(m.Content) {
			p.Report(lint.Finding{
				Place: m.At(m.ContentNode), Message: "notice " + protocol.Quoted(m.Content) + " only reports a status",
				Help: "set the status of the participant instead; it is not stored in the conversation",
			})
		}
	}, workbench.Notice)}
}
