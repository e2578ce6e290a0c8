package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/lmclint/lmclint/lint"
)

// LMC509 pairs the last calls of a conversation with more calls than it keeps.
func TestAnswersToManyToolCalls(t *testing.T) {
	var text strings.Builder
	text.WriteString(`{"role": "user", "type": "message", "content": "Show all"}` + "\n")
	for i := range 4098 {
		fmt.Fprintf(&text, `{"role": "assistant", "type": "view_image_call", "tool_call_id": "call_%d", "path": "/tmp/a.png"}
{"role": "tool", "type": "message", "tool_call_id": "call_%[1]d", "content": "User declined to show image."}
`, i)
	}
	assert.Empty(t, lintAll(t, linterFor(lint.Config{Dialect: "classic"}), "calls.jsonl", []byte(text.String())))
}
