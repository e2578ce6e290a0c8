package content

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var splitReviewTag = &lint.Rule{
	ID: "LMC408", Name: "split-review-tag",
	Summary: "A review's text contains a fragment of its tag",
	Rationale: "Open Interpreter removes <safe>, <warning> and <unsafe> from the model's text, but only if a tag arrives " +
		"in one piece. A tag that the model splits over deltas stays in the review: the terminal prints \">It lists files.</warning>\". A single < is " +
		"reported only after the end of a sentence or a line, where the closing tag would be; elsewhere it may be an " +
		"operator that the review mentions.",
	Evidence:     []string{"recording review_split", "run_tool_calling_llm.py, run_tool_calling_llm(): compares whole tags with each delta"},
	Requirements: []string{"LMC-CNT-9"},
	Severity:     lint.SeverityWarning, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "both tags split",
		Input: example.ShellCode + `{"role": "assistant", "type": "review", "format": "warning", "start": true}
{"role": "assistant", "type": "review", "format": "warning", "content": ">"}
{"role": "assistant", "type": "review", "format": "warning", "content": "It lists files."}
{"role": "assistant", "type": "review", "format": "warning", "content": "</"}
{"role": "assistant", "type": "review", "format": "warning", "content": "warning"}
{"role": "assistant", "type": "review", "format": "warning", "content": ">"}
{"role": "assistant", "type": "review", "format": "warning", "end": true}
` + example.Confirmed + example.Executed,
		Edits: []string{`{"role": "assistant", "type": "review", "format": "warning", "content": ">"}
`, "", `{"role": "assistant", "type": "review", "format": "warning", "content": "</"}
{"role": "assistant", "type": "review", "format": "warning", "content": "warning"}
{"role": "assistant", "type": "review", "format": "warning", "content": ">"}
`, ""},
		Want: []string{"LMC408 4:1"},
	}, {
		Name: "a reply truncated in its closing tag",
		Input: example.ShellCode + `{"role": "assistant", "type": "review", "format": "warning", "start": true}
{"role": "assistant", "type": "review", "format": "warning", "content": "It lists files."}
{"role": "assistant", "type": "review", "format": "warning", "content": "<"}
{"role": "assistant", "type": "review", "format": "warning", "end": true}
` + example.Confirmed + example.Executed,
		Edits: []string{`{"role": "assistant", "type": "review", "format": "warning", "content": "<"}
`, ""},
		Want: []string{"LMC408 4:1"},
	}},
	Good: []lint.Example{{
		Name: "a review that mentions an operator",
		Input: example.ShellCode + `{"role": "assistant", "type": "review", "format": "warning", "start": true}
{"role": "assistant", "type": "review", "format": "warning", "content": "It reads its input with <"}
{"role": "assistant", "type": "review", "format": "warning", "end": true}
` + example.Confirmed + example.Executed,
	}, {
		Name: "a review without tags",
		Input: example.ShellCode + `{"role": "assistant", "type": "review", "format": "warning", "start": true}
{"role": "assistant", "type": "review", "format": "warning", "content": "It lists files."}
{"role": "assistant", "type": "review", "format": "warning", "end": true}
` + example.Confirmed + example.Executed,
	}},
	New: protocol.Report(lmc.Closed, findSplitReviewTag),
}

func findSplitReviewTag(_ *lint.Pass, e *lmc.ClosedEvent) lint.Finding {
	b := e.Block
	if b.Type != "review" || b.Format == "" {
		return lint.Finding{}
	}
	if where := tagLeft(b); where != "" {
		return lint.Finding{
			Place:   b.Start.Place(),
			Message: fmt.Sprintf("the review's text %s, a fragment of its tag", where),
			Help:    "join the model's deltas until the tag is complete, then remove it",
		}
	}
	return lint.Finding{}
}

// tagLeft returns where a review contains a fragment of its tag, or "".
func tagLeft(b *lmc.Block) string {
	head, tail := b.Ends()
	tail = strings.TrimRightFunc(tail, unicode.IsSpace)
	closing := "</" + b.Format + ">"
	for n := len(closing); n >= len("</"); n-- {
		if strings.HasSuffix(tail, closing[:n]) {
			return "ends with " + protocol.Quoted(closing[:n])
		}
	}
	if text, ok := strings.CutSuffix(tail, "<"); ok {
		last, _ := utf8.DecodeLastRuneInString(text)
		if text == "" || strings.ContainsRune("\n.!?…。！？)\"'`", last) { // a finished sentence or line
			return `ends with "<"`
		}
	}
	if rest := closing[len("</"):]; strings.HasSuffix(tail, rest) {
		return "ends with " + protocol.Quoted(rest)
	}
	if strings.HasPrefix(strings.TrimSpace(head), ">") {
		return `starts with ">"`
	}
	return ""
}
