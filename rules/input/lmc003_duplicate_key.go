package input

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var duplicateKey = &lint.Rule{
	ID: "LMC003", Name: "duplicate-key",
	Summary: "An object has a duplicate key",
	Rationale: "Python and JavaScript, in which all known consumers are written, take the last of the values and drop the first " +
		"without a message; other parsers take the first or refuse the record. Keys are compared after unescaping.",
	Evidence: []string{
		"RFC 8259, section 4: the behavior of software that receives such an object is unpredictable",
	},
	Requirements: []string{"LMC-INP-4"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput,
	Bad: []lint.Example{{
		Name: "content written twice",
		Input: `{"role": "user", "type": "message", "content": "Hi", "content": "Hello"}
{"role": "assistant", "type": "message", "content": "How can I help?"}
`,
		Edits: []string{`"Hi", "content": "Hello"`, `"Hi"`},
		Want:  []string{"LMC003 1:54"},
	}},
	Good: []lint.Example{{
		Name: "each key once",
		Input: `{"role": "user", "type": "message", "content": "Hello"}
{"role": "assistant", "type": "message", "content": "How can I help?"}
`,
	}},
	New: newDuplicateKey,
}

func newDuplicateKey(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnProblem(source.DuplicateKey, func(e *protocol.Problem) {
		if p.RepeatsAt(e.Detail, e.Place) {
			return
		}
		finding := lint.Finding{
			Place:   e.Place,
			Message: e.Detail,
			Help:    "remove one of the two; Python and JavaScript use the last",
		}
		if e.Related != nil {
			finding.Related = []lint.Related{{Message: "first occurrence", Place: *e.Related}}
		}
		p.Report(finding)
	})}
}
