package content

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
)

// fragment is a part of a text that a rule reports, once per block or message.
type fragment struct {
	mayHave func(*lmc.Record) bool // a quick test, before the text is decoded
	find    func(text string) (from, to int, ok bool)
	message string // with %s for the quoted fragment
	help    string
	removal string // what the fix does that removes all fragments, or "" for no fix
}

// hooks reports the first fragment of each block or message.
func (f fragment) hooks(p *lint.Pass) []lint.Hook {
	reported := 0 // number of the last block reported
	var rest protocol.BlockFix
	hooks := []lint.Hook{protocol.On(lmc.Content|lmc.Message, func(e *lmc.Event) {
		r, b := e.Record, e.Block
		if r == nil || !protocol.HasText(e) || b != nil && b.Number == reported || !f.mayHave(r) {
			return
		}
		text := r.Text()
		from, to, ok := f.find(text)
		if !ok {
			return
		}
		if b != nil {
			reported = b.Number
		}
		p.Report(lint.Finding{
			Place:   r.Source.PlaceIn(r.Content, from, to),
			Message: fmt.Sprintf(f.message, protocol.Quoted(text[from:to])),
			Help:    f.help,
			Fix:     rest.Begin(f.fix(r), e, f.removals),
		})
	})}
	if p.Fixing {
		hooks = append(hooks, rest.Follow())
	}
	return hooks
}

// fix returns the fix that removes the fragments of a record, or nil.
func (f fragment) fix(r *lmc.Record) *lint.Fix {
	if f.removal == "" {
		return nil
	}
	return lint.UnsafeFix(f.removal, f.removals(r))
}

// removals returns the edits that remove the fragments of a record.
func (f fragment) removals(r *lmc.Record) (edits []lint.Edit) {
	if r.Content == nil || !f.mayHave(r) {
		return nil
	}
	text := r.Text()
	for at := 0; ; {
		from, to, ok := f.find(text[at:])
		if !ok {
			return edits
		}
		edits = append(edits, r.Source.RemoveText(r.Content, at+from, at+to)...)
		at += to
	}
}
