package schema

import (
	"errors"
	"fmt"
	"sync"

	"github.com/lmclint/lmclint/source"
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
// safe for concurrent use; a schema is compiled when it is needed first.
type WorkbenchValidator struct {
	documents map[string]func() (*compiled, error)
}

// NewWorkbenchValidator makes a validator.
func NewWorkbenchValidator() *WorkbenchValidator {
	v := &WorkbenchValidator{documents: map[string]func() (*compiled, error){}}
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
	open := v.documents[name]
	if open == nil {
		return nil, fmt.Errorf("schema: no part %d", part)
	}
	document, err := open()
	if err != nil {
		return nil, err
	}
	failed, err := document.validate(definition, value.Value())
	if err != nil || failed == nil {
		return nil, err
	}
	leaves, err := document.leaves(failed)
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
