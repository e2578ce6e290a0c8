package workbench_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/lmclint/lmclint/internal/model/workbench"
)

// happened follows messages, each as "role type content" with a line of its
// own, and returns what happened but that they were seen and said.
func happened(t *testing.T, partial bool, text string) (events []string) {
	t.Helper()
	names := map[workbench.Kind]string{
		workbench.Repeated: "repeated", workbench.OutOfOrder: "backward", workbench.Answered: "answered", workbench.Unanswered: "unanswered",
		workbench.ResponseWithoutCommand: "unasked", workbench.LimitReached: "full",
	}
	f := workbench.NewTracker(partial, func(e *workbench.Event) {
		name := names[e.Kind]
		switch {
		case name == "":
			return
		case e.Kind == workbench.Unanswered:
			name += " " + e.Asked.Name + " " + e.Asked.Instead
		case e.Kind == workbench.Answered:
			name += " " + e.Asked.Name
		}
		events = append(events, strings.TrimSpace(name))
	})
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		part := strings.SplitN(strings.TrimSpace(line), " ", 3)
		src := record(t, fmt.Sprintf(`{"id": "00000000-0000-4000-8000-%012d", "sender": {"participant_role": %q, "participant_id": "x"}, "message_type": %q, `+
			`"timestamp": "2025-03-03T20:%02d:%02dZ", "content": %q}`, i, part[0], part[1], i/60, i%60, part[2]))
		f.Step(workbench.Read(src, workbench.ShapeOf(src.Root, "")))
	}
	f.Finish()
	return events
}

// A list of as many messages as the service returns by itself may begin in the
// middle of the conversation.
func TestTruncatedListHasNoOrphans(t *testing.T) {
	orphan := "assistant command-response a\n"
	assert.Equal(t, []string{"unasked"}, happened(t, false, orphan+strings.Repeat("user chat hi\n", 20)))
	assert.Empty(t, happened(t, false, orphan+strings.Repeat("user chat hi\n", 99)))
	assert.Equal(t, []string{"unasked"}, happened(t, false, orphan+strings.Repeat("user chat hi\n", 100)))
}

// The state of a tracker is bounded, and it reports when the bound is reached.
func TestTrackerIsBounded(t *testing.T) {
	full := 0
	f := workbench.NewTracker(false, func(e *workbench.Event) {
		if e.Kind == workbench.LimitReached {
			full++
		}
	})
	for i := range workbench.MaxConversations + 10 {
		src := record(t, fmt.Sprintf(`{"id": "x", "conversation_id": "c%d", "event": "conversation.created", "data": {}}`, i))
		f.Step(workbench.Read(src, workbench.ShapeAnnouncement))
	}
	f.Finish()
	assert.Equal(t, 1, full)
}
