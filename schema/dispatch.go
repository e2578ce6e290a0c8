package schema

import "github.com/lmclint/lmclint/source"

// definitionOf names the definition that judges a record, and the record's
// type where it has a known one. It decides as the published schema's root
// does.
func (d *Dialect) definitionOf(root *source.Node, part Part) (*Type, string) {
	typ := root.Member("type")
	if typ == nil && part == Chunk && d.ServerFrames {
		return nil, d.frameOf(root)
	}
	if typ != nil && typ.Kind == source.String {
		if t, ok := d.Type(typ.Text()); ok && t.in(part) {
			return t, t.Name
		}
	}
	return nil, defOther
}

// frameOf names the definition of a record without a type.
func (d *Dialect) frameOf(root *source.Node) string {
	role, auth, ack := root.Member("role"), root.Member("auth"), root.Member("ack")
	switch {
	case role == nil && auth != nil:
		return defAuth
	case role == nil && ack != nil:
		return defAck
	case auth != nil || ack != nil || root.Member("content") != nil:
		return defOther
	case role != nil && role.Kind == source.String && role.Text() != "user" && d.HasRole(role.Text()):
		return defOther
	}
	for _, key := range append(d.otherEnds(), "start", d.EndKey) {
		if root.Member(key) != nil {
			return defTypeless
		}
	}
	return defOther
}
