package transcript

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var callWithoutAnswer = lint.SeverityCase{Severity: lint.SeverityWarning, When: "call without an answer"}

var unpairedToolCall = &lint.Rule{
	ID: "LMC509", Name: "unpaired-tool-call", Since: "0.1",
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
	Bad: []lint.Example{{
		Name: "an answer without its call", Dialect: "classic",
		Input: `[{"role": "user", "type": "message", "content": "Show it"},
 {"role": "tool", "type": "message", "tool_call_id": "call_1", "content": "User declined to show image."}]
`,
		Want: []string{"LMC509 2:54"},
	}, {
		Name: "two answers to one call", Dialect: "classic",
		Input: `[{"role": "user", "type": "message", "content": "Show it"},
 {"role": "assistant", "type": "view_image_call", "tool_call_id": "call_1", "path": "/tmp/a.png"},
 {"role": "tool", "type": "message", "tool_call_id": "call_1", "content": "User declined to show image."},
 {"role": "tool", "type": "message", "tool_call_id": "call_1", "content": "User declined to show image."}]
`,
		Want: []string{"LMC509 4:54"},
	}, {
		Name: "a call without an answer", Dialect: "classic",
		Input: `[{"role": "user", "type": "message", "content": "Show it"},
 {"role": "assistant", "type": "view_image_call", "tool_call_id": "call_1", "path": "/tmp/a.png"},
 {"role": "assistant", "type": "message", "content": "Here it is."}]
`,
		Want: []string{"LMC509 2:67"},
	}},
	Good: []lint.Example{{
		Name: "each call has its answer", Dialect: "classic",
		Input: `[{"role": "user", "type": "message", "content": "Show it"},
 {"role": "assistant", "type": "view_image_call", "tool_call_id": "call_1", "path": "/tmp/a.png"},
 {"role": "tool", "type": "message", "tool_call_id": "call_1", "content": "User declined to show image."}]
`,
	}},
	New: newUnpairedToolCall,
}

func newUnpairedToolCall(p *lint.Pass) []lint.Hook {
	c := &toolCalls{pass: p, calls: map[string]*toolCall{}}
	return []lint.Hook{
		protocol.On(lmc.Message, c.follow),
		protocol.On(lmc.Finished, func(*lmc.Event) { c.finish() }),
	}
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

func (c *toolCalls) follow(e *lmc.Event) {
	r := e.Record
	switch {
	case r == nil:
		c.lost = true
		return
	case !protocol.StateOf(c.pass).Dialect.HasRole("tool"):
		return
	}
	if r.HasInvalid(lmc.InvalidRole|lmc.InvalidType) && r.Key("tool_call_id") == nil {
		c.lost = true // it may have been any
	}
	before := c.latest
	c.latest = nil
	id := r.Key("tool_call_id")
	named := id != nil && id.Kind == source.String && id.Text() != ""
	switch {
	case named && len(c.calls) >= maxCalls && c.calls[id.Text()] == nil: // too many to compare it
	case r.Role == "tool" && named:
		c.answer(r, id, before)
	case r.Role == "tool":
		c.answerLast()
	case named && r.Invalid != 0: // it may be a call or an answer
		c.unclear(id.Text())
	case named:
		c.call(r, id)
	case needsAnswer(r):
		c.unnamed++
	}
}

// needsAnswer reports whether a message is a tool call. Output follows an edit.
func needsAnswer(r *lmc.Record) bool {
	return r.Type == "tool_call" || r.Type == "view_image_call" || r.Type == "edit_approved"
}

// call notes a call. Its answer may precede it, which is reported already.
func (c *toolCalls) call(r *lmc.Record, id *source.Node) {
	if early := c.calls[id.Text()]; early != nil && !early.made {
		early.made = true
		return
	}
	call := &toolCall{made: true, optional: !needsAnswer(r)}
	call.at.Set(r.Source, id)
	c.calls[id.Text()] = call
	c.open = append(c.open, call)
	c.latest = call
}

func (c *toolCalls) unclear(id string) {
	if call := c.calls[id]; call != nil {
		call.answers++
		return
	}
	c.calls[id] = &toolCall{made: true, optional: true}
}

// answerLast notes an answer that lacks its id, which is already reported.
func (c *toolCalls) answerLast() {
	for i := len(c.open) - 1; i >= 0; i-- {
		if c.open[i].answers == 0 {
			c.open[i].optional = true
			return
		}
	}
}

// answer notes an answer. If one with an unknown id directly follows a call, its
// id is wrong, and the call needs no other answer.
func (c *toolCalls) answer(r *lmc.Record, id *source.Node, before *toolCall) {
	f := lint.Finding{Place: r.Source.PlaceOf(id)}
	call := c.calls[id.Text()]
	switch {
	case call == nil && c.unnamed > 0:
		c.unnamed--
		call = &toolCall{made: true}
	case call == nil:
		call = &toolCall{}
		f.Message = "tool answer " + protocol.Quoted(id.Text()) + " has no call"
		f.Help = "store the call before its answer, with the same tool_call_id"
		if before != nil {
			before.optional = true
		}
	case call.answers > 0:
		f.Message = "tool call " + protocol.Quoted(id.Text()) + " has a second answer"
		f.Help = "store one answer to each call"
	}
	c.calls[id.Text()] = call
	call.answers++
	if f.Message != "" && !c.lost {
		c.pass.Report(f)
	}
}

// finish reports the calls that have no answer.
func (c *toolCalls) finish() {
	for _, call := range c.open {
		if call.answers == 0 && !call.optional && !c.lost {
			c.pass.Report(lint.Finding{
				Severity: callWithoutAnswer.Severity,
				Place:    call.at.Place(),
				Message:  "tool call has no answer",
				Help:     "store a message of role tool with the same tool_call_id, also if the turn was interrupted",
			})
		}
	}
}
