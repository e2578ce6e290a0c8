package shape

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
	"github.com/lmclint/lmclint/schema"
)

var missingContent = &lint.Rule{
	ID: "LMC108", Name: "missing-content", Since: "0.1",
	Summary: "A record has no content and no start or end flag",
	Rationale: "Open Interpreter raises KeyError 'content': in its core, in its terminal, and in each later request of a " +
		"conversation that contains the record. Its server loses the text and answers an empty message. If the record was " +
		"a start flag, web clients raise a TypeError at the content that follows.",
	Evidence: []string{
		"documentation, lmc-messages: each message has content; streaming-response: flags are separate chunks",
		"recordings: each of 30,513 chunks has exactly one of start, end and content",
		"wild: KeyError 'content' in the logs of a fork's server",
	},
	Requirements: []string{"LMC-REC-5"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Fixes: lint.SafeFixes | lint.UnsafeFixes,
	Bad: []lint.Example{{
		Name: "text under another key",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
 {"role": "assistant", "type": "message", "text": "Hello!"}]
`,
		Want: []string{"LMC108 2:43"},
	}, {
		Name:  "a misspelled flag",
		Input: example.Altered(helloStream, `"start"`, `"strt"`),
		Want:  []string{"LMC108 1:42"},
	}},
	Good: []lint.Example{{
		Name:  "a flag has no content, and content has no flag",
		Input: helloStream,
	}},
	New: protocol.ReportViolations(findMissingContent),
}

func findMissingContent(p *lint.Pass, v *protocol.Violation) lint.Finding {
	s := protocol.StateOf(p)
	r := v.Record
	if _, known := s.Dialect.Type(r.Type); !known && s.OtherDialect(func(d *schema.Dialect) bool {
		t, ok := d.Type(r.Type)
		return ok && t.Bare
	}) != "" {
		return lint.Finding{} // LMC104 names the dialect that defines the type
	}
	f := lint.Finding{Message: protocol.Subject(r) + " has no content", Help: `add "content"`}
	switch {
	case len(v.Expected) > 1: // it may be a flag
		f.Message += " and no flag"
		f.Help += `, or for a flag "start": true or "` + v.Expected[len(v.Expected)-1] + `": true`
	case r.Flag():
		f.Help = protocol.WithArticle(protocol.Word(v.Type)) + " has no flags: send it in one record, with its content"
	}
	return withRemedy(p, v, v.Expected, f)
}
