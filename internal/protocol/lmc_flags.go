package protocol

import (
	"github.com/lmclint/lmclint/internal/fix"
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/schema"
)

// FlagOf returns the members of a flag of a block: name is start, end or the
// dialect's key for it.
func FlagOf(d *schema.Dialect, role, typ, format, name string) []fix.Member {
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
	return FlagOf(d, b.Role, b.Type, b.Format, d.EndKey)
}

// StartOf returns the members of the start flag that a chunk lacks, or nil if
// its role or type is unknown.
func StartOf(d *schema.Dialect, r *lmc.Record) []fix.Member {
	if r.Binary || r.Role == "" || r.Type == "" || r.HasInvalid(lmc.InvalidRole|lmc.InvalidType|lmc.InvalidFormat) {
		return nil
	}
	return FlagOf(d, r.Role, r.Type, r.Format, "start")
}
