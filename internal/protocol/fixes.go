package protocol

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/spelling"
	"github.com/lmclint/lmclint/lint"
)

// RenameKey returns the safe fix that renames a member of an object. It returns
// nil if the object has a member of that name.
func RenameKey(r *source.Record, object, n *source.Node, key string) *lint.Fix {
	if n == nil || object.Member(key) != nil {
		return nil
	}
	return lint.SafeFix("rename "+Quoted(n.Name)+" to "+Quoted(key), r.RenameMember(n, key))
}

// RemoveKey returns the safe fix that removes a member of a record.
func RemoveKey(r *source.Record, n *source.Node) *lint.Fix {
	if n == nil {
		return nil
	}
	return lint.SafeFix("remove "+Quoted(n.Name), r.RemoveMember(r.Root, n))
}

// ReplaceWord returns the safe fix that replaces a value with a word.
func ReplaceWord(r *source.Record, n *source.Node, word string) *lint.Fix {
	return lint.SafeFix(fmt.Sprintf("replace %s with %s", ValueText(n), Quoted(word)), r.ReplaceValue(n, word))
}

// CorrectWord returns the safe fix that corrects a misspelled word, or nil if
// not exactly one known word is near it.
func CorrectWord(r *source.Record, n *source.Node, known []string) *lint.Fix {
	if n == nil || n.Kind != source.String {
		return nil
	}
	word, ok := spelling.Only(n.Text(), known)
	if !ok || word == n.Text() {
		return nil
	}
	return ReplaceWord(r, n, word)
}

// BlockFix changes all records of a block, and the confirmation of its code. A
// rule reports the fix at the first of them; later ones add their edits if the
// fix is wanted whole.
type BlockFix struct {
	fix    *lint.Fix
	block  int // its number
	first  int // the record that began the fix
	closed bool
	each   func(*lmc.Record) []lint.Edit
}

// Begin returns the fix that changes each record of the block that e is about,
// from its record on. Each returns the edits of a record.
func (f *BlockFix) Begin(fix *lint.Fix, e *lmc.Event, each func(*lmc.Record) []lint.Edit) *lint.Fix {
	*f = BlockFix{}
	if fix == nil || e.Block == nil {
		return fix
	}
	fix.Partial = true
	*f = BlockFix{fix: fix, block: e.Block.Number, first: e.Record.Source.Index, each: each}
	return fix
}

// Follow returns the hook that adds the edits of later records. It comes after
// the hook that calls Begin.
func (f *BlockFix) Follow() lint.Hook {
	return On(lmc.Content|lmc.ActiveLine|lmc.PlainText|lmc.Closed|lmc.Confirmation, func(e *lmc.Event) {
		switch {
		case f.fix == nil || e.Record != nil && (e.Record.Binary || e.Record.Source.Index == f.first):
		case e.Kind == lmc.Confirmation:
			if e.Code != nil && e.Code.Number == f.block {
				f.fix.Edits = append(f.fix.Edits, f.each(e.Record)...)
			}
		case f.closed || e.Block == nil || e.Block.Number != f.block:
		case e.Kind != lmc.Closed:
			f.fix.Edits = append(f.fix.Edits, f.each(e.Record)...)
		default:
			f.close(e)
		}
	})
}

// close adds the edits of the end of the block.
func (f *BlockFix) close(e *lmc.Event) {
	f.closed = true
	switch {
	case e.Block.Contents == 0:
		f.fix.Edits = nil // the event comes after the end, which is not known any more
	case e.Record != nil && !e.Block.Cut:
		f.fix.Edits = append(f.fix.Edits, f.each(e.Record)...)
	}
}
