package protocol

import (
	"cmp"
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
	templates []int // records by the ID of their template
}

// newCoverage returns the coverage of a conversation, with all that may happen in its kind.
func newCoverage(kind string) *coverage {
	c := &coverage{found: plugin.NewCoverage()}
	events := []string{"blocks", "confirmations", "executions confirmed", "executions refused", "executions not confirmed", "commands", "completes", "errors"}
	switch kind {
	case KindTranscript:
		events = nil
	case KindStream:
		events = events[:5]
	}
	for _, event := range events {
		c.found.Events[event] = 0
	}
	return c
}

// coveredKinds are the events that are counted.
const coveredKinds = lmc.Opened | lmc.Confirmation | lmc.Execution

// event counts an event of the tracker.
func (c *coverage) event(e *lmc.Event) {
	switch e.Kind {
	case lmc.Opened:
		c.found.Events["blocks"]++
	case lmc.Confirmation:
		c.found.Events["confirmations"]++
	case lmc.Interrupted:
		c.found.Events["interruptions"]++
	case lmc.Execution:
		switch {
		case e.Run != nil && e.Run.Refused:
			c.found.Events["executions refused"]++
		case e.Code != nil && e.Code.Confirmed != nil && e.Asked == nil:
			c.found.Events["executions confirmed"]++
		default:
			c.found.Events["executions not confirmed"]++
		}
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
func (c *coverage) addTemplates(s *lmcSession) {
	for id, n := range c.templates {
		if n > 0 {
			c.record(s.fast.records[id], s, n)
		}
	}
	c.templates = c.templates[:0]
}

// record counts records like r.
func (c *coverage) record(r *lmc.Record, s *lmcSession, n int) {
	k := plugin.RecordKind{Role: r.Role, Type: r.Type, Format: r.Format, Input: s.kind, Marks: marks(r, s.state.Dialect)}
	if _, known := c.found.Records[k]; !known {
		k.Role, k.Type, k.Format = clip(r.Role), clip(r.Type), clip(r.Format)
	}
	c.found.Count(k, n)
	event := map[string]string{"command": "commands", "status": "completes", "error": "errors"}[r.Type]
	if s.state.session && event != "" && r.Content != nil {
		c.found.Events[event] += n
	}
}

// marks returns what a record is besides its role, type and format.
func marks(r *lmc.Record, d *schema.Dialect) string {
	var words []string
	t, _ := d.Type(r.Type)
	switch {
	case r.Start:
		words = append(words, "start", "flag")
	case r.End:
		words = append(words, "end", "flag")
	case r.Content != nil:
		words = append(words, "content")
		if r.Content.Kind == source.String {
			words = append(words, "text")
		}
	}
	switch {
	case t == nil:
	case t.Options == schema.FormatNone:
		words = append(words, "unformatted")
	default:
		words = append(words, "formatted")
	}
	if t != nil && len(t.Keys)+len(t.RoleKeys) > 0 {
		words = append(words, "keyed")
	}
	for _, key := range []string{"recipient", "confirmation_id", "id", "ack", "auth"} {
		if r.Source.Root != nil && r.Key(key) != nil {
			words = append(words, key)
		}
	}
	return strings.Join(words, " ")
}

// maxWord is the length of a role, type or format that is shown.
const maxWord = 40

func clip(word string) string {
	if len(word) > maxWord {
		return strings.ToValidUTF8(word[:maxWord], "") + "…"
	}
	return strings.Clone(word)
}

// Coverage implements [plugin.Session].
func (s *lmcSession) Coverage() *plugin.Coverage {
	if s.coverage == nil {
		return nil
	}
	s.coverage.addTemplates(s)
	found := s.coverage.found
	if s.agreement != nil {
		found.Events["comparisons"]++
	}
	if len(found.Records) > 0 {
		found.Dialects[cmp.Or(s.state.Dialect.Base, s.state.Dialect.Name)] = true
	}
	return found
}
