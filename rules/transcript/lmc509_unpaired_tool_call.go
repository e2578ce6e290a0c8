package transcript

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var callWithoutAnswer = lint.SeverityCase{Severity: lint.SeverityWarning, When: "call without an answer"}

var unpairedToolCall = &lint.Rule{
	ID: "LMC509", Name: "unpaired-tool-call",
	Summary: "A tool call has no answer or two, or an answer has no call",
	Rationale: "APIs refuse a request in which not every tool call has exactly one answer. The community's fork invents an " +
		"execute call before an answer without one, so that the model reads a call that it never made. Its newest release " +
		"invents an answer to a call without one, which is therefore a warning; for older ones the conversation is dead.",
	Evidence: []string{
		"endolith/open-interpreter, tool_dispatch.py: the call and its answer are stored together",
		"endolith/open-interpreter, tests of process_messages: a request with an unpaired call is refused with status 400",
	},
	Requirements: []string{"LMC-TRN-8"},
	Severity:     lint.SeverityError, Severities: []lint.SeverityCase{callWithoutAnswer},
	Inputs: lint.Transcripts, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "an answer without its call", Config: lint.Config{Dialect: "classic"},
		Input: `[{"role": "user", "type": "message", "content": "Show it"},
 {"role": "tool", "type": "message", "tool_call_id": "call_1", "content": "User declined to show image."}]
`,
		Edits: []string{` {"role": "tool", "type": "message", "tool_call_id": "call_1", "content": "User declined to show image."}]
`, ` {"role": "assistant", "type": "view_image_call", "tool_call_id": "call_1", "path": "/tmp/a.png"},
 {"role": "tool", "type": "message", "tool_call_id": "call_1", "content": "User declined to show image."}]
`},
		Want: []string{"LMC509 2:54"},
	}, {
		Name: "two answers to one call", Config: lint.Config{Dialect: "classic"},
		Input: `[{"role": "user", "type": "message", "content": "Show it"},
 {"role": "assistant", "type": "view_image_call", "tool_call_id": "call_1", "path": "/tmp/a.png"},
 {"role": "tool", "type": "message", "tool_call_id": "call_1", "content": "User declined to show image."},
 {"role": "tool", "type": "message", "tool_call_id": "call_1", "content": "User declined to show image."}]
`,
		Edits: []string{` {"role": "tool", "type": "message", "tool_call_id": "call_1", "content": "User declined to show image."},
`, ""},
		Want: []string{"LMC509 4:54"},
	}, {
		Name: "a call without an answer", Config: lint.Config{Dialect: "classic"},
		Input: `[{"role": "user", "type": "message", "content": "Show it"},
 {"role": "assistant", "type": "view_image_call", "tool_call_id": "call_1", "path": "/tmp/a.png"},
 {"role": "assistant", "type": "message", "content": "Here it is."}]
`,
		Edits: []string{` {"role": "assistant", "type": "message", "content": "Here it is."}]
`, ` {"role": "tool", "type": "message", "tool_call_id": "call_1", "content": "User declined to show image."},
 {"role": "assistant", "type": "message", "content": "Here it is."}]
`},
		Want: []string{"LMC509 2:67"},
	}},
	Good: []lint.Example{{
		Name: "each call has its answer", Config: lint.Config{Dialect: "classic"},
		Input: `[{"role": "user", "type": "message", "content": "Show it"},
 {"role": "assistant", "type": "view_image_call", "tool_call_id": "call_1", "path": "/tmp/a.png"},
 {"role": "tool", "type": "message", "tool_call_id": "call_1", "content": "User declined to show image."}]
`,
	}},
	New: newUnpairedToolCall,
}

func newUnpairedToolCall(p *lint.Pass) []lint.Hook {
	c := &toolCalls{pass: p, calls: map[string]*toolCall{}}
	return []lint.Hook{protocol.On(lmc.Message, c.follow), protocol.On(lmc.Finished, func(*source.PlaceRef) {
		for _, call := range c.open {
			if call.answers == 0 && !call.optional && !c.lost {
				p.Report(lint.Finding{
					Severity: callWithoutAnswer.Severity,
					Place:    call.at.Place(),
					Message:  "tool call has no answer",
					Help:     "store a message of role tool with the same tool_call_id, also if the turn was interrupted",
				})
			}
		}
	})}
}

// toolCalls pairs the tool calls of a conversation with their answers.
type toolCalls struct {
	pass    *lint.Pass
	calls   map[string]*toolCall // by id: the last call with it
	open    []*toolCall          // in order, answered ones too
	lost    bool                 // a message was unreadable or unclear, which may have been any
	latest  *toolCall            // the message before, if it is a call
	unnamed int                  // calls that lack their id, which is already reported
}

// maxCalls is how many ids are kept of a conversation.
const maxCalls = 4096

// toolCall is a call, or only its answer.
type toolCall struct {
	at       source.PlaceRef
	answers  int
	made     bool // the call itself came
	optional bool // it needs no answer
}

func (c *toolCalls) follow(e *lmc.ContentEvent) {
	r := e.Record
	if r == nil {
		c.lost = true
	}
	if r == nil || !protocol.StateOf(c.pass).Dialect.HasRole("tool") {
		return
	}
	n := r.Key("tool_call_id")
	if n == nil && r.HasInvalid(lmc.InvalidRole|lmc.InvalidType) {
		c.lost = true // it may have been any
	}
	id := ""
	if n != nil && n.Kind == source.String {
		id = n.Text()
	}
	needsAnswer := r.Type == "tool_call" || r.Type == "view_image_call" || r.Type == "edit_approved" // output follows an edit
	before, call := c.latest, c.calls[id]
	c.latest = nil
	switch {
	case id != "" && call == nil && len(c.calls) >= maxCalls: // too many to compare it
	case r.Role == "tool" && id != "":
		c.answer(r.Source.PlaceOf(n), id, before)
	case r.Role == "tool": // its id is missing, which is already reported
		for i := len(c.open) - 1; i >= 0; i-- {
			if c.open[i].answers == 0 {
				c.open[i].optional = true
				break
			}
		}
	case id == "" && needsAnswer:
		c.unnamed++
	case id == "":
	case r.Invalid != 0 && call != nil: // it may be a call or an answer
		call.answers++
	case r.Invalid != 0:
		c.calls[id] = &toolCall{made: true, optional: true}
	case call != nil && !call.made: // its answer came first, which is already reported
		call.made = true
	default:
		call = &toolCall{made: true, optional: !needsAnswer}
		call.at.Set(r.Source, n)
		c.calls[id], c.latest = call, call
		c.open = append(c.open, call)
	}
}

// answer notes an answer. If one with an unknown id directly follows a call, its
// id is wrong, and the call needs no other answer.
func (c *toolCalls) answer(at source.Place, id string, before *toolCall) {
	f := lint.Finding{Place: at}
	call := c.calls[id]
	switch {
	case call == nil && c.unnamed > 0:
		c.unnamed--
		call = &toolCall{made: true}
	case call == nil:
		call = &toolCall{}
		f.Message = "tool answer " + protocol.Quoted(id) + " has no call"
		f.Help = "store the call before its answer, with the same tool_call_id"
		if before != nil {
			before.optional = true
		}
	case call.answers > 0:
		f.Message = "tool call " + protocol.Quoted(id) + " has a second answer"
		f.Help = "store one answer to each call"
	}
	c.calls[id] = call
	call.answers++
	if f.Message != "" && !c.lost {
		c.pass.Report(f)
	}
}
