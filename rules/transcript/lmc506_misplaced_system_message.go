package transcript

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var misplacedSystemMessage = &lint.Rule{
	ID: "LMC506", Name: "misplaced-system-message",
	Summary: "A transcript contains a system message",
	Rationale: "Open Interpreter puts its own system message before the stored ones and asserts that no other follows: the next request ends in " +
		"an AssertionError, even if the stored one is the first. The dialect docs does not define the role: there LMC102 reports it.",
	Evidence:     []string{"llm.py, run(): asserts that only the first message has role system"},
	Requirements: []string{"LMC-TRN-6"},
	Severity:     lint.SeverityError, Inputs: lint.Transcripts, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "instructions in the middle",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
{"role": "system", "type": "message", "content": "Answer in French."},
{"role": "assistant", "type": "message", "content": "Bonjour"}]
`,
		Edits: []string{`{"role": "system", "type": "message", "content": "Answer in French."},
`, ""},
		Want: []string{"LMC506 2:10"},
	}, {
		Name: "instructions at the beginning",
		Input: `[{"role": "system", "type": "message", "content": "Answer in French."},
{"role": "user", "type": "message", "content": "Hi"}]
`,
		Edits: []string{`"system", "type": "message", "content": "Answer in French."},
{"role": "user"`, `"user"`},
		Want: []string{"LMC506 1:11"},
	}},
	Good: []lint.Example{{
		Name: "no system message; the interpreter prepends its own",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
{"role": "assistant", "type": "message", "content": "Hello"}]
`,
	}},
	New: newMisplacedSystemMessage,
}

func newMisplacedSystemMessage(p *lint.Pass) []lint.Hook {
	var first source.PlaceRef // the first message
	met := false
	return []lint.Hook{protocol.On(lmc.Message, func(e *lmc.ContentEvent) {
		r := e.Record
		if r == nil {
			return
		}
		isFirst := !met
		if isFirst {
			met = true
			first.Set(r.Source, nil)
		}
		alone := protocol.StateOf(p).Dialect.OwnSystemMessage
		if protocol.NeverStored(r) || r.Role != "system" || r.Invalid&lmc.InvalidRole != 0 || isFirst && !alone || p.Repeats("", r.Source, r.Key("role").Start) {
			return
		}
		f := lint.Finding{Place: r.PlaceOf("role"), Message: "system message is not the first message", Help: "move it to the beginning"}
		if alone {
			f.Message = "system message in a transcript; Open Interpreter adds its own and allows no other"
			f.Help = "remove it and set interpreter.system_message instead"
		}
		if !isFirst {
			f.Related = []lint.Related{{Message: "first message", Place: first.Place()}}
		}
		p.Report(f)
	})}
}
