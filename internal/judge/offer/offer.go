// Package offer makes the fixes that several rules offer.
package offer

import (
	"fmt"
	"slices"

	"github.com/lmclint/lmclint/internal/base/spelling"
	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/judge/validate"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

// RenameKey returns the safe fix that renames a member of an object. It returns
// nil if the object has a member of that name.
func RenameKey(r *source.Record, object, n *source.Node, key string) *fix.Fix {
	if n == nil || object.Member(key) != nil {
		return nil
	}
	return fix.Safe("rename "+protocol.Quoted(n.Name)+" to "+protocol.Quoted(key), fix.RenameMember(r, n, key))
}

// RemoveKey returns the safe fix that removes a member of a record.
func RemoveKey(r *source.Record, n *source.Node) *fix.Fix {
	if n == nil {
		return nil
	}
	return fix.Safe("remove "+protocol.Quoted(n.Name), fix.RemoveMember(r, r.Root, n))
}

// ReplaceWord returns the safe fix that replaces a value with a word.
func ReplaceWord(r *source.Record, n *source.Node, word string) *fix.Fix {
	return fix.Safe(fmt.Sprintf("replace %s with %s", protocol.ValueText(n), protocol.Quoted(word)), fix.ReplaceValue(r, n, word))
}

// Guess returns the unsafe fix that replaces a value with the word that was probably
// meant.
func Guess(r *source.Record, n *source.Node, word string) *fix.Fix {
	return fix.Unsafe("replace "+protocol.ValueText(n)+" with "+protocol.Quoted(word), fix.ReplaceValue(r, n, word))
}

// Set returns the edits that give a member of a record a value, whether the record has
// the member or not.
func Set(r *lmc.Record, key string, v any) []fix.Edit {
	if n := r.Source.Root.Member(key); n != nil {
		return fix.ReplaceValue(r.Source, n, v)
	}
	return fix.AppendMember(r.Source, r.Source.Root, key, v)
}

// CorrectWord returns the safe fix that corrects a misspelled word, or nil if
// not exactly one known word is near it.
func CorrectWord(r *source.Record, n *source.Node, known []string) *fix.Fix {
	if n == nil || n.Kind != source.String {
		return nil
	}
	word, ok := spelling.Only(n.Text(), known)
	if !ok || word == n.Text() {
		return nil
	}
	return ReplaceWord(r, n, word)
}

// CorrectIn is [CorrectWord] for a role, type or format (the key) of a record. The
// open block must not contradict the correction, nor what the dialect expects.
func CorrectIn(key string, d *schema.Dialect, v *protocol.Violation) *fix.Fix {
	word := v.Suggest().Meant
	if word == "" || word == v.Node.Text() {
		return nil
	}
	if b := v.Open; b != nil && b.Invalid()&invalidParts[key] == 0 && *partOf(key, &b.Role, &b.Type, &b.Format) != word {
		if key != "format" || b.Type != "console" {
			return nil
		}
	}
	if !isUsual(key, d, v.Record, word) {
		return nil
	}
	return ReplaceWord(v.Record.Source, v.Node, word)
}

// isUsual reports whether the corrected record is as the dialect expects it: the
// role sends the type in that format, and the content is of its kind.
func isUsual(key string, d *schema.Dialect, r *lmc.Record, word string) bool {
	role, typ, format := r.Role, r.Type, r.Format
	*partOf(key, &role, &typ, &format) = word
	t, ok := d.Type(typ)
	if !ok || d.HasRole(role) && len(d.RolesFor(t, format)) > 0 && !slices.Contains(d.RolesFor(t, format), role) {
		return false
	}
	return Takes(t, r, format) && TakesFormat(t, r.Key("format") != nil, format, r.Flag())
}

// Takes reports whether content, or that it lacks it, is no mistake in a record of a type and
// format.
func Takes(t *schema.Type, r *lmc.Record, format string) bool {
	if r.Content == nil {
		return r.Flag()
	}
	return validate.MayBe(r.Content, t.ContentFor(schema.Chunk, format))
}

// TakesFormat reports whether a record of a type may have a format, or none.
func TakesFormat(t *schema.Type, has bool, format string, isFlag bool) bool {
	_, known := t.Format(format)
	switch t.Options {
	case schema.FormatRequired:
		return has && (known || t.AnyCode)
	case schema.FormatOnContentOnly:
		return has != isFlag && (isFlag || known)
	case schema.FormatOptional:
		return true
	}
	return !has
}

// invalidParts are the parts of a record by their keys.
var invalidParts = map[string]lmc.InvalidParts{"role": lmc.InvalidRole, "type": lmc.InvalidType, "format": lmc.InvalidFormat}

// partOf returns the one of three words that a key has.
func partOf(key string, role, typ, format *string) *string {
	switch key {
	case "role":
		return role
	case "type":
		return typ
	}
	return format
}

// BlockFix changes all records of a block, and the confirmation of its code. A
// rule reports the fix at the first of them; later ones add their edits if the
// fix is wanted whole: its finding is emitted after them.
type BlockFix struct {
	fix    *fix.Fix
	block  int // its number
	first  int // the record that began the fix
	closed bool
	each   func(*lmc.Record) []fix.Edit
}

// Begin returns the fix that changes each record of a block, or of none if b is nil, from r
// on. Each returns the edits of a record.
func (f *BlockFix) Begin(fix *fix.Fix, r *lmc.Record, b *lmc.Block, each func(*lmc.Record) []fix.Edit) *fix.Fix {
	*f = BlockFix{}
	if fix == nil || b == nil {
		return fix
	}
	fix.Partial = true
	*f = BlockFix{fix: fix, block: b.Number, first: r.Source.Index, each: each}
	return fix
}

// Follow returns the hooks that add the edits of later records. They come after
// the hook that calls Begin.
func (f *BlockFix) Follow() []lint.Hook {
	return []lint.Hook{
		protocol.On(lmc.Content|lmc.ActiveLine|lmc.PlainText, func(e *lmc.ContentEvent) {
			if !f.closed {
				f.add(e.Record, e.Block.Number)
			}
		}),
		protocol.On(lmc.Closed, func(e *lmc.ClosedEvent) {
			if !f.closed {
				f.closed = f.add(e.Record, e.Block.Number)
			}
		}),
		protocol.On(lmc.Confirmation, func(e *lmc.ConfirmationEvent) {
			if e.Code != nil {
				f.add(e.Record, e.Code.Number)
			}
		}),
	}
}

// add adds the edits of a record, which may be nil, and reports whether it is a later one
// of the block with a number.
func (f *BlockFix) add(r *lmc.Record, number int) bool {
	if f.fix == nil || number != f.block || r != nil && (r.Binary || r.Source.Index == f.first) {
		return false
	}
	if r != nil {
		f.fix.Edits = append(f.fix.Edits, f.each(r)...)
	}
	return true
}
