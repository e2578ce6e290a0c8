package schema

import (
	"errors"
	"fmt"
	"sync"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/santhosh-tekuri/jsonschema/v5"
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
	for _, name := range WorkbenchNames() {
		v.documents[name] = sync.OnceValues(func() (*compiled, error) {
			text, err := Source(name, WorkbenchProtocol)
			if err != nil {
				return nil, err
			}
			return newCompiled(workbenchID(name), func() []byte { return text }), nil
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
	schema, err := document.definition(key.definition)
	if err != nil {
		return nil, err
	}
	j := &workbenchJudge{&definition{name: key.definition}, document, &relevanceNode{}}
	analyse(j.relevance, schema)
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
		return nil, fmt.Errorf("schema: no rule for %w", failed)
	}
	return tr.settled(), nil
}
