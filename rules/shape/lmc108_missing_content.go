package shape

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

var missingContent = &lint.Rule{
	ID: "LMC108", Name: "missing-content", Since: "0.1",
	Summary: "A record has neither content nor a flag",
	Rationale: "Such a record says nothing: it begins nothing, ends nothing and holds nothing. Consumers that ask it for its content " +
		"raise a KeyError; so does Open Interpreter for what a language plugin yields.",
	Evidence: []string{
		"documents, lmc-messages: each message has content; streaming-response: flags stand in chunks of their own",
		"recordings: each of 30,513 chunks has exactly one of start, end and content",
		"wild: KeyError 'content' in the logs of a fork's server",
	},
	Severity: lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "the text under another key",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
 {"role": "assistant", "type": "message", "text": "Hello!"}]
`,
		Want: []string{"LMC108 2:2"},
	}, {
		Name: "a misspelled flag",
		Input: `{"role": "assistant", "type": "message", "strt": true}
{"role": "assistant", "type": "message", "content": "Hello!"}
{"role": "assistant", "type": "message", "end": true}
`,
		Want: []string{"LMC108 1:1"},
	}},
	Good: []lint.Example{{
		Name: "a flag has no content, and content no flag",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hello!"}
{"role": "assistant", "type": "message", "end": true}
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnViolation(p, func(v *protocol.Violation) {
			if bareElsewhere(protocol.StateOf(p).Dialect, v.Record) {
				return // LMC104 names the dialect that knows the type
			}
			p.Report(lint.Finding{
				Place:   v.Place(),
				Message: protocol.Subject(v.Record) + " has " + lacking(v),
				Help:    missingKeyHelp(protocol.StateOf(p), v, contentHelp(v)),
			})
		}))
	},
}

// lacking says what a record without content lacks, as far as its type takes it.
func lacking(v *protocol.Violation) string {
	if len(v.Expected) == 1 {
		return "no content"
	}
	return "neither content nor a flag"
}

// contentHelp says how to write the content.
func contentHelp(v *protocol.Violation) string {
	switch {
	case len(v.Expected) > 1:
		return `add "content"; or, if it was to be a flag, "start": true or "` + v.Expected[len(v.Expected)-1] + `": true`
	case v.Record.Flag():
		return "a " + protocol.Word(v.Type) + " has no flags: send it in one record, with its content"
	}
	return `add "content"`
}

// bareElsewhere reports whether a record's type is unknown here, and needs no
// content in the dialect that knows it.
func bareElsewhere(dialect *schema.Dialect, r *lmc.Record) bool {
	if _, known := dialect.Type(r.Type); known {
		return false
	}
	return protocol.OtherDialectHelp(func(d *schema.Dialect) bool {
		t, ok := d.Type(r.Type)
		return ok && t.Bare
	}) != ""
}
