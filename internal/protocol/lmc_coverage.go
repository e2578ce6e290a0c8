package protocol

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/plugin"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

// coverage counts what occurs in a conversation. A record of the fast path costs one
// addition: what it is was decided when its template was made.
type coverage struct {
	found     *plugin.Coverage
	facts     fact
	templates []int // records by the ID of their template
}

// fact is a set of things that may occur. internal/coverage says which of them
// exercise which requirement.
type fact uint64

const (
	factRecord fact = 1 << iota
	factFlag
	factEnd
	factContent
	factText
	factFormatted
	factUnformatted
	factRecipient
	factUserContent
	factKeyed
	factCode
	factReview
	factOutput
	factConfirmation
	factConfirmationID
	factActiveLine
	factImage
	factPath
	factAudio
	factChunk
	factConsoleFlag
	factBlock
	factExecution
	factStored
	factStoredText
	factStoredConsole
	factStoredCode
	factToolCall
	factUserFlag
	factUserPart
	factFrameID
	factCompared
	factStreamedCode
	factStreamedImage
)

// factNames are the words for facts in internal/coverage, in their order.
func factNames() []string {
	return []string{
		"record", "flag", "end", "content", "text", "formatted", "unformatted", "recipient", "user-content", "keyed",
		"code", "review", "output", "confirmation", "confirmation-id", "active-line", "image", "path", "audio",
		"chunk", "console-flag", "block", "execution", "stored", "stored-text", "stored-console", "stored-code", "tool-call",
		"user-flag", "user-part", "frame-id", "compared", "streamed-code", "streamed-image",
	}
}

// coveredKinds are the events that are counted.
const coveredKinds = lmc.Opened | lmc.Confirmation | lmc.Execution

// event counts an event of the tracker.
func (c *coverage) event(e *lmc.Event) {
	switch e.Kind {
	case lmc.Opened:
		c.facts |= factBlock
		c.found.Events["blocks"]++
	case lmc.Confirmation:
		c.found.Events["confirmations"]++
	case lmc.Execution:
		c.facts |= factExecution
		switch {
		case e.Run != nil && e.Run.Refused:
			c.found.Events["executions refused"]++
		case e.Code != nil && e.Code.Confirmed != nil && e.Asked == nil:
			c.found.Events["executions confirmed"]++
		default:
			c.found.Events["executions not confirmed"]++
		}
	case lmc.Interrupted:
		c.found.Facts["interruption"] = true
	}
}

// repeat counts records of a template.
func (c *coverage) repeat(template, records int) {
	if template >= len(c.templates) {
		c.templates = append(c.templates, make([]int, template+1-len(c.templates))...)
	}
	c.templates[template] += records
}

// addTemplates counts the records of templates by their kind. Templates are forgotten
// after it.
func (c *coverage) addTemplates(views []*lmc.Record, s *State) {
	for id, n := range c.templates {
		if n > 0 {
			c.record(views[id], s, n)
		}
	}
	c.templates = c.templates[:0]
}

// record counts records like r.
func (c *coverage) record(r *lmc.Record, s *State, n int) {
	k := plugin.RecordKind{Role: r.Role, Type: r.Type, Format: r.Format}
	if _, known := c.found.Records[k]; !known {
		k = plugin.RecordKind{Role: named(r.Role), Type: named(r.Type), Format: named(r.Format)}
	}
	c.found.Count(k, n)
	if event := servedEvent(r); event != "" {
		c.found.Events[event] += n
		c.found.Facts[event] = true
	}
	c.facts |= factsOf(r, s)
}

// servedEvent returns what a record of a server's stream or session does, "" for any other.
func servedEvent(r *lmc.Record) string {
	switch {
	case r.Source.Root != nil && r.IsAuth():
		return "authentications"
	case r.Content == nil, r.Flag():
		return ""
	case r.Type == "command":
		return "commands"
	case r.Type == "error":
		return "errors"
	case r.Type == "status" && r.Text() == "complete":
		return "completes"
	}
	return ""
}

// maxName is the length of a role, type or format that is shown.
const maxName = 40

func named(word string) string {
	if len(word) > maxName {
		return strings.ToValidUTF8(word[:maxName], "") + "…"
	}
	return strings.Clone(word)
}

// factsOf returns what a record shows alone.
func factsOf(r *lmc.Record, s *State) fact {
	t, _ := s.Dialect.Type(r.Type)
	content, streamed := r.Content != nil && !r.Flag(), !s.Transcript
	has := factRecord
	for _, each := range []struct {
		fact  fact
		holds bool
	}{
		{factFlag, r.Flag()},
		{factEnd, streamed && r.End},
		{factContent, content},
		{factText, content && r.Content.Kind == source.String},
		{factFormatted, t != nil && t.Options != schema.FormatNone},
		{factUnformatted, t != nil && t.Options == schema.FormatNone},
		{factKeyed, t != nil && len(t.Keys)+len(t.RoleKeys) > 0},
		{factUserContent, content && r.Role == "user"},
		{factCode, r.Type == "code"},
		{factReview, r.Type == "review" && content},
		{factOutput, r.Type == "console" && r.Format == "output" && content},
		{factConfirmation, streamed && r.Type == "confirmation" && content},
		{factActiveLine, streamed && r.Format == "active_line" && content},
		{factImage, HoldsImage(r) && content},
		{factPath, HoldsPath(r) && content},
		{factAudio, r.Type == "audio"},
		{factRecipient, r.Source.Root != nil && r.Key("recipient") != nil},
		{factConfirmationID, r.Source.Root != nil && r.Key("confirmation_id") != nil},
		{factChunk, streamed && content && r.Type != "confirmation"},
		{factConsoleFlag, streamed && r.Type == "console" && r.Flag()},
		{factStreamedCode, streamed && r.Type == "code"},
		{factStreamedImage, streamed && HoldsImage(r) && content},
		{factStored, s.Transcript},
		{factStoredText, s.Transcript && (r.Type == "message" || r.Type == "code")},
		{factStoredConsole, s.Transcript && r.Type == "console"},
		{factStoredCode, s.Transcript && r.Type == "code"},
		{factToolCall, r.Role == "tool" || r.Type == "tool_call"},
		{factUserFlag, s.session && r.Role == "user" && r.Flag()},
		{factUserPart, s.session && r.Role == "user" && content && slices.Contains([]string{"image", "audio", "file"}, r.Type)},
		{factFrameID, s.session && (r.IsAck() || r.Source.Root != nil && r.Key("id") != nil)},
	} {
		if each.holds {
			has |= each.fact
		}
	}
	return has
}

// Coverage implements [plugin.Session].
func (s *lmcSession) Coverage() *plugin.Coverage {
	c := s.coverage
	if c == nil {
		return nil
	}
	c.addTemplates(s.fast.records, s.state)
	if s.agreement != nil {
		c.facts |= factCompared
	}
	for i, name := range factNames() {
		if c.facts&(1<<i) != 0 {
			c.found.Facts[name] = true
		}
	}
	if c.facts != 0 {
		c.found.Dialects[cmp.Or(s.state.Dialect.Base, s.state.Dialect.Name)] = true
		switch s.kind {
		case KindTranscript:
			c.found.Inputs = plugin.Transcripts
		case KindSession:
			c.found.Inputs = plugin.Sessions
		default:
			c.found.Inputs = plugin.Streams
		}
	}
	return c.found
}
