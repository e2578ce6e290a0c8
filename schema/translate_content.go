package schema

import (
	"sort"

	"github.com/lmclint/lmclint/internal/source"
)

// addContent translates what is wrong with the content, or with a value in it.
func (tr *translation) addContent(l *leaf, node *source.Node) error {
	if l.keyword == "" && len(l.at) == 1 {
		tr.addConflict()
		return nil
	}
	switch tr.contentKind() {
	case ContentConfirmation:
		return tr.addConfirmation(node)
	case ContentLine:
		tr.addValue("LMC307", node, tr.dialect.lineNames())
	case ContentObject:
		tr.addValue("LMC109", node, []string{"object"})
	case ContentString:
		tr.addValue("LMC109", node, []string{"string"})
	}
	return nil
}

// contentKind is what the record's content must be by its type and format.
func (tr *translation) contentKind() Content {
	if tr.typ == nil {
		return ContentString
	}
	if format := tr.root.Member("format"); format != nil && format.Kind == source.String {
		if f, ok := tr.typ.Format(format.Text()); ok {
			return f.Content
		}
	}
	if kinds := tr.typ.contents(tr.part); len(kinds) == 1 {
		return kinds[0]
	}
	return ContentString
}

// lineNames are what an active_line may be, for people.
func (d *Dialect) lineNames() []string {
	names := []string{"positive integer"}
	if d.NullLine {
		names = append(names, "null")
	}
	if d.DigitStrings {
		names = append(names, "string of digits")
	}
	return names
}

// addConfirmation reports a confirmation's content once: as the form that the
// documents once showed, or at the first thing that is wrong with it.
func (tr *translation) addConfirmation(content *source.Node) error {
	legacy, err := tr.confirmationLeaves(defLegacy, content)
	if err != nil {
		return err
	}
	if len(legacy) == 0 {
		tr.found = append(tr.found, tr.violation("LMC114", content, confirmedKeys()))
		return nil
	}
	leaves := legacy
	if !tr.dialect.LegacyConfirm || content.Member("language") == nil && content.Member("code") == nil {
		if leaves, err = tr.confirmationLeaves(defConfirmation, content); err != nil {
			return err
		}
	}
	var found []Violation
	for i := range leaves {
		found = append(found, tr.confirmation(&leaves[i], content)...)
	}
	sort.SliceStable(found, func(i, j int) bool { return before(&found[i], &found[j]) })
	if len(found) > 0 {
		tr.found = append(tr.found, found[0])
	}
	return nil
}

// confirmedKeys are the keys of a confirmation's content.
func confirmedKeys() []string { return []string{"type", "format", "content"} }

func (tr *translation) confirmationLeaves(definition string, content *source.Node) ([]leaf, error) {
	failed, err := tr.schemas.validate(definition, content.Value())
	if err != nil || failed == nil {
		return nil, err
	}
	return tr.schemas.leaves(failed)
}

// confirmation translates what is wrong with the object in a confirmation.
func (tr *translation) confirmation(l *leaf, content *source.Node) []Violation {
	var found []Violation
	switch {
	case len(l.at) > 0:
		member := content.Member(l.at[0])
		violation := tr.violation("LMC113", member, l.names())
		violation.describe(fromValue)
		found = append(found, violation)
	case l.keyword == "required":
		for _, key := range l.names() {
			if content.Member(key) == nil {
				violation := tr.violation("LMC113", content, l.names())
				violation.Key = key
				found = append(found, violation)
			}
		}
	case l.keyword == "additionalProperties":
		for i := range content.Children {
			if member := &content.Children[i]; !l.allows(member.Name) {
				found = append(found, tr.unknown("LMC113", member, confirmedKeys()))
			}
		}
	default:
		violation := tr.violation("LMC113", content, []string{"object"})
		violation.describe(fromValue)
		found = append(found, violation)
	}
	return found
}
