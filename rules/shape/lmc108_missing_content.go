package shape

import (
	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
	"github.com/lmclint/lmclint/schema"
)

var missingContent = &lint.Rule{
	ID: "LMC108", Name: "missing-content",
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
	}, {
		Name:  "a flag that is null",
		Input: example.Altered(helloStream, `"end": true`, `"end": null`),
		Want:  []string{"LMC108 3:49"},
	}},
	Good: []lint.Example{{
		Name:  "a flag has no content, and content has no flag",
		Input: helloStream,
	}},
	New: protocol.FindViolations(findMissingContent),
}

func findMissingContent(p *lint.Pass, v *protocol.Violation) lint.Finding {
	s := protocol.StateOf(p)
	r := v.Record
	if _, known := s.Dialect.Type(r.Type); !known && r.Type != "" && s.OtherDialect(func(d *schema.Dialect) bool {
		t, ok := d.Type(r.Type)
		return ok && t.Bare
	}) != "" {
		return lint.Finding{} // LMC104 names the dialect that defines the type
	}
	if v.Repeats(p) {
		return lint.Finding{}
	}
	f := lint.Finding{Message: protocol.Subject(r) + " has no content", Help: `add "content"`}
	switch {
	case len(v.Expected) > 1: // it may be a flag
		f.Message += " and no flag"
		f.Help += `, or for a flag "start": true or "` + v.Expected[len(v.Expected)-1] + `": true`
	case r.Flag():
		f.Help = protocol.WithArticle(protocol.Word(v.Type)) + " has no flags: send it in one record, with its content"
	}
	if n := nullFlag(v); n != nil {
		return lint.Finding{
			Place:   r.Source.PlaceOf(n),
			Message: protocol.Subject(r) + " has no content, and " + n.Name + " is null",
			Help:    "write " + protocol.Quoted(n.Name) + ": true, or remove the record",
			Fix:     fix.Unsafe("replace null with true", fix.ReplaceValue(r.Source, n, true)),
		}
	}
	return withRemedy(p, v, v.Expected, f)
}

// nullFlag returns the only flag that is null in a record without content, or nil.
func nullFlag(v *protocol.Violation) (flag *source.Node) {
	for _, key := range v.Expected {
		if n := v.Record.Null(key); n != nil && key != "content" {
			if flag != nil {
				return nil
			}
			flag = n
		}
	}
	return flag
}
