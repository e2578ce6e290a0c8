package validate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/spelling"
	"github.com/lmclint/lmclint/schema"
)

// WorkbenchPart says which of the workbench's schemas judges a value.
type WorkbenchPart uint8

// The schemas that judge one value.
const (
	WorkbenchMessage WorkbenchPart = iota + 1
	WorkbenchNewMessage
	WorkbenchParticipant
	WorkbenchEvent
	WorkbenchSSEData
	WorkbenchExport
	WorkbenchFile
	WorkbenchConversation
	WorkbenchPayload // the data of an event; see CheckPayload
)

// place is the published schema that holds the part, and the definition in it,
// "" for the whole.
func (p WorkbenchPart) place() (document, definition string) {
	switch p {
	case WorkbenchMessage:
		return "message", ""
	case WorkbenchNewMessage:
		return "new-message", ""
	case WorkbenchParticipant:
		return "participant", ""
	case WorkbenchEvent, WorkbenchPayload:
		return "event", ""
	case WorkbenchSSEData:
		return "sse-data", ""
	case WorkbenchExport:
		return "export-record", ""
	case WorkbenchFile:
		return "event", "file"
	case WorkbenchConversation:
		return "event", "conversation"
	}
	return "", ""
}

// WorkbenchValidator judges values by the schemas of Semantic Workbench. It is
// safe for concurrent use; a schema is compiled when it is needed first. It
// remembers up to 4,096 shapes of valid values.
type WorkbenchValidator struct {
	documents map[string]func() (*compiled, error)
	judges    sync.Map // of judgeKey to func() (*workbenchJudge, error)
	memo      *memo
}

// workbenchJudge is one of the definitions that values are judged by.
type workbenchJudge struct {
	*definition
	document  *compiled
	relevance *relevanceNode // what a verdict can depend on
}

type judgeKey struct{ document, definition string }

// NewWorkbenchValidator makes a validator.
func NewWorkbenchValidator() *WorkbenchValidator {
	v := &WorkbenchValidator{documents: map[string]func() (*compiled, error){}, memo: newMemo()}
	for _, name := range schema.WorkbenchNames() {
		v.documents[name] = sync.OnceValues(func() (*compiled, error) {
			text, err := schema.Source(name, schema.WorkbenchProtocol)
			if err != nil {
				return nil, err
			}
			return newCompiled(func() []byte { return text }), nil
		})
	}
	return v
}

// Check returns the violations of a value, in source order; none if it is
// valid. The value must be an object without duplicate keys. An error says that
// it could not be judged; it is no fault of the value.
func (v *WorkbenchValidator) Check(value *source.Node, part WorkbenchPart) ([]Violation, error) {
	_, definition := part.place()
	return v.check(value, part, definition)
}

// CheckPayload is Check for the data of a server-sent event of that name. The
// data of an unknown event is not judged.
func (v *WorkbenchValidator) CheckPayload(data *source.Node, event string) ([]Violation, error) {
	for _, family := range eventFamilies() {
		for _, name := range family.events {
			if name == event {
				return v.check(data, WorkbenchPayload, family.definition)
			}
		}
	}
	return nil, nil
}

func (v *WorkbenchValidator) check(value *source.Node, part WorkbenchPart, definition string) ([]Violation, error) {
	if value == nil || value.Kind != source.Object {
		return nil, errors.New("schema: the value is no object")
	}
	name, _ := part.place()
	by, err := v.judge(judgeKey{name, definition})
	if err != nil {
		return nil, err
	}
	var form shape
	known := form.add(by.relevance, value)
	if known && v.memo.find(by.definition, form.bytes()) != nil {
		return nil, nil
	}
	failed, err := by.document.validate(definition, value.Value())
	if err != nil || failed == nil {
		if known && err == nil {
			v.memo.add(by.definition, form.bytes(), value, nil)
		}
		return nil, err
	}
	return by.translate(value, part, failed)
}

// judge returns the definition of that place, which it makes when it is asked
// for the first time.
func (v *WorkbenchValidator) judge(key judgeKey) (*workbenchJudge, error) {
	made, ok := v.judges.Load(key)
	if !ok {
		once := sync.OnceValues(func() (*workbenchJudge, error) { return v.newJudge(key) })
		made, _ = v.judges.LoadOrStore(key, once)
	}
	return made.(func() (*workbenchJudge, error))()
}

func (v *WorkbenchValidator) newJudge(key judgeKey) (*workbenchJudge, error) {
	open := v.documents[key.document]
	if open == nil {
		return nil, fmt.Errorf("schema: no schema %q", key.document)
	}
	document, err := open()
	if err != nil {
		return nil, err
	}
	compiled, err := document.definition(key.definition)
	if err != nil {
		return nil, err
	}
	j := &workbenchJudge{&definition{name: key.definition}, document, &relevanceNode{}}
	analyse(j.relevance, compiled)
	return j, nil
}

// translate turns the errors about a value into violations.
func (j *workbenchJudge) translate(value *source.Node, part WorkbenchPart, failed *jsonschema.ValidationError) ([]Violation, error) {
	leaves, err := j.document.leaves(failed)
	if err != nil {
		return nil, err
	}
	tr := &workbenchTranslation{root: value, part: part}
	for i := range leaves {
		if err := tr.add(&leaves[i]); err != nil {
			return nil, err
		}
	}
	if len(tr.found) == 0 {
		return nil, fmt.Errorf("schema: no cause for %w", failed)
	}
	return tr.settled(), nil
}

// workbenchTranslation turns the errors about one value into violations.
type workbenchTranslation struct {
	root  *source.Node
	part  WorkbenchPart
	found []Violation
}

// add translates one leaf.
func (tr *workbenchTranslation) add(l *leaf) error {
	node := nodeAt(tr.root, l.at)
	if node == nil {
		return fmt.Errorf("schema: no value at %q", l.at)
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
	v.describe(fromWord)
	tr.found = append(tr.found, v)
	return nil
}

// nodeAt is the value at a place.
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

// keyOf is the last key of a place that is a name.
func keyOf(at []string) string {
	for _, name := range slices.Backward(at) {
		if _, err := strconv.Atoi(name); err != nil {
			return name
		}
	}
	return ""
}

// metadataAt returns the way into a message's metadata, and whether the place
// is there.
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
	case len(l.at) == 0, key == "data", tr.part != WorkbenchExport && tr.carries(l.at):
		return tr.framing()
	case l.keyword == "pattern" && isTime(key):
		return InvalidTime
	case l.keyword == "pattern":
		return InvalidUUID
	case l.keyword != "enum" || node.Kind != source.String:
		return WrongField
	case key == "message_type" && node.Text() == "command_response":
		return CommandResponseSpelling
	case key == "message_type":
		return UnknownMessageType
	case key == "role" || strings.HasSuffix(key, "participant_role"):
		return UnknownParticipantRole
	case key == "event":
		return UnknownEvent
	case key == "type" && tr.part == WorkbenchExport:
		return InvalidExportRecord
	}
	return WrongField
}

// framing is the rule about what holds a message: an event or a line of an export.
func (tr *workbenchTranslation) framing() Cause {
	switch tr.part {
	case WorkbenchExport:
		return InvalidExportRecord
	case WorkbenchEvent, WorkbenchSSEData, WorkbenchPayload:
		return InvalidEventData
	}
	return WrongField
}

// carries reports whether a place is that of what an event is about.
func (tr *workbenchTranslation) carries(at []string) bool {
	switch tr.part {
	case WorkbenchEvent, WorkbenchSSEData:
		return len(at) == 2 && at[0] == "data"
	case WorkbenchPayload:
		return len(at) == 1
	}
	return false
}

func isTime(key string) bool {
	return strings.HasSuffix(key, "timestamp") || strings.HasSuffix(key, "datetime")
}

// metadataRule names the rule for a value in a message's metadata.
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

// addMissing reports a key that an object lacks, and the unknown key that was
// probably meant for it.
func (tr *workbenchTranslation) addMissing(l *leaf, node *source.Node, key string) {
	v := Violation{Cause: tr.causeOfMissing(l, key), Node: node, Key: key, Expected: []string{key}, Type: keyOf(l.at)}
	for i := range node.Children {
		name := node.Children[i].Name
		if l.allows(name) {
			continue
		}
		if nearest, ok := spelling.Nearest(name, append(l.properties(), key)); ok && nearest == key {
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
	case tr.part == WorkbenchExport && len(l.at) == 0:
		return InvalidExportRecord
	case len(l.at) == 0 && (key == "data" || tr.part == WorkbenchPayload), len(l.at) == 1 && l.at[0] == "data" && tr.part == WorkbenchEvent:
		return InvalidEventData
	}
	return MissingField
}

// properties lists the keys that the leaf's schema knows.
func (l *leaf) properties() (names []string) {
	properties, _ := lookup(l.scope, []string{"properties"}).(map[string]any)
	for name := range properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// settled puts the violations in source order and joins the keys that one
// object lacks.
func (tr *workbenchTranslation) settled() []Violation {
	slices.SortStableFunc(tr.found, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.offset(), b.offset()), cmp.Compare(a.Cause, b.Cause), cmp.Compare(a.Key, b.Key))
	})
	var settled []Violation
	for _, v := range tr.found {
		if n := len(settled); n > 0 && settled[n-1].Cause == v.Cause && settled[n-1].Node == v.Node {
			last := &settled[n-1]
			if v.Key != last.Key && !slices.Contains(last.Expected, v.Key) && v.Found == "" {
				last.Expected = append(last.Expected, v.Key)
				last.Instead = cmp.Or(last.Instead, v.Instead)
			}
			continue
		}
		settled = append(settled, v)
	}
	return settled
}

// eventFamily is a family of events whose data holds the same.
type eventFamily struct {
	definition string
	events     []string
}

func eventFamilies() []eventFamily {
	return []eventFamily{
		{"payload.message", []string{"message.created", "message.deleted"}},
		{"payload.participant", []string{"participant.created", "participant.updated"}},
		{"payload.file", []string{"file.created", "file.updated", "file.deleted"}},
		{"payload.state", []string{"assistant.state.created", "assistant.state.updated", "assistant.state.deleted", "assistant.state.focus"}},
		{"payload.conversation", []string{"conversation.created", "conversation.updated", "conversation.deleted"}},
	}
}
