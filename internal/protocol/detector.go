package protocol

import (
	"slices"
	"sync"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

// vocabulary is the words of all dialects.
type vocabulary struct{ roles, types, keys []string }

// words returns the words of all dialects.
var words = sync.OnceValue(func() vocabulary {
	var v vocabulary
	for _, name := range schema.Names() {
		d, _ := schema.Lookup(name)
		v.roles = append(v.roles, d.Roles...)
		for i := range d.Types {
			v.types = append(v.types, d.Types[i].Name)
		}
		v.keys = slices.Concat(v.keys, d.KnownKeys(schema.Chunk), d.KnownKeys(schema.Message))
	}
	for _, list := range []*[]string{&v.roles, &v.types, &v.keys} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return v
})

// MeaningOf returns what an object is to the protocols: the strongest meaning.
func MeaningOf(object *source.Node) source.Meaning {
	return max(LMC{}.MeaningOf(object), Workbench{}.MeaningOf(object))
}

// MeaningOf returns what an object is to the protocol LMC. It implements
// [plugin.Protocol].
func (LMC) MeaningOf(object *source.Node) source.Meaning {
	m := meaningOf(object)
	if m == source.Foreign && ForeignShape(object) != "" {
		return source.Other
	}
	return m
}

func meaningOf(object *source.Node) source.Meaning {
	if object == nil || object.Kind != source.Object {
		return source.Foreign
	}
	v := words()
	role, typ := object.Member("role"), object.Member("type")
	content, flag := object.Member("content"), hasAny(object, flagKeys)
	isRole, isType := isOneOf(role, v.roles), isOneOf(typ, v.types)
	isOwn := (content != nil || flag) && hasOnly(object, v.keys)
	switch {
	case hasObjects(content): // the parts of another protocol
		return source.Foreign
	case isRole && isType,
		isOwn && isRole && typ == nil && (content == nil || role.Text() == "computer"),
		isOwn && (isRole || isType) && role != nil && typ != nil: // one of them is misspelled
		return source.Plain
	case (isRole || isType) && (content != nil || flag), len(object.Children) == 1 && hasAny(object, frameKeys):
		return source.Weak
	}
	return meaningOfOld(object, isRole && content == nil && typ == nil)
}

// meaningOfOld is MeaningOf for an object without the keys of LMC but a role, which it may
// have if mayHaveRole is set.
func meaningOfOld(object *source.Node, mayHaveRole bool) source.Meaning {
	switch {
	case mayHaveRole && slices.ContainsFunc(object.Children, isOldText), len(object.Children) == 1 && hasOnly(object, preLMCFlagKeys):
		return source.Old
	case len(object.Children) == 1 && hasOnly(object, preLMCKeys) && object.Children[0].Kind == source.String:
		return source.WeakOld
	}
	return source.Foreign
}

// isOldText reports whether a member is text of a message of Open Interpreter 0.1.16 or
// older.
func isOldText(n source.Node) bool {
	return n.Kind == source.String && slices.Contains(preLMCTexts, n.Name)
}

var (
	flagKeys    = []string{"start", "end"}
	frameKeys   = []string{"auth", "ack"}
	preLMCTexts = []string{"message", "code", "output"}
	// preLMCFlagKeys are keys that a chunk of Open Interpreter 0.1.16 and older has alone.
	preLMCFlagKeys = []string{
		"executing", "active_line", "end_of_execution", "start_of_message", "end_of_message", "start_of_code", "end_of_code",
		"start_of_output", "end_of_output",
	}
)

// isOneOf reports whether a value is one of some strings.
func isOneOf(n *source.Node, list []string) bool {
	return n != nil && n.Kind == source.String && slices.Contains(list, n.Text())
}

// hasObjects reports whether a value is a list that contains an object.
func hasObjects(n *source.Node) bool {
	return n != nil && n.Kind == source.Array && slices.ContainsFunc(n.Children, func(c source.Node) bool { return c.Kind == source.Object })
}
