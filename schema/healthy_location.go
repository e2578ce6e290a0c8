package schema

import (
	"fmt"
	"regexp"

	"github.com/lmclint/lmclint/internal/source"
)

// readLocation reads what matters at a location: an object with a member for
// each field that is not zero. It refuses what it does not know.
func readLocation(n *source.Node) (*relevanceNode, error) {
	if n == nil || n.Kind != source.Object {
		return nil, fmt.Errorf("schema: a location that is no object")
	}
	at := &relevanceNode{}
	for i := range n.Children {
		if err := at.readField(&n.Children[i]); err != nil {
			return nil, err
		}
	}
	return at, nil
}

func (l *relevanceNode) readField(field *source.Node) error {
	switch field.Name {
	case "opaque":
		l.opaque = true
	case "exact":
		l.exact = true
	case "integer":
		l.integer = true
	case "texts":
		l.texts = textsOf(field)
	case "near":
		l.near = textsOf(field)
	case "bounds":
		return l.readBounds(field)
	case "patterns":
		return l.readPatterns(field)
	case "members":
		return l.readMembers(field)
	default:
		return fmt.Errorf("schema: a location with %s", field.Name)
	}
	return nil
}

func (l *relevanceNode) readBounds(list *source.Node) error {
	for i := range list.Children {
		bound, ok := plainInteger(list.Children[i].Raw())
		if !ok {
			return fmt.Errorf("schema: bound %s", list.Children[i].Raw())
		}
		l.bounds = append(l.bounds, bound)
	}
	return nil
}

// textsOf reads a list of strings.
func textsOf(list *source.Node) []string {
	texts := make([]string, len(list.Children))
	for i := range list.Children {
		texts[i] = list.Children[i].Text()
	}
	return texts
}

func (l *relevanceNode) readPatterns(list *source.Node) error {
	for i := range list.Children {
		pattern, err := regexp.Compile(list.Children[i].Text())
		if err != nil {
			return fmt.Errorf("schema: %w", err)
		}
		l.patterns = append(l.patterns, pattern)
	}
	return nil
}

func (l *relevanceNode) readMembers(list *source.Node) error {
	l.members = make(map[string]*relevanceNode, len(list.Children))
	for i := range list.Children {
		member, err := readLocation(&list.Children[i])
		if err != nil {
			return err
		}
		l.members[list.Children[i].Name] = member
	}
	return nil
}
