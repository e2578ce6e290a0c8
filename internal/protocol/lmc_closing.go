package protocol

import (
	"encoding/json"
	"strings"

	"github.com/lmclint/lmclint/internal/fix"
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/schema"
)

// openBlock is what a consumer waits for the end of.
type openBlock struct {
	isOpen            bool
	role, typ, format string
}

// noteOpenBlock notes the block that is open before a record, of the server in a
// session, for Closing.
func (s *lmcSession) noteOpenBlock() {
	var b *lmc.Block
	if s.connection != nil {
		b = s.connection.Open(false)
	} else {
		b = s.single.Started()
	}
	s.before = openBlock{}
	if b != nil && !b.Stray && EndOf(s.state.Dialect, b) != nil {
		s.before = openBlock{true, b.Role, b.Type, b.Format}
	}
}

// Closing implements [plugin.Session]: inside a block it is the end flag, and in a
// stream of the server an error and complete, for which its clients wait.
func (s *lmcSession) Closing(rule string) []string {
	b, d := s.before, s.state.Dialect
	if !b.isOpen {
		return nil
	}
	closing := []string{objectOf(FlagOf(d, b.role, b.typ, b.format, d.EndKey))}
	if d.Completes && (s.state.session || d.Confirmation == schema.ConfirmNever) { // from a server
		server := func(typ, content string) string {
			return objectOf([]fix.Member{{Name: "role", Value: "server"}, {Name: "type", Value: typ}, {Name: "content", Value: content}})
		}
		closing = append(closing, server("error", "stopped by lmclint: "+rule), server("status", "complete"))
	}
	return closing
}

// objectOf returns an object with members whose values are strings and booleans.
func objectOf(members []fix.Member) string {
	var texts []string
	for _, m := range members {
		name, _ := json.Marshal(m.Name)   // a string
		value, _ := json.Marshal(m.Value) // or a boolean
		texts = append(texts, string(name)+": "+string(value))
	}
	return "{" + strings.Join(texts, ", ") + "}"
}
