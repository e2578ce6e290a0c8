package protocol

import (
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
)

// History is whether messages of a type are part of the history, by the page on
// message types.
type History string

// The values of History. The page advises assistants; those in the repository
// include chats, and some also notes.
const (
	InHistory  History = "yes"      // "should be considered as part of the chat history"
	NotHistory History = "no"       // "should not"
	MayHistory History = "optional" // "optionally considered or not"
)

// HistoryOf returns whether messages of a type are part of the history.
func HistoryOf(messageType string) History {
	switch messageType {
	case workbench.Chat, workbench.Notice:
		return InHistory
	case workbench.Command, workbench.Response:
		return MayHistory
	}
	return NotHistory
}

// HistoryCounter counts the messages of one Semantic Workbench input. It counts
// a repeated message once, and does not count deleted messages.
type HistoryCounter struct {
	counts map[string]map[string]int // by type and role
}

// NewHistoryCounter returns an empty counter.
func NewHistoryCounter() *HistoryCounter { return &HistoryCounter{map[string]map[string]int{}} }

// Count returns how many messages of a type a role sent; "" counts all roles.
func (t *HistoryCounter) Count(messageType, role string) (n int) {
	if role != "" {
		return t.counts[messageType][role]
	}
	for _, count := range t.counts[messageType] {
		n += count
	}
	return n
}

// Rule returns a rule that counts messages and reports nothing.
func (t *HistoryCounter) Rule() *lint.Rule {
	return &lint.Rule{
		ID: "tally", Name: "tally", Severity: lint.SeverityNote, Inputs: lint.AnyInput, Protocol: Workbench{},
		New: func(*lint.Pass) []lint.Hook {
			return []lint.Hook{
				OnWorkbench(workbench.Said, func(e *workbench.Event) {
					if e.Record.Shape != workbench.ShapeConversation {
						t.add(e.Message, 1)
					}
				}),
				OnWorkbench(workbench.Repeated, func(e *workbench.Event) { t.add(e.Message, -1) }),
				OnWorkbench(workbench.Seen, func(e *workbench.Event) {
					if e.Message != nil && e.Record.Deletes() {
						t.add(e.Message, -1)
					}
				}),
			}
		},
	}
}

func (t *HistoryCounter) add(m *workbench.Message, n int) {
	if t.counts[m.Type] == nil {
		t.counts[m.Type] = map[string]int{}
	}
	t.counts[m.Type][m.Role] = max(0, t.counts[m.Type][m.Role]+n)
}
