package protocol

import (
	"cmp"
	"strings"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

// newCoverage returns the coverage of a conversation, with all that may happen in its kind.
func newCoverage(kind string) *plugin.Coverage {
	c := plugin.NewCoverage()
	events := []string{"blocks", "confirmations", "executions confirmed", "executions refused", "executions not confirmed", "commands", "completes", "errors"}
	switch kind {
	case KindTranscript:
		events = nil
	case KindStream:
		events = events[:5]
	}
	for _, event := range events {
		c.Events[event] = 0
	}
	return c
}

// coverEvent counts an event of the tracker.
func (s *lmcSession) coverEvent(e *lmc.Event) {
	var happened string
	switch {
	case e.Kind == lmc.Opened:
		happened = "blocks"
	case e.Kind == lmc.Confirmation:
		happened = "confirmations"
	case e.Kind == lmc.Interrupted:
		happened = "interruptions"
	case e.Kind != lmc.Execution:
		return
	case e.Run != nil && e.Run.Refused:
		happened = "executions refused"
	case e.Code != nil && e.Code.Confirmed != nil && e.Asked == nil:
		happened = "executions confirmed"
	default:
		happened = "executions not confirmed"
	}
	s.coverage.Events[happened]++
}

// coverRecord counts a record, and those like it that were skipped before it.
func (s *lmcSession) coverRecord(r *lmc.Record) {
	n := 1
	s.coverage.Count(plugin.RecordKind{Role: clip(r.Role), Type: clip(r.Type), Format: clip(r.Format), Words: s.wordsOf(r)}, n)
	event := map[string]string{"command": "commands", "status": "completes", "error": "errors"}[r.Type]
	if s.state.Kind == KindSession && event != "" && r.Content != nil {
		s.coverage.Events[event] += n
	}
}

// wordsOf returns what a record is besides its role, type and format.
func (s *lmcSession) wordsOf(r *lmc.Record) string {
	words := []string{s.state.Kind}
	if !s.state.Transcript {
		words = append(words, "streamed")
	}
	if HoldsPath(r) {
		words = append(words, "path")
	}
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
	if t, ok := s.state.Dialect.Type(r.Type); ok {
		if t.Options == schema.FormatNone {
			words = append(words, "unformatted")
		} else {
			words = append(words, "formatted")
		}
		if len(t.Keys)+len(t.RoleKeys) > 0 {
			words = append(words, "keyed")
		}
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

// covered returns what occurred, nil unless it was wanted. It is called once, at the end.
func (s *lmcSession) covered() *plugin.Coverage {
	if s.coverage == nil {
		return nil
	}
	if s.agreement != nil {
		s.coverage.Events["comparisons"]++
	}
	if len(s.coverage.Records) > 0 {
		s.coverage.Dialects[cmp.Or(s.state.Dialect.Base, s.state.Dialect.Name)] = true
	}
	return s.coverage
}
