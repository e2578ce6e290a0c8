package workbench

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var camelCaseKeys = &lint.Rule{
	ID: "WB008", Name: "camel-case-keys",
	Summary: "Keys are in camelCase, as in the web app's internal state",
	Rationale: "The web app converts message_type to messageType when it reads a message, and back when it sends one. " +
		"Messages copied from its internal state can neither be posted nor imported. Nothing " +
		"else is reported about such records.",
	Evidence:     []string{"semanticworkbench, conversation.ts, transformResponseToMessage and transformMessageForRequest"},
	Requirements: []string{"WB-MSG-8"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "a message of the web app's internal state",
		Make: func() string {
			return `{"id": "` + exampleID(1) + `", "sender": {"participantId": "` + exampleUser + `", "participantRole": "user"}, "timestamp": "2025-03-03T20:01:01Z", ` +
				`"messageType": "chat", "content": "hi", "contentType": "text/plain", "filenames": [], "metadata": {}, "hasDebugData": false}` + "\n"
		},
		Want: []string{"WB008 1:218"},
	}, {
		Name: "the same in an event",
		Make: func() string {
			message := example.Altered(example.Altered(hello(), "message_type", "messageType"), "content_type", "contentType")
			return announced(1, "message.created", bringing(message))
		},
		Want: []string{"WB008 1:392"},
	}},
	Good: []lint.Example{{Name: "keys in snake_case", Make: hello}},
	New:  newCamelCaseKeys,
}

func newCamelCaseKeys(p *lint.Pass) []lint.Hook {
	return []lint.Hook{{On: protocol.CamelCaseEvent, Do: func(event any) {
		r := event.(*workbench.Record)
		key, snake := camelKey(r.Message.Node)
		p.Report(lint.Finding{
			Place:   r.Source.PlaceOfKey(key),
			Message: protocol.Quoted(key.Name) + " is a key of the web app's internal state, expected " + protocol.Quoted(snake),
			Help:    "copy messages from the service or an export",
		})
	}}}
}

// camelKey returns the first camelCase key, and the key that the service uses.
func camelKey(message *source.Node) (key *source.Node, snake string) {
	spelled := map[string]string{
		"messageType": "message_type", "contentType": "content_type", "hasDebugData": "has_debug_data",
		"participantRole": "participant_role", "participantId": "participant_id",
	}
	for _, object := range []*source.Node{message, message.Member("sender")} {
		if object == nil {
			continue
		}
		for i := range object.Children {
			if snake := spelled[object.Children[i].Name]; snake != "" {
				return &object.Children[i], snake
			}
		}
	}
	return message, "message_type"
}
