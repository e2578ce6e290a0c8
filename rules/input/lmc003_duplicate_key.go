package input

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var duplicateKey = &lint.Rule{
	ID: "LMC003", Name: "duplicate-key", Since: "0.1",
	Summary: "An object has a key twice",
	Rationale: "Parsers disagree on which of the two counts: Python and JavaScript take the last, others the first, some refuse " +
		"the record. What was sent and what is shown may differ. Keys are compared after unescaping.",
	Evidence: []string{
		"RFC 8259, section 4: the behaviour of software that meets such an object is unpredictable",
	},
	Severity: lint.SeverityError, Inputs: lint.AnyInput,
	Bad: []lint.Example{{
		Name: "a content that was written twice",
		Input: `{"role": "user", "type": "message", "content": "Hi", "content": "Hello"}
{"role": "assistant", "type": "message", "content": "How can I help?"}
`,
		Want: []string{"LMC003 1:54"},
	}},
	Good: []lint.Example{{
		Name: "each key once",
		Input: `{"role": "user", "type": "message", "content": "Hello"}
{"role": "assistant", "type": "message", "content": "How can I help?"}
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnProblem(source.DuplicateKey, func(e *protocol.Problem) {
			finding := lint.Finding{
				Place:   e.Place,
				Message: e.Detail,
				Help:    "keep one of the two: parsers disagree on which of them counts",
			}
			if e.Related != nil {
				finding.Related = []lint.Related{{Message: "first here", Place: *e.Related}}
			}
			p.Report(finding)
		}))
	},
}
