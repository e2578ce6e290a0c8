package schema

import (
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// leaf is one thing that a value does not satisfy.
type leaf struct {
	keyword string   // the keyword, "" for a schema that is false
	wanted  any      // the keyword's value in the schema
	scope   any      // the schema that the keyword stands in
	at      []string // the place in the value, as names of members
	ofName  bool     // the name of the member at that place is meant, and not its value
}

// leaves returns what a validation error comes down to. The branches of an
// anyOf are not entered: they say why each failed, not what is wrong.
func (c *compiled) leaves(failed *jsonschema.ValidationError) ([]leaf, error) {
	tree, err := c.tree()
	if err != nil {
		return nil, err
	}
	var found []leaf
	pending := []*jsonschema.ValidationError{failed}
	for len(pending) > 0 {
		last := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if len(last.Causes) > 0 && !strings.HasSuffix(last.AbsoluteKeywordLocation, "/anyOf") {
			pending = append(pending, last.Causes...)
			continue
		}
		found = append(found, newLeaf(tree, last))
	}
	return found, nil
}

func newLeaf(tree any, failed *jsonschema.ValidationError) leaf {
	_, fragment, _ := strings.Cut(failed.AbsoluteKeywordLocation, "#")
	place := pointerTokens(fragment)
	l := leaf{wanted: lookup(tree, place), at: pointerTokens(failed.InstanceLocation)}
	l.ofName = strings.Contains(failed.KeywordLocation, "/propertyNames/")
	if l.wanted == false && !strings.HasSuffix(fragment, "/additionalProperties") || len(place) == 0 {
		return l
	}
	l.keyword = place[len(place)-1]
	l.scope = lookup(tree, place[:len(place)-1])
	return l
}

// names returns the keyword's value as a list of names.
func (l *leaf) names() []string {
	list, ok := l.wanted.([]any)
	if !ok {
		list = []any{l.wanted}
	}
	var names []string
	for _, value := range list {
		if name, ok := value.(string); ok {
			names = append(names, name)
		}
	}
	return names
}

// allows reports whether the leaf's schema has a property of that name.
func (l *leaf) allows(name string) bool {
	properties, ok := lookup(l.scope, []string{"properties"}).(map[string]any)
	if !ok {
		return false
	}
	_, ok = properties[name]
	return ok
}
