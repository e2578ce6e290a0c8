package schema

import (
	"sync"

	"github.com/lmclint/lmclint/internal/source"
)

// definition is one of the definitions that records are judged by.
type definition struct {
	name  string
	typ   *Type               // the record's type, nil where it is missing or unknown
	known func() *precompiled // what is known of it without a record
}

func (a *recordValidator) definition(name string, t *Type) *definition {
	by := &definition{name: name, typ: t}
	by.known = sync.OnceValue(func() *precompiled { return a.knowledgeOf(by) })
	return by
}

// definitionOf returns the definition that judges a record. It decides as the
// published schema's root does.
func (a *recordValidator) definitionOf(root *source.Node) *definition {
	typ := root.Member("type")
	if typ == nil && a.part == Chunk && a.dialect.ServerFrames {
		return a.frameOf(root)
	}
	if typ == nil || typ.Kind != source.String {
		return a.other
	}
	text := textOf(typ)
	for _, by := range a.types {
		if by.typ.Name != string(text) {
			continue
		}
		if by.typ.in(a.part) {
			return by
		}
		break
	}
	return a.other
}

// frameOf returns the definition of a record without a type.
func (a *recordValidator) frameOf(root *source.Node) *definition {
	role, auth, ack := root.Member("role"), root.Member("auth"), root.Member("ack")
	switch {
	case role == nil && auth != nil:
		return a.auth
	case role == nil && ack != nil:
		return a.ack
	case auth != nil || ack != nil || root.Member("content") != nil:
		return a.other
	case role != nil && a.hasType(role):
		return a.other
	}
	for i := range root.Children {
		if a.dialect.isFlag(root.Children[i].Name) {
			return a.typeless
		}
	}
	return a.other
}

// hasType reports whether the flags of a role always have a type.
func (a *recordValidator) hasType(role *source.Node) bool {
	if role.Kind != source.String {
		return false
	}
	text := textOf(role)
	for _, known := range a.dialect.Roles {
		if known == string(text) {
			return known != "user"
		}
	}
	return false
}

// textOf returns the decoded text of a string, without a copy where it has no
// escapes.
func textOf(n *source.Node) []byte {
	if n.Escaped() {
		return []byte(n.Text())
	}
	raw := n.Raw()
	return raw[1 : len(raw)-1]
}
