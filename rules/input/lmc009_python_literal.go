package input

import (
	"slices"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var pythonLiteral = &lint.Rule{
	ID: "LMC009", Name: "python-literal",
	Summary: "The records are Python literals, not JSON",
	Rationale: "print(chunk) and str(messages) write single quotes, True and None. JSON parsers reject them: consumers in " +
		"other languages, and json.loads in Python, raise an exception at the first record. lmclint reads the literals " +
		"and checks the records as if they were JSON.",
	Evidence: []string{
		"documentation, streaming-response: the chunks are shown as print(chunk) wrote them",
		"recordings *.print.txt, from 0.1.16 to 0.4.2",
		"Python reference, section 2.4, Literals",
	},
	Requirements: []string{"LMC-FRM-2"},
	Severity:     lint.SeverityNote, Inputs: lint.AnyInput,
	Fixes:    lint.SafeFixes,
	OneCause: true,
	Bad: []lint.Example{{
		Name: "a stream written with print(chunk)",
		Input: `{'role': 'assistant', 'type': 'message', 'start': True}
{'role': 'assistant', 'type': 'message', 'content': "It's "}
{'role': 'assistant', 'type': 'message', 'content': 'noon.'}
{'role': 'assistant', 'type': 'message', 'end': True}
`,
		Want: []string{"LMC009 1:1"},
	}, {
		Name: "a transcript written with print(interpreter.messages)",
		Input: `[{'role': 'user', 'type': 'message', 'content': 'Hi'}, {'role': 'assistant', 'type': 'message', 'content': 'Hello!'}]
`,
		Want: []string{"LMC009 1:2"},
	}},
	Good: []lint.Example{{
		Name: "a stream written with print(json.dumps(chunk))",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "It's noon."}
{"role": "assistant", "type": "message", "end": true}
`,
	}},
	New: newPythonLiteral,
}

func newPythonLiteral(p *lint.Pass) []lint.Hook {
	var c conversion
	hooks := []lint.Hook{protocol.OnProblem(source.PythonLiteral, func(e *protocol.Problem) {
		f := lint.Finding{Place: e.Place, Message: e.Detail, Help: "write json.dumps(chunk) instead of print(chunk)"}
		if _, ok := fix.ToJSON(e.Record); ok {
			c.whole = &lint.Fix{Message: "write the records as JSON", Safe: true, Partial: true, Edits: c.edits}
			f.Fix = c.whole
		}
		p.Report(f)
	})}
	if p.Fixing {
		hooks = append(hooks, protocol.OnRecord(c.add))
	}
	return hooks
}

// conversion is the fix that makes JSON of all Python literals of an input. It
// converts all of them or none, except for records on a line of their own that cannot
// be parsed: these remain unchanged, and are reported. If a record is truncated, it
// converts none. The fix of that record has to be applied first: between JSON records
// the reader would not recognize it as a truncated Python literal.
type conversion struct {
	edits  []lint.Edit // of the records before the finding
	whole  *lint.Fix   // to which later records add their edits
	failed bool
}

func (c *conversion) add(r *source.Record) {
	if c.failed || !r.Python || r.IsGap {
		return
	}
	at := r.Span()
	isTruncated := func(p source.Problem) bool { return p.Kind == source.TruncatedRecord }
	if r.Root == nil && r.Pointer == "" && at.Start.Line == at.End.Line && !slices.ContainsFunc(r.Problems, isTruncated) {
		return
	}
	edits, ok := fix.ToJSON(r)
	c.failed = !ok
	if c.edits = append(c.edits, edits...); c.failed {
		c.edits = nil
	}
	if c.whole != nil {
		c.whole.Edits = c.edits
	}
}
