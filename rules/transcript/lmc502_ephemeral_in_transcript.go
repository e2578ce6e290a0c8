package transcript

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var lineUnderAuto = lint.SeverityCase{Severity: protocol.UnderAuto.Severity, When: "active_line under " + protocol.UnderAuto.When}

var ephemeralInTranscript = &lint.Rule{
	ID: "LMC502", Name: "ephemeral-in-transcript",
	Summary: "A transcript contains a stream-only record (active_line, confirmation, review, server frame)",
	Rationale: "Such records tell a client what is happening at the moment, and Open Interpreter never stores them. A " +
		"conversation that contains one cannot continue: each later request raises an exception. Restoring it in the " +
		"terminal raises a TypeError at an active_line and draws nothing for the others. The documentation lists active_line as a message: without a named dialect it is one warning.",
	Evidence: []string{
		"documentation, streaming-response: confirmation and active_line are chunks",
		"core.py, _respond_and_store(): active_line, confirmation and review are never stored",
		"convert_to_openai_messages.py, convert_to_openai_messages(): raises an exception at each of them, except at a stored error, which it skips with a line on the terminal",
		"recordings: none of 3,536 stored messages is one of them",
	},
	Requirements: []string{"LMC-TRN-2"},
	Severity:     lint.SeverityError, Severities: []lint.SeverityCase{lineUnderAuto}, Inputs: lint.Transcripts, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "active_line and a confirmation",
		Input: `[{"role": "assistant", "type": "code", "format": "python", "content": "print(1)"},
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "print(1)"}},
{"role": "computer", "type": "console", "format": "active_line", "content": 1},
{"role": "computer", "type": "console", "format": "output", "content": "1\n"}]
`,
		Config: lint.Config{Kind: protocol.KindTranscript},
		Edits: []string{`{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "print(1)"}},
{"role": "computer", "type": "console", "format": "active_line", "content": 1},
`, ""},
		Want: []string{"LMC502 2:30", "LMC502 3:51"},
	}, {
		Name: "a server frame",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
{"role": "assistant", "type": "message", "content": "Hello"},
{"role": "server", "type": "status", "content": "complete"}]
`,
		Edits: []string{`,
{"role": "server", "type": "status", "content": "complete"}`, ""},
		Want: []string{"LMC502 3:10"},
	}},
	Good: []lint.Example{{
		Name: "code and its output",
		Input: `[{"role": "assistant", "type": "code", "format": "python", "content": "print(1)"},
{"role": "computer", "type": "console", "format": "output", "content": "1\n"}]
`,
	}},
	New: newEphemeralInTranscript,
}

func newEphemeralInTranscript(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.On(lmc.Shape, func(r *lmc.Record) {
		if r.Flag() || r.Stored || !protocol.IsEphemeral(r) {
			return
		}
		name, place := ephemeral(r)
		f := lint.Finding{
			Place:   place,
			Message: name + " in a transcript",
			Help:    "remove this record from the history; it is only streamed",
		}
		if name == "active_line" {
			f = protocol.Documented(p, f, "active_line in a transcript, as the documentation lists it; releases since 0.1.17 only stream it, and fail at the next request")
		}
		p.Report(f)
	})}
}

// ephemeral returns what makes a record stream-only, and its place.
func ephemeral(r *lmc.Record) (name string, place source.Place) {
	switch {
	case r.Role == "server":
		return "server frame", r.PlaceOf("role")
	case r.Type == "console":
		return "active_line", r.PlaceOf("format")
	case r.Type != "":
		return r.Type, r.PlaceOf("type")
	}
	key := r.Key("auth")
	if key == nil {
		key = r.Key("ack")
	}
	return "frame with " + protocol.Quoted(key.Name), r.Source.PlaceOfKey(key)
}
