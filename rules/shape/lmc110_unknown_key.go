package shape

import (
	"fmt"
	"slices"

	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

var unknownKey = &lint.Rule{
	ID: "LMC110", Name: "unknown-key", Since: "0.1",
	Summary: "A record has a key that the dialect does not define",
	Rationale: "Consumers ignore the key; if it is misspelled, the intended key is missing, and output with a misspelled " +
		"recipient goes to the model. The documentation allows no further keys. Reported once per record.",
	Evidence: []string{
		"documentation, lmc-messages: the parameters of a message",
		"recordings: the key sets of 30,707 chunks and 3,536 messages; extra_keys for id and created_at",
		"wild: backends that add request_id, source, is_end and the like",
	},
	Severity: lint.SeverityWarning, Severities: map[string]lint.Severity{"docs": lint.SeverityError},
	Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "a misspelled key",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
 {"role": "assistant", "type": "message", "content": "Hello!", "recipent": "user"}]
`,
		Want: []string{"LMC110 2:64"},
	}, {
		Name: "a custom key",
		Input: `[{"role": "user", "type": "message", "content": "Hi", "session": 7},
 {"role": "assistant", "type": "message", "content": "Hello!"}]
`,
		Want: []string{"LMC110 1:55"},
	}},
	Good: []lint.Example{{
		Name: "id and created_at are defined",
		Input: `[{"role": "user", "type": "message", "content": "Hi", "id": "m1", "created_at": "2024-10-24T12:00:00Z"},
 {"role": "assistant", "type": "message", "content": "Hello!", "recipient": "user"}]
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		var missing missingKeys
		report := protocol.OnViolation(p, func(v *protocol.Violation) {
			if missing.explained(v.Key) || isKeyOfOtherDialect(protocol.StateOf(p), v) {
				return
			}
			p.Report(lint.Finding{
				Place:   v.Place(),
				Message: unknownKeys(protocol.StateOf(p), v, &missing),
				Help:    keyHelp(protocol.StateOf(p), v),
			})
		})
		return []lint.Hook{{On: protocol.ViolationEvent, Do: func(event any) { missing.note(event.(*protocol.Violation)) }}, report}
	},
}

// unknownKeys names the first three unknown keys of a record and counts the rest.
func unknownKeys(s *protocol.State, v *protocol.Violation, missing *missingKeys) string {
	const named = 3
	keys := []string{protocol.Quoted(v.Key)}
	for i := range v.Record.Source.Root.Children {
		name := v.Record.Source.Root.Children[i].Name
		if name != v.Key && !knowsKey(s, name) && !isFrameKey(name) && !missing.explained(name) {
			keys = append(keys, protocol.Quoted(name))
		}
	}
	if len(keys) == 1 {
		return "unknown key " + keys[0]
	}
	if more := len(keys) - named; more > 0 {
		keys = append(keys[:named], fmt.Sprintf("%d more", more))
	}
	return "unknown keys " + protocol.AllOf(keys)
}

// isFrameKey reports whether other rules report the key where it is unknown.
func isFrameKey(name string) bool {
	return slices.Contains([]string{"end", "stop", "auth", "ack"}, name)
}

func keyHelp(s *protocol.State, v *protocol.Violation) string {
	if v.Nearest != "" && v.Record.Key(v.Nearest) == nil {
		return protocol.DidYouMean(v.Nearest)
	}
	known := protocol.OtherDialectHelp(func(d *schema.Dialect) bool {
		return d.HasKey(s.Part(), v.Key)
	})
	if known != "" {
		return known
	}
	return "remove the key; consumers ignore it"
}

// isKeyOfOtherDialect reports whether the key belongs to a record whose role or
// type is unknown here: the dialect that defines them defines the key, too.
func isKeyOfOtherDialect(s *protocol.State, v *protocol.Violation) bool {
	r := v.Record
	if _, known := s.Dialect.Type(r.Type); known && s.Dialect.HasRole(r.Role) {
		return false
	}
	return protocol.OtherDialectHelp(func(d *schema.Dialect) bool {
		_, ok := d.Type(r.Type)
		return ok && d.HasRole(r.Role) && d.HasKey(s.Part(), v.Key)
	}) != ""
}
