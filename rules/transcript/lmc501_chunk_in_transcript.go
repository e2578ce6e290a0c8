package transcript

import (
	"fmt"
	"slices"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var chunkInTranscript = &lint.Rule{
	ID: "LMC501", Name: "chunk-in-transcript",
	Summary: "A transcript contains a chunk: a flag, or a fragment of a message",
	Rationale: "A transcript is a list of complete messages. Open Interpreter raises KeyError 'content' at a flag when it restores " +
		"or continues the conversation; a flag with empty content becomes an empty message to the model. Programs that " +
		"append every chunk to their history store such lists. Fragments without flags are loaded as separate messages, " +
		"so that the model reads many short answers; that is a warning.",
	Evidence: []string{
		"documentation, streaming-response: start and end frame the chunks of a stream",
		"issues: KeyError after chunks were saved as messages",
		"recordings: none of 3,536 stored messages has a flag",
	},
	Requirements: []string{"LMC-TRN-1"},
	Severity:     lint.SeverityError, Severities: []lint.SeverityCase{inPieces},
	Inputs: lint.Transcripts, Protocol: protocol.LMC{},
	Fixes:    lint.SafeFixes | lint.UnsafeFixes,
	OneCause: true,
	Bad: []lint.Example{{
		Name: "flags that are false in a message",
		Input: `[{"role": "user", "type": "message", "content": "Hi", "start": false, "end": false}]
`,
		Want: []string{"LMC501 1:55"},
	}, {
		Name: "a message stored with its flags",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
{"role": "assistant", "type": "message", "start": true},
{"role": "assistant", "type": "message", "content": "Hello"},
{"role": "assistant", "type": "message", "end": true}]
`,
		Want: []string{"LMC501 2:42", "LMC501 4:42"},
	}, {
		Name: "a message stored in pieces, without flags",
		Input: `[{"role": "user", "type": "message", "content": "Is it noon?"},
{"role": "assistant", "type": "message", "content": "Let me"},
{"role": "assistant", "type": "message", "content": " look"},
{"role": "assistant", "type": "message", "content": " it"},
{"role": "assistant", "type": "message", "content": " up."}]
`,
		Want: []string{"LMC501 5:53"},
	}},
	Good: []lint.Example{{
		Name: "complete messages",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
{"role": "assistant", "type": "message", "content": "Hello"}]
`,
	}, {
		Name: "several messages in a row",
		Input: `[{"role": "user", "type": "message", "content": "Is it noon?"},
{"role": "assistant", "type": "message", "content": "Let me look it up."},
{"role": "assistant", "type": "message", "content": "One moment, please."},
{"role": "assistant", "type": "message", "content": "It is noon."}]
`,
	}},
	New: newChunkInTranscript,
}

func newChunkInTranscript(p *lint.Pass) []lint.Hook {
	var open storedBlock
	pieces := &storedPieces{pass: p}
	return []lint.Hook{protocol.On(lmc.Message, pieces.follow), protocol.On(lmc.Shape, func(r *lmc.Record) {
		if !r.Flag() {
			if p.Fixing && r != nil {
				open.content(r)
			}
			return
		}
		flag := r.StartNode
		if flag == nil {
			flag = r.EndNode
		}
		if p.RepeatsAt("", r.Source.PlaceOfKey(flag)) {
			return
		}
		if r.Content != nil && !r.IsSet() {
			isFlag := func(n *source.Node) bool { return n == r.StartNode || n == r.EndNode }
			p.Report(lint.Finding{
				Place:   r.Source.PlaceOfKey(flag),
				Message: fmt.Sprintf("%s is %s in a message", flag.Name, protocol.ValueText(flag)),
				Help:    "remove it: only chunks have flags",
				Fix:     fix.Safe("remove the flags that are not set", fix.RemoveMembers(r.Source, r.Root, isFlag)),
			})
			return
		}
		p.Report(lint.Finding{
			Place:   r.Source.PlaceOfKey(flag),
			Message: fmt.Sprintf("chunk with %s in a transcript", protocol.Quoted(flag.Name)),
			Help:    "remove the flag, and join the contents of its block into one message; if this is a stream, pass --kind stream",
			Fix:     open.flag(r, p.Fixing),
		})
	})}
}

// storedBlock is a block that was stored in chunks. The fix of its start flag
// makes one message of it.
type storedBlock struct {
	fix  *lint.Fix
	last *lmc.Record // its last chunk; a clone
}

// flag returns the fix of a chunk with a flag: it goes, or loses the flag if it
// has content, too.
func (b *storedBlock) flag(r *lmc.Record, whole bool) *lint.Fix {
	before := *b
	*b = storedBlock{}
	switch {
	case r.Content != nil && !r.Empty():
		isFlag := func(n *source.Node) bool { return n == r.StartNode || n == r.EndNode }
		return fix.Unsafe("remove the flags", fix.RemoveMembers(r.Source, r.Root, isFlag))
	case r.Start && !r.End:
		if b.fix = fix.Unsafe("make one message of the block", fix.Remove(r.Source)); b.fix != nil {
			b.fix.Partial = true
		}
		if whole {
			b.last = r.Clone()
		}
		return b.fix
	case before.fix != nil && before.last != nil && isAlike(before.last, r):
		before.fix.Edits = append(before.fix.Edits, fix.Remove(r.Source)...)
	}
	return fix.Unsafe("remove the flag", fix.Remove(r.Source))
}

// content joins the content of a chunk to that of the one before it.
func (b *storedBlock) content(r *lmc.Record) {
	before := *b
	*b = storedBlock{}
	if before.fix == nil || before.last == nil || !isAlike(before.last, r) || r.Content == nil {
		return
	}
	if before.last.Content != nil {
		joined := join(before.last, r)
		if joined == nil {
			return
		}
		before.fix.Edits = append(before.fix.Edits, joined...)
	}
	b.fix, b.last = before.fix, r.Clone()
}

// isAlike reports whether two chunks are of one block.
func isAlike(a, b *lmc.Record) bool {
	return a.Role == b.Role && a.Type == b.Type && (a.Format == b.Format || a.Type == "console")
}

// join returns the edits that join the content of a record to that of the one before
// it. They are nil if the records do not have the same keys in the same order, with the
// same values but for the content.
func join(before, r *lmc.Record) []lint.Edit {
	isSame := func(m, n source.Node) bool {
		return m.Name == n.Name && (m.Name == "content" || string(m.Raw()) == string(n.Raw()))
	}
	if !slices.EqualFunc(before.Root.Children, r.Root.Children, isSame) {
		return nil
	}
	return fix.Join(before.Source, before.Content, r.Source, r.Content)
}
