package shape

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/base/spelling"
	"github.com/lmclint/lmclint/internal/judge/offer"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

var unknownKey = &lint.Rule{
	ID: "LMC110", Name: "unknown-key",
	Summary: "A record has a key that the dialect does not define",
	Rationale: "Consumers ignore the key and keep it in the transcript. If it is misspelled, the intended key is missing: " +
		"output with a misspelled recipient goes to the model. The last server of OpenInterpreter/01 compares whole end flags, and with a further " +
		"key on the end of a message its device never gets the end of the audio. The documentation allows no further keys. Reported " +
		"once per record.",
	Evidence: []string{
		"documentation, lmc-messages: the parameters of a message",
		"recordings: the key sets of 30,707 chunks and 3,536 messages; extra_keys for id and created_at",
		"wild: backends that add request_id, source, is_end and the like",
	},
	Requirements: []string{"LMC-REC-9"},
	Severity:     lint.SeverityWarning, Severities: []lint.SeverityCase{{Severity: lint.SeverityError, Dialect: "docs"}},
	Fixes:  lint.SafeFixes,
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
		Edits: []string{`"Hi", "session": 7`, `"Hi"`},
		Want:  []string{"LMC110 1:55"},
	}},
	Good: []lint.Example{{
		Name: "id and created_at are defined",
		Input: `[{"role": "user", "type": "message", "content": "Hi", "id": "m1", "created_at": "2024-10-24T12:00:00Z"},
 {"role": "assistant", "type": "message", "content": "Hello!", "recipient": "user"}]
`,
	}},
	New: newUnknownKey,
}

func newUnknownKey(p *lint.Pass) []lint.Hook {
	s := protocol.StateOf(p)
	record, missing := -1, []string{} // the keys that were reported as missing in a record, by its index
	note := func(event any) {
		v := event.(*protocol.Violation)
		if v.Record.Source.Index != record {
			record, missing = v.Record.Source.Index, missing[:0]
		}
		if v.IsMissingKey() {
			missing = append(missing, v.Key)
		}
	}
	// isExplained reports whether a key is a synonym of a missing one, which is the only
	// mistake then.
	isExplained := func(key string) bool { return slices.Contains(missing, protocol.KeyFor(key)) }
	return []lint.Hook{{On: protocol.ViolationEvent, Do: note}, protocol.OnViolation(p, func(v *protocol.Violation) lint.Finding {
		r := v.Record
		if isExplained(v.Key) || isKeyOfOtherDialect(s, v) || protocol.IsWorkbenchMessage(r) {
			return lint.Finding{}
		}
		keys := []string{v.Key} // which no other finding is about, in source order
		for i := range r.Root.Children {
			switch name := r.Root.Children[i].Name; name {
			case v.Key, "end", "stop", "auth", "ack": // other rules report these where they are unknown
			default:
				if !knowsKey(s, name) && !isExplained(name) {
					keys = append(keys, name)
				}
			}
		}
		cause := strings.Join(keys, ", ")
		if v.RepeatsWith(p, cause) {
			return lint.Finding{}
		}
		f := lint.Finding{Place: v.Place(), Message: "unknown key " + quotedKeys(keys), Help: keysHelp(s, r, keys), Cause: cause}
		if len(keys) > 1 {
			f.Message = "unknown keys " + quotedKeys(keys)
		}
		known := s.Dialect.KnownKeys(s.Part)
		for _, key := range keys { // the first that is misspelled
			meant, ok := spelling.Only(key, known)
			if ok && r.Key(meant) == nil && isValueFor(s.Dialect, r, meant, r.Key(key)) && dialectOfKey(s, key) == "" {
				f.Fix = offer.RenameKey(r.Source, r.Root, r.Key(key), meant)
				break
			}
		}
		return f
	})}
}

// maxNamed is how many unknown keys of a record a finding names.
const maxNamed = 3

// quotedKeys names the first keys and counts the rest.
func quotedKeys(keys []string) string {
	words := protocol.AllQuoted(keys)
	if more := len(words) - maxNamed; more > 0 {
		words = append(words[:maxNamed], fmt.Sprintf("%d more", more))
	}
	return protocol.AllOf(words)
}

// keysHelp returns what to do with the unknown keys of a record: rename the
// misspelled ones, choose the dialect that defines others, and remove the rest.
func keysHelp(s *protocol.State, r *lmc.Record, keys []string) string {
	var help, ignored []string
	for _, key := range keys {
		nearest, _ := spelling.Nearest(key, s.Dialect.KnownKeys(s.Part))
		isMisspelt := nearest != "" && r.Key(nearest) == nil
		switch dialect := dialectOfKey(s, key); {
		case isMisspelt && len(keys) == 1:
			return protocol.DidYouMean(nearest)
		case isMisspelt && len(help) < maxNamed:
			help = append(help, "rename "+protocol.Quoted(key)+" to "+protocol.Quoted(nearest))
		case dialect != "" && !slices.Contains(help, dialect):
			help = append(help, dialect)
		case dialect == "":
			ignored = append(ignored, key)
		}
	}
	switch isOnly := len(keys) == 1; {
	case len(ignored) == 0:
	case isOnly && isOpenAIKey(keys[0]):
		help = append(help, "remove this key of OpenAI's messages; consumers of LMC ignore it")
	case isOnly && protocol.IsWorkbenchKey(r.Key(keys[0])):
		help = append(help, "remove this key of Semantic Workbench's messages; LMC has role and type")
	case isOnly:
		help = append(help, "remove the key; consumers ignore it")
	case len(ignored) == len(keys):
		help = append(help, "remove these keys; consumers ignore them")
	default:
		help = append(help, "remove "+quotedKeys(ignored))
	}
	return strings.Join(help, "; ")
}

// isValueFor reports whether a value of another key may be meant for a key.
func isValueFor(d *schema.Dialect, r *lmc.Record, key string, n *source.Node) bool {
	switch key {
	case "recipient":
		return !r.Flag() && slices.Contains([]string{"user", "assistant"}, n.Text())
	case "format":
		t, ok := d.Type(r.Type)
		return ok && offer.TakesFormat(t, true, n.Text(), r.Flag())
	case "start", "end", "stop":
		return r.Content == nil && n.Kind == source.Bool
	}
	return true
}

// dialectOfKey returns the help that names the dialect that defines a key, or "".
func dialectOfKey(s *protocol.State, key string) string {
	if isOpenAIKey(key) {
		return ""
	}
	return s.OtherDialectHelp(func(d *schema.Dialect) bool { return d.HasKey(s.Part, key) })
}

// isOpenAIKey reports whether a key is one of OpenAI's messages. Some dialects
// define such keys for records of their own types.
func isOpenAIKey(key string) bool {
	return slices.Contains([]string{"name", "tool_call_id", "tool_calls", "function_call", "refusal", "annotations", "arguments"}, key)
}

// isKeyOfOtherDialect reports whether the key belongs to a record whose role or
// type is unknown here: the dialect that defines them defines the key, too.
func isKeyOfOtherDialect(s *protocol.State, v *protocol.Violation) bool {
	r := v.Record
	if _, known := s.Dialect.Type(r.Type); known && s.Dialect.HasRole(r.Role) {
		return false
	}
	return s.OtherDialect(func(d *schema.Dialect) bool {
		_, ok := d.Type(r.Type)
		return ok && d.HasRole(r.Role) && d.HasKey(s.Part, v.Key)
	}) != ""
}
