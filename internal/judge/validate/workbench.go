package validate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lmclint/lmclint/internal/base/spelling"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

// The published schemas that causes depend on.
const (
	workbenchEvent   = "event"
	workbenchSSEData = "sse-data"
	workbenchExport  = "export-record"
	workbenchPayload = "payload" // the data of an event: definitions in its schema
)

// WorkbenchValidator validates values by the schemas of Semantic Workbench. It
// is safe for concurrent use, and compiles each definition when it is first
// needed.
type WorkbenchValidator struct{ documents map[string]*schemaDocument }

// NewWorkbenchValidator returns a validator.
func NewWorkbenchValidator() *WorkbenchValidator {
	v := &WorkbenchValidator{documents: map[string]*schemaDocument{}}
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

// CheckPayload is like [WorkbenchValidator.Check] for the data of an event of the
// protocol, such as message.created or assistant.state.focus.
func (v *WorkbenchValidator) CheckPayload(data *source.Node, event string) ([]Violation, error) {
	subject, _, _ := strings.Cut(strings.TrimPrefix(event, "assistant."), ".")
	return v.check(data, workbenchPayload, workbenchEvent, "payload."+subject)
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
		for _, key := range l.names {
			if node.Member(key) == nil {
				tr.addMissing(l, node, key)
			}
		}
		return nil
	}
	v := Violation{Cause: tr.causeOf(l.at, l.keyword, node), Node: node, Key: node.Name, Expected: l.names, Type: keyOf(l.at), hasValue: true}
	if l.keyword == "minimum" || l.keyword == "maximum" {
		v.Expected = []string{"integer of 64 bits"}
	}
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

// The causes for values of some keys, whatever is wrong with them, and for words that
// are not among those allowed.
var (
	metadataCauses = map[string]Cause{
		"directed_at": InvalidDirectedAt, "footer_items": InvalidFooterItems, "tool_calls": InvalidToolLink, "tool_result": InvalidToolLink,
	}
	wordCauses = map[string]Cause{
		"message_type": UnknownMessageType, "event": UnknownEvent,
		"role": UnknownParticipantRole, "participant_role": UnknownParticipantRole, "sender_participant_role": UnknownParticipantRole,
	}
	// envelopeCauses are the causes for what contains a message, by its schema: an event,
	// or a line of an export.
	envelopeCauses = map[string]Cause{
		workbenchExport: InvalidExportRecord, workbenchEvent: InvalidEventData, workbenchSSEData: InvalidEventData, workbenchPayload: InvalidEventData,
	}
)

// causeOf returns the cause of what is wrong with the value at a place.
func (tr *workbenchTranslation) causeOf(at []string, keyword string, node *source.Node) Cause {
	if cause, ok := inMetadata(at); ok {
		return cause
	}
	key := keyOf(at)
	isTime := strings.HasSuffix(key, "timestamp") || strings.HasSuffix(key, "datetime")
	switch {
	case keyword == "pattern" && isTime:
		return InvalidTime
	case keyword == "pattern":
		return InvalidUUID
	case len(at) == 0, key == "data", tr.isSubject(at):
		return cmp.Or(envelopeCauses[tr.part], WrongField)
	case keyword != "enum" || node.Kind != source.String:
		return WrongField
	case key == "message_type" && node.Text() == commandResponse:
		return CommandResponseSpelling
	case key == "type" && tr.part == workbenchExport:
		return InvalidExportRecord
	}
	return cmp.Or(wordCauses[key], WrongField)
}

// inMetadata returns the cause for a place within the metadata of a message.
func inMetadata(at []string) (cause Cause, ok bool) {
	i := slices.IndexFunc(at, func(name string) bool { return name == "metadata" || name == "meta_data" })
	if i < 0 || i+1 == len(at) {
		return 0, false
	}
	return cmp.Or(metadataCauses[at[i+1]], WrongField), true
}

// isSubject reports whether a place is the message, participant, file or
// conversation that an event is about.
func (tr *workbenchTranslation) isSubject(at []string) bool {
	isPayload, isEvent := tr.part == workbenchPayload, tr.part == workbenchEvent || tr.part == workbenchSSEData
	return (isPayload && len(at) == 1 || isEvent && len(at) == 2 && at[0] == "data") && !strings.HasSuffix(at[len(at)-1], "_id")
}

// addMissing adds a violation of a missing key, with the unknown key that was
// probably meant for it.
func (tr *workbenchTranslation) addMissing(l *leaf, node *source.Node, key string) {
	v := Violation{Cause: tr.causeOfMissing(l.at, key), Node: node, Key: key, Expected: []string{key}, Type: keyOf(l.at)}
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

// causeOfMissing returns the cause for a key that an object at a place lacks.
func (tr *workbenchTranslation) causeOfMissing(at []string, key string) Cause {
	if cause, ok := inMetadata(append(slices.Clip(at), key)); ok {
		return cause
	}
	isWhole := len(at) == 0 && (key == "data" || tr.part == workbenchPayload || tr.part == workbenchExport)
	if isWhole || len(at) == 1 && at[0] == "data" && tr.part == workbenchEvent {
		return cmp.Or(envelopeCauses[tr.part], MissingField)
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
			if v.Key != last.Key && !slices.Contains(last.Expected, v.Key) && !v.hasValue {
				last.Expected = append(last.Expected, v.Key)
				last.Instead = cmp.Or(last.Instead, v.Instead)
			}
			continue
		}
		merged = append(merged, v)
	}
	return merged
}
