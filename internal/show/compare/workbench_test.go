package compare_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/show/compare"
	"github.com/lmclint/lmclint/lint"
)

// Of Semantic Workbench, messages, events and records that are invalid are
// compared. Ids and times are not, and neither are participants.
func TestWorkbench(t *testing.T) {
	message := func(id int, more string) string {
		return fmt.Sprintf(`{"id": "00000000-0000-4000-8000-%012d", "sender": {"participant_role": "user", "participant_id": "u"}, `+
			`"message_type": "chat", "timestamp": "2025-03-03T20:01:%02dZ", "content_type": "text/plain", %s, "filenames": [], "metadata": {}, "has_debug_data": false}`, id, id, more)
	}
	const participant = `{"role": "user", "id": "u", "conversation_id": "24a23094-4245-4c3b-8fbe-d6de3f88465b", "name": "A", "image": null, "status": null, ` +
		`"status_updated_timestamp": "2025-03-03T20:01:00Z", "active_participant": true, "online": null, "conversation_permission": "read_write", "metadata": {}}`
	const event = `{"id": "00000000000000000000000000000001", "correlation_id": "", "conversation_id": "24a23094-4245-4c3b-8fbe-d6de3f88465b", ` +
		`"event": "participant.created", "timestamp": "2025-03-03T20:01:01Z", "data": {"participant": ` + participant + `, "participants": [` + participant + `]}}`
	text := func(lines ...string) []byte { return []byte(strings.Join(lines, "\n") + "\n") }
	one, two := message(1, `"content": "one"`), message(2, `"content": {"text": "two"}`)
	for _, test := range []struct {
		name string
		b    []byte
		want []string
	}{
		{"the same", text(one, two), nil},
		{"other ids and times", text(message(3, `"content": "one"`), message(4, `"content": {"text": "two"}`)), nil},
		{"a participant", text(one, participant, two), nil},
		{"an event", text(one, event, two), []string{"added"}},
		{"another text", text(message(1, `"content": "uno"`), two), []string{"changed content"}},
		{"another value", text(one, message(2, `"content": {"text": "dos"}`)), []string{"changed values"}},
		{"another object", text(one, `{"nothing": 1}`, two), []string{"added"}},
		{"a line that is not a record", text(one, `{"id": `, two), []string{"added"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			found := compare.Compare(readAny(t, text(one, two)), readAny(t, test.b), compare.Options{})
			var got []string
			for _, d := range found.Differences {
				got = append(got, strings.TrimSpace(fmt.Sprint(d.Change, " ", strings.Trim(fmt.Sprint(d.Fields), "[]"))))
			}
			assert.Equal(t, test.want, got)
		})
	}
}

// A stream of events is compared with the list of its messages, the user's, too.
func TestWorkbenchEventsAndMessages(t *testing.T) {
	events, err := os.ReadFile("../../../testdata/workbench/streams/user_events.sse")
	require.NoError(t, err)
	var messages bytes.Buffer
	for text := range strings.SplitSeq(string(events), "\n\n") {
		_, data, _ := strings.Cut(text, "event: message.created\ndata: ")
		var event struct {
			Data struct{ Message json.RawMessage }
		}
		if json.NewDecoder(strings.NewReader(data)).Decode(&event) == nil && event.Data.Message != nil {
			messages.Write(append(event.Data.Message, '\n'))
		}
	}
	a, b := readAny(t, events), readAny(t, messages.Bytes())
	for _, found := range []*compare.Result{compare.Compare(a, b, compare.Options{}), compare.Compare(b, a, compare.Options{})} {
		assert.Empty(t, found.Differences)
		assert.Equal(t, bytes.Count(messages.Bytes(), []byte{'\n'}), found.Equal)
	}
}

// readAny reads a recording of any protocol.
func readAny(t *testing.T, text []byte) *compare.Recording {
	t.Helper()
	result, err := anyLinter.Run(context.Background(), "in", bytes.NewReader(text), func(lint.Finding) error { return nil })
	require.NoError(t, err)
	return compare.Of(result)
}
