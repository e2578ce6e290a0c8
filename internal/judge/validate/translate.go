package validate

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/lmclint/lmclint/internal/base/spelling"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

// translation turns what an LMC record violates into violations with causes.
type translation struct {
	*partValidator
	root  *source.Node
	typ   *schema.Type // nil if the record's type is missing or unknown
	found []Violation
}

func (p *partValidator) translate(root *source.Node, t *schema.Type, leaves []leaf) ([]Violation, error) {
	tr := &translation{partValidator: p, root: root, typ: t, found: make([]Violation, 0, len(leaves)+1)}
	for i := range leaves {
		if err := tr.add(&leaves[i]); err != nil {
			return nil, err
		}
	}
	violations := dedupe(tr.found, tr.checkAnyFormat(), p.dialect.IsFlag)
	if len(violations) == 0 {
		return nil, fmt.Errorf("no cause for keyword %q at %q", leaves[0].keyword, leaves[0].at)
	}
	return violations, nil
}

// checkAnyFormat finds that the content is wrong whatever the format should be, of a
// record whose format is the mistake. It returns fitsNoFormat if it is.
func (tr *translation) checkAnyFormat() causes {
	content := tr.root.Member("content")
	var present causes
	meant := "" // the format that was probably meant
	for i := range tr.found {
		present |= of(tr.found[i].Cause)
		if tr.found[i].Cause == InvalidFormat {
			suggested := tr.found[i].Suggest()
			meant = cmp.Or(suggested.Nearest, suggested.Within)
		}
	}
	if tr.typ == nil || content == nil || present&of(MissingFormat, InvalidFormat, UnexpectedFormat) == 0 {
		return 0
	}
	format := tr.root.Member("format")
	isOfFormat := func(t schema.Type) bool {
		if format == nil {
			return len(t.Formats) == 0 && MayBe(content, schema.ContentString)
		}
		f, ok := t.Format(format.Text())
		return ok && MayBe(content, f.Content)
	}
	if slices.ContainsFunc(tr.dialect.Types, isOfFormat) {
		return 0 // the type may be the mistake
	}
	for _, name := range append(tr.typ.FormatNames(tr.part), "") { // content is the same for formats that are unknown
		kind := tr.typ.ContentFor(tr.part, name)
		isOutput := kind == schema.ContentLine && content.Kind == source.Number && name != meant && !present.has(MissingFormat)
		if MayBe(content, kind) && !isOutput { // a number may be a line, but is more often output that was not made a string
			return 0
		}
	}
	if present&contentCauses == 0 {
		tr.addValue(WrongContentType, content, []string{"string"})
	}
	return of(fitsNoFormat)
}

// MayBe reports whether content is of a kind of JSON that a format takes.
func MayBe(content *source.Node, kind schema.Content) bool {
	switch kind {
	case schema.ContentLine:
		return content.Kind == source.Number || content.Kind == source.Null
	case schema.ContentConfirmation, schema.ContentEdit:
		return content.Kind == source.Object
	}
	return content.Kind == source.String
}

// add translates one leaf by its keyword and place.
func (tr *translation) add(l *leaf) error {
	if len(l.at) == 0 {
		tr.addToRecord(l)
		return nil
	}
	node := tr.root.Member(l.at[0])
	if node == nil {
		return fmt.Errorf("no value at %q", l.at)
	}
	switch key := l.at[0]; key {
	case "role":
		roles := tr.dialect.Roles
		if l.keyword == "enum" {
			roles = l.names
		}
		tr.addValue(UnknownRole, node, roles)
	case "type":
		tr.addValue(UnknownType, node, tr.types)
	case "recipient":
		tr.addValue(InvalidRecipient, node, schema.Recipients())
	case "format":
		tr.addFormat(l, node)
	case "content":
		return tr.addContent(l, node)
	default:
		if types := tr.dialect.KeyTypes[key]; len(types) > 0 {
			tr.addKeyType(l, node, types)
			return nil
		}
		tr.addFlag(l, node)
	}
	return nil
}

// addKeyType adds a violation of the value of one of the dialect's own keys, or of
// an element of the array that it is.
func (tr *translation) addKeyType(l *leaf, node *source.Node, types []string) {
	v := tr.wrongValue(WrongKeyType, node, types)
	if len(l.at) > 1 {
		if i, err := strconv.Atoi(l.at[1]); err == nil && i < len(node.Children) {
			v.Node, v.Expected = &node.Children[i], []string{"string"}
		}
	}
	tr.found = append(tr.found, v)
}

// violation returns a violation at a node.
func (tr *translation) violation(cause Cause, node *source.Node, expected []string) Violation {
	v := Violation{Cause: cause, Node: node, Key: node.Name, Expected: expected}
	if tr.typ != nil {
		v.Type = tr.typ.Name
	}
	return v
}

// wrongValue returns a violation by the value of a node.
func (tr *translation) wrongValue(cause Cause, node *source.Node, expected []string) Violation {
	v := tr.violation(cause, node, expected)
	v.hasValue = true
	return v
}

// addValue adds a violation of a value that is not among those expected.
func (tr *translation) addValue(cause Cause, node *source.Node, expected []string) {
	tr.found = append(tr.found, tr.wrongValue(cause, node, expected))
}

// addKey adds a violation of a key, whatever its value.
func (tr *translation) addKey(cause Cause, node *source.Node, expected []string) {
	v := tr.violation(cause, node, expected)
	v.AtKey = true
	tr.found = append(tr.found, v)
}

// addToRecord translates what is wrong with the record as a whole.
func (tr *translation) addToRecord(l *leaf) {
	switch l.keyword {
	case "required":
		for _, key := range l.names {
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

// addMissing adds a violation of a missing key, with the unknown key that was
// probably meant for it.
func (tr *translation) addMissing(key string) {
	var cause Cause
	meant := []string{key} // keys of which one suffices
	expected := meant
	switch key {
	case "role":
		cause, expected = MissingRole, tr.dialect.Roles
	case "type":
		if tr.isTypelessFlag() {
			return
		}
		cause, expected = MissingType, tr.types
	case "format":
		cause = MissingFormat
		if tr.typ != nil && tr.typ.AnyCode {
			expected = tr.dialect.LanguageNames()
		} else if tr.typ != nil {
			expected = tr.typ.FormatNames(tr.part)
		}
	case "content":
		cause = MissingContent
		if tr.part == schema.Chunk && (tr.typ == nil || tr.typ.Flags) {
			meant = []string{"content", "start", tr.dialect.EndKey}
		}
		expected = meant
	default:
		cause = MissingKey
	}
	v := tr.violation(cause, tr.root, expected)
	v.Key = key
	v.Instead = tr.misspelled(meant)
	tr.found = append(tr.found, v)
}

// isTypelessFlag reports whether a record without a type is a user's flag that
// needs none, but for what else is wrong with it.
func (tr *translation) isTypelessFlag() bool {
	role := tr.root.Member("role")
	if !tr.dialect.ServerFrames || tr.part != schema.Chunk || role == nil || role.Kind != source.String || role.Text() != "user" {
		return false
	}
	return tr.root.Member("content") == nil || tr.root.Member("start") != nil || tr.root.Member(tr.dialect.EndKey) != nil
}

// misspelled returns the first unknown key of the record that is nearer to one
// of the keys than to any other known key.
func (tr *translation) misspelled(keys []string) string {
	for i := range tr.root.Children {
		name := tr.root.Children[i].Name
		if slices.Contains(tr.keys, name) {
			continue
		}
		if nearest, _ := spelling.Nearest(name, tr.keys); slices.Contains(keys, nearest) {
			return name
		}
	}
	return ""
}

// maxUnknown is the number of unknown keys that dedupe may need: it keeps one,
// and four others may be meant for a missing key.
const maxUnknown = 5

func (tr *translation) addUnknown(l *leaf) {
	count := 0
	for i := range tr.root.Children {
		member := &tr.root.Children[i]
		if l.allows(member.Name) {
			continue
		}
		tr.addKey(UnknownKey, member, tr.keys)
		if count++; count == maxUnknown {
			return
		}
	}
}

func (tr *translation) addFormat(l *leaf, node *source.Node) {
	switch {
	case l.keyword == "":
		tr.addKey(UnexpectedFormat, node, nil)
	case node.Kind == source.String && node.Text() == "" && tr.needsFormat():
		tr.addMissing("format")
		tr.found[len(tr.found)-1].Node = node
	case tr.typ != nil && tr.typ.AnyCode:
		tr.addValue(InvalidFormat, node, []string{"string"})
	case tr.typ != nil:
		tr.addValue(InvalidFormat, node, tr.typ.FormatNames(tr.part))
	}
}

// needsFormat reports whether a record of this type must have a format.
func (tr *translation) needsFormat() bool {
	switch {
	case tr.typ == nil:
		return false
	case tr.typ.Options == schema.FormatOnContentOnly:
		return tr.part == schema.Message || tr.root.Member("content") != nil
	}
	return tr.typ.Options == schema.FormatRequired
}

// addFlag translates what is wrong with start, end or stop, or with the key of
// a frame.
func (tr *translation) addFlag(l *leaf, node *source.Node) {
	switch key := node.Name; {
	case key == "auth":
		tr.addValue(WrongContentType, node, []string{"string", "boolean"})
	case key == "ack":
		tr.addValue(WrongContentType, node, []string{"string"})
	case l.keyword != "":
		tr.addValue(InvalidFlag, node, []string{"true"})
	case key != "start" && key != tr.dialect.EndKey:
		tr.addKey(OtherEndKey, node, []string{tr.dialect.EndKey})
	default:
		tr.addConflict()
	}
}

// addConflict adds a violation at the second of start, end and content, of
// which a record may have one.
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
		return // a flag of a type without flags: MissingContent is found, too
	}
	tr.addKey(ConflictingKeys, second, keys)
}

// addContent translates what is wrong with the content or with a value in it.
func (tr *translation) addContent(l *leaf, node *source.Node) error {
	if l.keyword == "" && len(l.at) == 1 {
		tr.addConflict()
		return nil
	}
	kind := schema.ContentString
	if tr.typ != nil {
		name := ""
		if format := tr.root.Member("format"); format != nil && format.Kind == source.String {
			name = format.Text()
		}
		kind = tr.typ.ContentFor(tr.part, name)
	}
	switch kind {
	case schema.ContentConfirmation:
		return tr.addConfirmation(node)
	case schema.ContentEdit:
		leaves, err := tr.memo.check(defEdit, node)
		tr.addFirst(leaves, node, []string{"format", "content", "target"})
		return err
	case schema.ContentLine:
		expected := []string{"positive integer"}
		if tr.dialect.NullLine {
			expected = append(expected, "null")
		}
		if tr.dialect.DigitStrings {
			expected = append(expected, "string of digits")
		}
		tr.addValue(InvalidActiveLine, node, expected)
	case schema.ContentString:
		tr.addValue(WrongContentType, node, []string{"string"})
	}
	return nil
}

// addConfirmation adds one violation of a confirmation's content, the first thing
// that is wrong with it. That it has the legacy form is a violation of its own,
// besides keys that neither form has.
func (tr *translation) addConfirmation(content *source.Node) error {
	keys := []string{"type", "format", "content"}
	leaves, err := tr.memo.check(defLegacy, content)
	if err != nil {
		return err
	}
	hasBoth := content.Member("format") != nil && content.Member("content") != nil
	switch isLegacy := !hasBoth && !slices.ContainsFunc(leaves, func(l leaf) bool { return l.keyword != "additionalProperties" }); {
	case isLegacy && !tr.dialect.LegacyConfirm:
		tr.found = append(tr.found, tr.violation(LegacyConfirmation, content, keys))
	case hasBoth, !isLegacy && !tr.dialect.LegacyConfirm, content.Member("language") == nil && content.Member("code") == nil:
		if leaves, err = tr.memo.check(defConfirmation, content); err != nil {
			return err
		}
	}
	tr.addFirst(leaves, content, keys)
	return nil
}

// addFirst adds the first thing that is wrong with a confirmation's content.
func (tr *translation) addFirst(leaves []leaf, content *source.Node, keys []string) {
	var found []Violation
	for i := range leaves {
		found = append(found, tr.confirmation(&leaves[i], content, keys)...)
	}
	slices.SortStableFunc(found, compare)
	if len(found) > 0 {
		tr.found = append(tr.found, found[0])
	}
}

// confirmation translates what is wrong with the content of a confirmation.
func (tr *translation) confirmation(l *leaf, content *source.Node, keys []string) []Violation {
	var found []Violation
	switch {
	case len(l.at) > 0:
		found = append(found, tr.wrongValue(InvalidConfirmation, content.Member(l.at[0]), l.names))
	case l.keyword == "required":
		for _, key := range l.names {
			if content.Member(key) == nil {
				v := tr.violation(InvalidConfirmation, content, l.names)
				v.Key = key
				found = append(found, v)
			}
		}
	case l.keyword == "additionalProperties":
		for i := range content.Children {
			if member := &content.Children[i]; !l.allows(member.Name) {
				v := tr.violation(InvalidConfirmation, member, keys)
				v.AtKey = true
				found = append(found, v)
			}
		}
	default:
		found = append(found, tr.wrongValue(InvalidConfirmation, content, []string{"object"}))
	}
	return found
}
