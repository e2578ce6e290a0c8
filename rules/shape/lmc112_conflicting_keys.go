package shape

import (
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

var conflictingKeys = &lint.Rule{
	ID: "LMC112", Name: "conflicting-keys",
	Summary: "A chunk has more than one of start, end and content",
	Rationale: "Consumers test the keys in different orders, act on the first one present, and miss the others. At the content and end " +
		"of a message, Open Interpreter's terminal sees only the end and raises an AttributeError, and web clients save an empty message. At " +
		"start with content, accumulate() sees only the content and appends it to the message before it, and web clients show the " +
		"content twice. In what a client sends, the server sees only the content: without the end it never answers, and without the " +
		"start it appends the content to the last message, even the assistant's, or answers with an error.",
	Evidence: []string{
		"recordings: each of 30,513 chunks has exactly one of the three",
		"async_core.py, accumulate(): tests content before start; terminal_interface.py, terminal_interface(): tests end before content",
		"wild: servers that send start, content and end in one chunk; a README names it as the cause of doubled images",
	},
	Requirements: []string{"LMC-REC-5"},
	Severity:     lint.SeverityError, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	Fixes: lint.SafeFixes | lint.UnsafeFixes,
	Bad: []lint.Example{{
		Name: "the last content and the end in one chunk",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hello!", "end": true}
`,
		Edits: []string{`!"`, `!"}
{"role": "assistant", "type": "message"`},
		Want: []string{"LMC112 2:63"},
	}, {
		Name: "all three in one chunk",
		Input: `{"role": "assistant", "type": "message", "start": true, "content": "Hello!", "end": true}
`,
		Edits: []string{`true, "content": "Hello!"`, `true}
{"role": "assistant", "type": "message", "content": "Hello!"}
{"role": "assistant", "type": "message"`},
		Want: []string{"LMC112 1:57"},
	}, {
		Name: "a start with content, beside an end that is false",
		Input: `{"role": "assistant", "type": "message", "start": true, "end": false, "content": "Hello!"}
{"role": "assistant", "type": "message", "end": true}
`,
		Edits: []string{`true, "end": false`, `true}
{"role": "assistant", "type": "message"`},
		Want: []string{"LMC111 1:64", "LMC112 1:71"},
	}},
	Good: []lint.Example{{
		Name:  "a chunk for each",
		Input: helloStream,
	}},
	New: newConflictingKeys,
}

func newConflictingKeys(p *lint.Pass) []lint.Hook {
	late := lateEnd{}
	hooks := []lint.Hook{protocol.OnViolation(p, func(v *protocol.Violation) lint.Finding {
		f := findConflictingKeys(p, v)
		if p.Fixing {
			late.begin(v, f.Fix)
		}
		return f
	})}
	if p.Fixing {
		hooks = append(hooks, protocol.On(lmc.Content|lmc.ActiveLine|lmc.PlainText, func(e *lmc.ContentEvent) {
			late.continues(e.Block)
		}), protocol.On(lmc.Closed, func(e *lmc.ClosedEvent) {
			if e.Record != nil && e.Record.End {
				late.continues(e.Block)
			}
		}))
	}
	return hooks
}

// lateEnd is the fix of a chunk with content and end. If its block goes on, the end is wrong.
// Only who applies fixes waits for what follows: others have the finding already.
type lateEnd struct {
	fix    *lint.Fix
	remove []lint.Edit
	block  int
}

func (l *lateEnd) begin(v *protocol.Violation, made *lint.Fix) {
	r := v.Record
	if v.Open == nil {
		return
	}
	l.continues(v.Open)
	if *l = (lateEnd{}); made != nil && r.End && !r.Empty() {
		*l = lateEnd{made, fix.RemoveMembers(r.Source, r.Root, func(n *source.Node) bool { return n == r.EndNode }), v.Open.Number}
	}
}

func (l *lateEnd) continues(b *lmc.Block) {
	if l.fix != nil && b.Number == l.block {
		l.fix.Message, l.fix.Edits = "remove the end flag: the block continues", l.remove
	}
}

func findConflictingKeys(p *lint.Pass, v *protocol.Violation) lint.Finding {
	s := protocol.StateOf(p)
	r, keys := v.Record, v.Expected
	f := lint.Finding{Place: v.Place(), Help: "send the content alone; " + protocol.WithArticle(v.Type) + " has no flags", Cause: "flags of a type without flags"}
	isFlag := func(n *source.Node) bool { return n == r.StartNode || n == r.EndNode }
	if r.Content != nil {
		f.Fix = fix.Safe("remove the flags", fix.RemoveMembers(r.Source, r.Root, isFlag))
	}
	if t, known := s.Dialect.Type(v.Type); !known || t.Flags {
		// LMC111 reports flags that are not set; a chunk without them may be right.
		keys = slices.DeleteFunc(slices.Clone(keys), func(key string) bool {
			n := r.Key(key)
			return n != nil && key != "content" && lmc.IsUnset(n)
		})
		if len(keys) < 2 {
			return lint.Finding{}
		}
		if f.Cause = strings.Join(keys, ", "); r.Empty() {
			f.Cause = "empty content"
		}
		if v.RepeatsWith(p, f.Cause) {
			return lint.Finding{}
		}
		f.Place, f.Help = r.Source.PlaceOfKey(r.Key(keys[1])), conflictHelp(s.Dialect, r, keys)
		f.Fix = splitChunk(s.Dialect, r, keys)
		if b := v.Open; b != nil && r.Start && !r.End && !r.Empty() && b.Role == r.Role && b.Type == r.Type && (b.Format == r.Format || b.Type == "console") {
			f.Fix = fix.Unsafe("remove the start flag: the block is open", fix.RemoveMember(r.Source, r.Root, r.StartNode))
		}
	}
	f.Message = protocol.Subject(r) + " has " + protocol.AllOf(keys) + " in one chunk"
	if first := r.Key(keys[0]); first != nil {
		f.Related = []lint.Related{{Message: "first of these keys", Place: r.Source.PlaceOfKey(first)}}
	}
	return f
}

// saysNothing reports whether the content of a flag is empty, or of a type that no content
// beside a flag has, so that it would be wrong in a chunk of its own.
func saysNothing(r *lmc.Record) bool {
	kind := r.Content.Kind
	return r.Empty() || kind != source.String && (kind != source.Number || r.Format != "active_line")
}

// splitChunk returns the fix that gives each of the keys of a chunk a chunk of its own. It
// is safe if the chunk is a whole block.
func splitChunk(d *schema.Dialect, r *lmc.Record, keys []string) *lint.Fix {
	start, end := slices.Contains(keys, "start"), slices.Contains(keys, d.EndKey)
	first, last := protocol.FlagOf(d, r, "start"), protocol.FlagOf(d, r, d.EndKey)
	if !slices.Contains(keys, "content") || first == nil {
		return nil
	}
	isEmpty := saysNothing(r)
	edits := fix.RemoveMembers(r.Source, r.Root, func(n *source.Node) bool {
		if isEmpty {
			return n == r.Content || start && n == r.EndNode
		}
		return n == r.StartNode || n == r.EndNode
	})
	add := func(more []lint.Edit) { // all, or none
		if edits != nil && more != nil {
			edits = append(edits, more...)
		} else {
			edits = nil
		}
	}
	if start && !isEmpty {
		add(fix.InsertBefore(r.Source, first...))
	}
	if end && (start || !isEmpty) {
		add(fix.InsertAfter(r.Source, last...))
	}
	switch {
	case isEmpty && !r.Empty():
		return fix.Unsafe("remove the content", edits)
	case isEmpty && start != end:
		return fix.Safe("remove the empty content", edits)
	case start && end:
		return fix.Safe("send each in a chunk of its own", edits)
	}
	return fix.Unsafe("send the flag in a chunk of its own", edits)
}

// conflictHelp returns how to split a chunk whose keys conflict, and what its
// consumer does with it.
func conflictHelp(d *schema.Dialect, r *lmc.Record, keys []string) string {
	if r.Empty() {
		return "send flags without content, and no empty content"
	}
	if r.Content != nil && saysNothing(r) {
		return "send flags without content; only a string is content"
	}
	isSent := r.Role == "user" || r.Source.Direction == source.Sent
	start, end := slices.Contains(keys, "start"), slices.Contains(keys, d.EndKey)
	switch {
	case start && end && !slices.Contains(keys, "content"):
		return "send start and end in separate chunks, with content between them"
	case start && end:
		return "send start, content and end in separate chunks"
	case start && isSent:
		return "send the start flag in a separate chunk, first; the server misses it here and appends the content to the last message"
	case start:
		return "send the start flag in a separate chunk, first; consumers that test the content first miss it here"
	case isSent:
		return "send the end flag in a separate chunk, last; the server misses it here and never answers"
	case r.Type == "message":
		return "send the end flag in a separate chunk, last; Open Interpreter's terminal fails at this chunk"
	}
	return "send the end flag in a separate chunk, last; consumers that test the end first lose the content"
}
