package schema

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/santhosh-tekuri/jsonschema/v5"
)

// translation turns the errors about one record into violations.
type translation struct {
	dialect *Dialect
	schemas *compiled
	part    Part
	root    *source.Node
	typ     *Type // nil if the record's type is missing or unknown
	found   []Violation
}

func (a *recordValidator) translate(root *source.Node, t *Type, failed *jsonschema.ValidationError) ([]Violation, error) {
	tr := &translation{dialect: a.dialect, schemas: a.schemas, part: a.part, root: root, typ: t}
	leaves, err := a.schemas.leaves(failed)
	if err != nil {
		return nil, err
	}
	for i := range leaves {
		if err := tr.add(&leaves[i]); err != nil {
			return nil, err
		}
	}
	violations := dedupe(tr.found)
	if len(violations) == 0 {
		return nil, fmt.Errorf("schema: no rule for %w", failed)
	}
	return violations, nil
}

// add translates one leaf by its keyword and place.
func (tr *translation) add(l *leaf) error {
	if len(l.at) == 0 {
		tr.addToRecord(l)
		return nil
	}
	node := tr.root.Member(l.at[0])
	if node == nil {
		return fmt.Errorf("schema: no value at %q", l.at)
	}
	switch key := l.at[0]; key {
	case "role":
		tr.addValue("LMC102", node, tr.roleNames(l))
	case "type":
		tr.addValue("LMC104", node, tr.dialect.TypeNames(tr.part))
	case "recipient":
		tr.addValue("LMC115", node, recipients())
	case "format":
		tr.addFormat(l, node)
	case "content":
		return tr.addContent(l, node)
	default:
		tr.addFlag(l, node)
	}
	return nil
}

// addToRecord translates what is wrong with the record as a whole.
func (tr *translation) addToRecord(l *leaf) {
	switch l.keyword {
	case "required":
		for _, key := range l.names() {
			if tr.root.Member(key) == nil {
				tr.addMissing(key)
			}
		}
	case "anyOf":
		tr.addMissing("content")
	case "additionalProperties":
		tr.addUnknown(l)
	}
}

// addValue reports a value that is none of those expected.
func (tr *translation) addValue(rule string, node *source.Node, expected []string) {
	violation := tr.violation(rule, node, expected)
	violation.describe(fromWord)
	tr.found = append(tr.found, violation)
}

func (tr *translation) violation(rule string, node *source.Node, expected []string) Violation {
	v := Violation{Rule: rule, Node: node, Key: node.Name, Expected: expected}
	if tr.typ != nil {
		v.Type = tr.typ.Name
	}
	return v
}

func (tr *translation) roleNames(l *leaf) []string {
	if l.keyword == "enum" {
		return l.names()
	}
	return tr.dialect.Roles
}

func (tr *translation) addFormat(l *leaf, node *source.Node) {
	switch {
	case l.keyword == "":
		violation := tr.violation("LMC107", node, nil)
		violation.AtKey = true
		violation.describe(fromValue)
		tr.found = append(tr.found, violation)
	case tr.typ != nil && tr.typ.AnyCode:
		tr.addValue("LMC106", node, []string{"string"})
	case tr.typ != nil:
		tr.addValue("LMC106", node, tr.typ.FormatNames(tr.part))
	}
}

// addFlag translates what is wrong with start, end or stop, or with a frame's
// own key.
func (tr *translation) addFlag(l *leaf, node *source.Node) {
	switch key := node.Name; {
	case key == "auth":
		tr.addValue("LMC109", node, []string{"string", "boolean"})
	case key == "ack":
		tr.addValue("LMC109", node, []string{"string"})
	case l.keyword != "":
		tr.addValue("LMC111", node, []string{"true"})
	case key != "start" && key != tr.dialect.EndKey:
		violation := tr.violation("LMC120", node, []string{tr.dialect.EndKey})
		violation.AtKey = true
		violation.describe(fromValue)
		tr.found = append(tr.found, violation)
	default:
		tr.addConflict()
	}
}

// addConflict reports, at the second of them, the keys of which a record may
// have one.
func (tr *translation) addConflict() {
	var keys []string
	var second *source.Node
	for i := range tr.root.Children {
		member := &tr.root.Children[i]
		if name := member.Name; name != "content" && name != "start" && name != tr.dialect.EndKey {
			continue
		}
		keys = append(keys, member.Name)
		if len(keys) == 2 {
			second = member
		}
	}
	if second == nil {
		return // a flag on a type that takes none, without content: LMC108 tells it
	}
	violation := tr.violation("LMC112", second, keys)
	violation.AtKey = true
	tr.found = append(tr.found, violation)
}
