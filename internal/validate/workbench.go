package validate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/spelling"
	"github.com/lmclint/lmclint/schema"
)

// The published schemas that causes depend on.
const (
	workbenchEvent   = "event"
	workbenchSSEData = "sse-data"
	workbenchExport  = "export-record"
	workbenchPayload = "payload" // the data of an event: definitions in its schema
)

// payloadDefinition returns the definition of the data of an event, or "" if
// the event is unknown.
func payloadDefinition(event string) string {
	switch event {
	case "message.created", "message.deleted":
		return "payload.message"
	case "participant.created", "participant.updated":
		return "payload.participant"
	case "file.created", "file.updated", "file.deleted":
		return "payload.file"
	case "assistant.state.created", "assistant.state.updated", "assistant.state.deleted", "assistant.state.focus":
		return "payload.state"
	case "conversation.created", "conversation.updated", "conversation.deleted":
		return "payload.conversation"
	}
	return ""
}

// WorkbenchValidator validates values by the schemas of Semantic Workbench. It
// is safe for concurrent use, and compiles each definition when it is first
// needed.
type WorkbenchValidator struct{ documents map[string]*document }

// NewWorkbenchValidator returns a validator.
func NewWorkbenchValidator() *WorkbenchValidator {
	v := &WorkbenchValidator{documents: map[string]*document{}}
	for _, name := range schema.WorkbenchNames() {
		v.documents[name] = newDocument(func() ([]byte, error) { return schema.Source(name, schema.WorkbenchProtocol) })
	}
	return v
}

// Check returns the violations of a value in source order, none if it is valid, by the
// published schema of a name. The value must be an object without duplicate keys. An error
// means that the value could not be validated, and says nothing about the value.
func (v *WorkbenchValidator) Check(value *source.Node, name string) ([]Violation, error) {
	return v.check(value, name, name, "")
}

// CheckPayload is like [WorkbenchValidator.Check] for the data of an event of
// that name. The data of an unknown event has no violations.
func (v *WorkbenchValidator) CheckPayload(data *source.Node, event string) ([]Violation, error) {
	definition := payloadDefinition(event)
	if definition == "" {
		return nil, nil
	}
	return v.check(data, workbenchPayload, workbenchEvent, definition)
}

func (v *WorkbenchValidator) check(value *source.Node, part, document, definition string) ([]Violation, error) {
	if value == nil || value.Kind != source.Object {
		return nil, errors.New("the value is not an object")
	}
	d := v.documents[document]
	if d == nil {
		return nil, fmt.Errorf("unknown schema %q of Semantic Workbench", document)
	}
	leaves, err := d.validate(definition, shortenNumbers(value.Value()))
	if err != nil || len(leaves) == 0 {
		return nil, err
	}
	return translateWorkbench(part, value, leaves)
}

// commandResponse is how clients misspell the message type command-response.
const commandResponse = "command_response"

// workbenchTranslation turns what a value violates into violations with causes.
type workbenchTranslation struct {
	root  *source.Node
	part  string // the schema of root
	found []Violation
}

func translateWorkbench(part string, value *source.Node, leaves []leaf) ([]Violation, error) {
	tr := &workbenchTranslation{root: value, part: part}
	for i := range leaves {
		if err := tr.add(&leaves[i]); err != nil {
			return nil, err
		}
	}
	if len(tr.found) == 0 {
		return nil, fmt.Errorf("no cause for keyword %q at %q", leaves[0].keyword, leaves[0].at)
	}
	return tr.merged(), nil
}

// add translates one leaf by its keyword and place.
func (tr *workbenchTranslation) add(l *leaf) error {
	node := nodeAt(tr.root, l.at)
	if node == nil {
		return fmt.Errorf("no value at %q", l.at)
	}
	if l.keyword == "required" {
		for _, key := range l.names() {
			if node.Member(key) == nil {
				tr.addMissing(l, node, key)
			}
		}
		return nil
	}
	v := Violation{Cause: tr.causeOf(l, node), Node: node, Key: node.Name, Expected: l.names(), Type: keyOf(l.at)}
	if l.keyword == "minimum" || l.keyword == "maximum" {
		v.Expected = []string{"integer of 64 bits"}
	}
	v.describe()
	v.suggest()
	tr.found = append(tr.found, v)
	return nil
}

// nodeAt returns the value at a place, or nil.
func nodeAt(n *source.Node, at []string) *source.Node {
	for _, name := range at {
		switch {
		case n == nil:
			return nil
		case n.Kind == source.Array:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(n.Children) {
				return nil
			}
			n = &n.Children[i]
		default:
			n = n.Member(name)
		}
	}
	return n
}

// keyOf returns the last name in a place, which also has indexes of arrays.
func keyOf(at []string) string {
	for _, name := range slices.Backward(at) {
		if _, err := strconv.Atoi(name); err != nil {
			return name
		}
	}
	return ""
}

// metadataAt returns the place within the metadata of a message, and whether
// the place is there.
func metadataAt(at []string) (inside []string, ok bool) {
	i := slices.IndexFunc(at, func(name string) bool { return name == "metadata" || name == "meta_data" })
	if i < 0 || i+1 == len(at) {
		return nil, false
	}
	return at[i+1:], true
}

// causeOf returns the cause of a leaf.
func (tr *workbenchTranslation) causeOf(l *leaf, node *source.Node) Cause {
	if inside, ok := metadataAt(l.at); ok {
		return metadataCause(inside)
	}
	key := keyOf(l.at)
	switch {
	case l.keyword == "pattern" && isTime(key):
		return InvalidTime
	case l.keyword == "pattern":
		return InvalidUUID
	case len(l.at) == 0, key == "data", tr.part != workbenchExport && tr.isSubject(l.at):
		return tr.envelopeCause()
	case l.keyword != "enum" || node.Kind != source.String:
		return WrongField
	case key == "message_type" && node.Text() == commandResponse:
		return CommandResponseSpelling
	case key == "message_type":
		return UnknownMessageType
	case key == "role" || strings.HasSuffix(key, "participant_role"):
		return UnknownParticipantRole
	case key == "event":
		return UnknownEvent
	case key == "type" && tr.part == workbenchExport:
		return InvalidExportRecord
	}
	return WrongField
}

// envelopeCause returns the cause for what contains a message: an event or a
// line of an export.
func (tr *workbenchTranslation) envelopeCause() Cause {
	switch tr.part {
	case workbenchExport:
		return InvalidExportRecord
	case workbenchEvent, workbenchSSEData, workbenchPayload:
		return InvalidEventData
	}
	return WrongField
}

// isSubject reports whether a place is the message, participant, file or
// conversation that an event is about.
func (tr *workbenchTranslation) isSubject(at []string) bool {
	switch tr.part {
	case workbenchEvent, workbenchSSEData:
		return len(at) == 2 && at[0] == "data" && !strings.HasSuffix(at[1], "_id")
	case workbenchPayload:
		return len(at) == 1 && !strings.HasSuffix(at[0], "_id")
	}
	return false
}

func isTime(key string) bool {
	return strings.HasSuffix(key, "timestamp") || strings.HasSuffix(key, "datetime")
}

// metadataCause returns the cause for a value in the metadata of a message.
func metadataCause(inside []string) Cause {
	switch inside[0] {
	case "directed_at":
		return InvalidDirectedAt
	case "footer_items":
		return InvalidFooterItems
	case "tool_calls", "tool_result":
		return InvalidToolLink
	}
	return WrongField
}

// addMissing adds a violation of a missing key, with the unknown key that was
// probably meant for it.
func (tr *workbenchTranslation) addMissing(l *leaf, node *source.Node, key string) {
	v := Violation{Cause: tr.causeOfMissing(l, key), Node: node, Key: key, Expected: []string{key}, Type: keyOf(l.at)}
	for i := range node.Children {
		name := node.Children[i].Name
		if l.allows(name) {
			continue
		}
		if nearest, ok := spelling.Nearest(name, append(slices.Clip(l.properties), key)); ok && nearest == key {
			v.Instead = name
		}
	}
	tr.found = append(tr.found, v)
}

func (tr *workbenchTranslation) causeOfMissing(l *leaf, key string) Cause {
	if inside, ok := metadataAt(append(slices.Clip(l.at), key)); ok {
		return metadataCause(inside)
	}
	switch {
	case tr.part == workbenchExport && len(l.at) == 0:
		return InvalidExportRecord
	case len(l.at) == 0 && (key == "data" || tr.part == workbenchPayload), len(l.at) == 1 && l.at[0] == "data" && tr.part == workbenchEvent:
		return InvalidEventData
	}
	return MissingField
}

// merged returns the violations in source order, with the missing keys of an
// object as one.
func (tr *workbenchTranslation) merged() []Violation {
	slices.SortStableFunc(tr.found, compare)
	var merged []Violation
	for _, v := range tr.found {
		if n := len(merged); n > 0 && merged[n-1].Cause == v.Cause && merged[n-1].Node == v.Node {
			last := &merged[n-1]
			if v.Key != last.Key && !slices.Contains(last.Expected, v.Key) && v.Found == "" {
				last.Expected = append(last.Expected, v.Key)
				last.Instead = cmp.Or(last.Instead, v.Instead)
			}
			continue
		}
		merged = append(merged, v)
	}
	return merged
}
