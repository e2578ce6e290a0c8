package shape

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

var conflictingKeys = &lint.Rule{
	ID: "LMC112", Name: "conflicting-keys", Since: "0.1",
	Summary: "A chunk has more than one of start, end and content",
	Rationale: "Consumers look for start, then content, then end, and act on the first that they find. Of a chunk with content and " +
		"end, a server never sees the end and never answers; of one with start and content, many consumers lose the content.",
	Evidence: []string{
		"recordings: each of 30,513 chunks has exactly one of the three",
		"source, async_core.py: input tests start, content and end in that order",
		"wild: servers that send start, content and end in one chunk; a README that blames it for doubled images",
	},
	Severity: lint.SeverityError, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "the last content and the end in one chunk",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hello!", "end": true}
`,
		Want: []string{"LMC112 2:63"},
	}, {
		Name: "all in one chunk",
		Input: `{"role": "assistant", "type": "message", "start": true, "content": "Hello!", "end": true}
`,
		Want: []string{"LMC112 1:57"},
	}},
	Good: []lint.Example{{
		Name: "one chunk for each",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hello!"}
{"role": "assistant", "type": "message", "end": true}
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnViolation(p, func(v *protocol.Violation) {
			if hasFlags(protocol.StateOf(p).Dialect, v.Type) && denied(v.Record) {
				return
			}
			finding := lint.Finding{
				Place:   v.Place(),
				Message: protocol.Subject(v.Record) + " has " + protocol.AllOf(v.Expected) + " in one chunk",
				Help:    conflictHelp(protocol.StateOf(p).Dialect, v),
			}
			if first := v.Record.Key(v.Expected[0]); first != nil {
				finding.Related = []lint.Related{{Message: "the first of them", Place: v.Record.Source.PlaceOfKey(first)}}
			}
			p.Report(finding)
		}))
	},
}

// denied reports whether a flag of the record says that it is none. LMC111
// tells that, and to leave it out mends both.
func denied(r *lmc.Record) bool {
	no := func(flag *source.Node) bool {
		return flag != nil && flag.Kind == source.Bool && flag.Value() == false
	}
	return no(r.StartNode) || no(r.EndNode)
}

// hasFlags reports whether a type is streamed between flags. An unknown type
// may be.
func hasFlags(dialect *schema.Dialect, typ string) bool {
	t, ok := dialect.Type(typ)
	return !ok || t.Flags
}

// conflictHelp says what a server makes of a chunk with these keys.
func conflictHelp(dialect *schema.Dialect, v *protocol.Violation) string {
	if !hasFlags(dialect, v.Type) {
		return "a " + v.Type + " has no flags: send its content alone"
	}
	switch r := v.Record; {
	case r.Start && r.End:
		return "a server takes it as a start only and waits for the end for ever: send the end in a chunk of its own"
	case r.Start:
		return "consumers that find the start do not look for content: send the start first, in a chunk of its own"
	}
	return "a server takes it as content only, never finds the end and never answers: send the end in a chunk of its own"
}
