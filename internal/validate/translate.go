package validate

import (
	"fmt"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/spelling"
	"github.com/lmclint/lmclint/schema"
)

// translation turns the errors about one record into violations.
type translation struct {
	dialect *schema.Dialect
	schemas *compiled
	part    schema.Part
	root    *source.Node
	typ     *schema.Type // nil if the record's type is missing or unknown
	found   []Violation
}

func (a *recordValidator) translate(root *source.Node, t *schema.Type, failed *jsonschema.ValidationError) ([]Violation, error) {
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
		return nil, fmt.Errorf("schema: no cause for %w", failed)
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
		tr.addValue(UnknownRole, node, tr.roleNames(l))
	case "type":
		tr.addValue(UnknownType, node, tr.dialect.TypeNames(tr.part))
	case "recipient":
		tr.addValue(InvalidRecipient, node, schema.Recipients())
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
func (tr *translation) addValue(cause Cause, node *source.Node, expected []string) {
	violation := tr.violation(cause, node, expected)
	violation.describe(fromWord)
	tr.found = append(tr.found, violation)
}

func (tr *translation) violation(cause Cause, node *source.Node, expected []string) Violation {
	v := Violation{Cause: cause, Node: node, Key: node.Name, Expected: expected}
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
		violation := tr.violation(UnexpectedFormat, node, nil)
		violation.AtKey = true
		violation.describe(fromValue)
		tr.found = append(tr.found, violation)
	case tr.typ != nil && tr.typ.AnyCode:
		tr.addValue(InvalidFormat, node, []string{"string"})
	case tr.typ != nil:
		tr.addValue(InvalidFormat, node, tr.typ.FormatNames(tr.part))
	}
}

// addFlag translates what is wrong with start, end or stop, or with a frame's
// own key.
func (tr *translation) addFlag(l *leaf, node *source.Node) {
	switch key := node.Name; {
	case key == "auth":
		tr.addValue(WrongContentType, node, []string{"string", "boolean"})
	case key == "ack":
		tr.addValue(WrongContentType, node, []string{"string"})
	case l.keyword != "":
		tr.addValue(InvalidFlag, node, []string{"true"})
	case key != "start" && key != tr.dialect.EndKey:
		violation := tr.violation(OtherEndKey, node, []string{tr.dialect.EndKey})
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
	violation := tr.violation(ConflictingKeys, second, keys)
	violation.AtKey = true
	tr.found = append(tr.found, violation)
}

// addContent translates what is wrong with the content, or with a value in it.
func (tr *translation) addContent(l *leaf, node *source.Node) error {
	if l.keyword == "" && len(l.at) == 1 {
		tr.addConflict()
		return nil
	}
	switch tr.contentKind() {
	case schema.ContentConfirmation:
		return tr.addConfirmation(node)
	case schema.ContentLine:
		tr.addValue(InvalidActiveLine, node, lineNames(tr.dialect))
	case schema.ContentObject:
		tr.addValue(WrongContentType, node, []string{"object"})
	case schema.ContentString:
		tr.addValue(WrongContentType, node, []string{"string"})
	}
	return nil
}

// contentKind is what the record's content must be by its type and format.
func (tr *translation) contentKind() schema.Content {
	if tr.typ == nil {
		return schema.ContentString
	}
	name := ""
	if format := tr.root.Member("format"); format != nil && format.Kind == source.String {
		name = format.Text()
	}
	return tr.typ.ContentFor(tr.part, name)
}

// lineNames are what an active_line may be, for people.
func lineNames(d *schema.Dialect) []string {
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
		tr.found = append(tr.found, tr.violation(LegacyConfirmation, content, confirmedKeys()))
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
	slices.SortStableFunc(found, compare)
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
		violation := tr.violation(InvalidConfirmation, member, l.names())
		violation.describe(fromValue)
		found = append(found, violation)
	case l.keyword == "required":
		for _, key := range l.names() {
			if content.Member(key) == nil {
				violation := tr.violation(InvalidConfirmation, content, l.names())
				violation.Key = key
				found = append(found, violation)
			}
		}
	case l.keyword == "additionalProperties":
		for i := range content.Children {
			if member := &content.Children[i]; !l.allows(member.Name) {
				found = append(found, tr.unknown(InvalidConfirmation, member, confirmedKeys()))
			}
		}
	default:
		violation := tr.violation(InvalidConfirmation, content, []string{"object"})
		violation.describe(fromValue)
		found = append(found, violation)
	}
	return found
}

// addMissing reports a key that the record lacks, and the unknown key that
// was probably meant for it.
func (tr *translation) addMissing(key string) {
	cause := map[string]Cause{
		"role": MissingRole, "type": MissingType, "format": MissingFormat, "content": MissingContent,
	}[key]
	if cause == 0 || key == "type" && tr.isTypeless() {
		return
	}
	violation := tr.violation(cause, tr.root, tr.expectedFor(key))
	violation.Key = key
	violation.Instead = tr.meantFor(tr.keysFor(key))
	tr.found = append(tr.found, violation)
}

// isTypeless reports whether a record is a flag of the user's that needs no
// type, but for what else is wrong with it.
func (tr *translation) isTypeless() bool {
	role := tr.root.Member("role")
	if !tr.dialect.ServerFrames || tr.part != schema.Chunk || role == nil || role.Kind != source.String || role.Text() != "user" {
		return false
	}
	return tr.root.Member("content") == nil || tr.root.Member("start") != nil || tr.root.Member(tr.dialect.EndKey) != nil
}

// keysFor are the keys of which one would do.
func (tr *translation) keysFor(key string) []string {
	if key == "content" && tr.part == schema.Chunk && (tr.typ == nil || tr.typ.Flags) {
		return []string{"content", "start", tr.dialect.EndKey}
	}
	return []string{key}
}

func (tr *translation) expectedFor(key string) []string {
	switch {
	case key == "role":
		return tr.dialect.Roles
	case key == "type":
		return tr.dialect.TypeNames(tr.part)
	case key == "format" && tr.typ != nil && tr.typ.AnyCode:
		return tr.dialect.LanguageNames()
	case key == "format" && tr.typ != nil:
		return tr.typ.FormatNames(tr.part)
	}
	return tr.keysFor(key)
}

// meantFor returns the first unknown key of the record that looks like one of
// the given keys more than like any other.
func (tr *translation) meantFor(keys []string) string {
	known := tr.dialect.KnownKeys(tr.part)
	for i := range tr.root.Children {
		name := tr.root.Children[i].Name
		if slices.Contains(known, name) {
			continue
		}
		if nearest, _ := spelling.Nearest(name, known); slices.Contains(keys, nearest) {
			return name
		}
	}
	return ""
}

// maxUnknown is how many unknown keys settle may need: it reports one, and
// each of four others can stand for a missing key.
const maxUnknown = 5

// addUnknown reports the record's unknown keys; settle leaves one.
func (tr *translation) addUnknown(l *leaf) {
	known, count := tr.dialect.KnownKeys(tr.part), 0
	for i := range tr.root.Children {
		member := &tr.root.Children[i]
		if l.allows(member.Name) {
			continue
		}
		tr.found = append(tr.found, tr.unknown(UnknownKey, member, known))
		if count++; count == maxUnknown {
			return
		}
	}
}

func (tr *translation) unknown(cause Cause, member *source.Node, known []string) Violation {
	violation := tr.violation(cause, member, known)
	violation.AtKey = true
	violation.describe(fromName)
	violation.Nearest, _ = spelling.Nearest(member.Name, known)
	return violation
}
