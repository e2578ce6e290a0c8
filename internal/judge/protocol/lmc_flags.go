package protocol

import (
	"encoding/json"
	"strings"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/schema"
)

// flagOf returns the members of a flag of a block: name is start, end or the
// dialect's key for it.
func flagOf(d *schema.Dialect, role, typ, format, name string) []fix.Member {
	members := []fix.Member{{Name: "role", Value: role}}
	if typ != "" {
		members = append(members, fix.Member{Name: "type", Value: typ})
	}
	t, ok := d.Type(typ)
	isContentOnly := ok && t.Options == schema.FormatOnContentOnly
	if format != "" && !isContentOnly {
		members = append(members, fix.Member{Name: "format", Value: format})
	}
	return append(members, fix.Member{Name: name, Value: true})
}

// EndOf returns the members of the end flag of a block, or nil if its role or
// type is unknown.
func EndOf(d *schema.Dialect, b *lmc.Block) []fix.Member {
	if b.Role == "" || b.Invalid()&(lmc.InvalidRole|lmc.InvalidType|lmc.InvalidFormat) != 0 {
		return nil
	}
	return flagOf(d, b.Role, b.Type, b.Format, d.EndKey)
}

// StartOf returns the members of the start flag that a chunk lacks, or nil if
// its role or type is unknown.
func StartOf(d *schema.Dialect, r *lmc.Record) []fix.Member { return FlagOf(d, r, "start") }

// FlagOf returns the members of a flag that a chunk lacks, as [StartOf] does: name is
// start, or the dialect's key for the end.
func FlagOf(d *schema.Dialect, r *lmc.Record, name string) []fix.Member {
	if r.Binary || r.Role == "" || r.Type == "" || r.HasInvalid(lmc.InvalidRole|lmc.InvalidType|lmc.InvalidFormat) {
		return nil
	}
	return flagOf(d, r.Role, r.Type, r.Format, name)
}

// noteOpenBlock notes the block that is open before a record, of the server in a
// session, for Closing.
func (s *lmcSession) noteOpenBlock() {
	s.before = nil
	if b := s.tracker.Started(); b != nil {
		s.before = EndOf(s.state.Dialect, b)
	}
}

// closing returns what [plugin.Outcome] has as Closing: inside a block it is the end flag, and in a
// stream of the server an error and complete, for which its clients wait.
func (s *lmcSession) closing(rule string) []string {
	if s.before == nil {
		return nil
	}
	closing := []string{objectOf(s.before)}
	if d := s.state.Dialect; d.Completes && (s.state.Kind == KindSession || d.Confirmation == schema.ConfirmNever) { // from a server
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
