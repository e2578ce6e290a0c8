package convert_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/change/convert"
	"github.com/lmclint/lmclint/internal/source"
)

// A value of a list that is not a message is the same after a conversion to each form
// and back, unless the conversion lists a loss or is refused.
func TestOddRecordsInEachForm(t *testing.T) {
	const message = `{"role": "assistant", "type": "message", "content": "a"}`
	compared := 0
	for _, odd := range []string{
		`"text"`, `1`, `null`, `true`, `[]`, `[1]`, `{}`, `[` + message + `]`, `["a", ` + message + `]`,
		`{"a": "b"}`, `{"messages": [` + message + `]}`, `{"messages": []}`, `{"messages": 1}`,
		`{"dir": "send", "frame": ` + message + `}`, `{"frame": ` + message + `}`, `{"chunk": ` + message + `}`, `{"data": ` + message + `}`,
		`{"direction": "out", "data": "x"}`, `{"dir": "recv", "bytes_base64": "AAAA"}`, `{"time": 1, "text": ` + message + `}`,
		`{"role": "assistant", "message": "a"}`, `{"start_of_code": true}`, `{"jsonrpc": "2.0", "method": "x"}`,
		`{"id": "6b0f8b2e-4d5e-4f5e-8f5e-4d5e4f5e8f5e", "message_type": "chat", "content": "a"}`,
	} {
		for _, at := range []int{0, 1, 2} {
			records := []string{message, message}
			records = append(records[:at], append([]string{odd}, records[at:]...)...)
			list := "[" + strings.Join(records, ", ") + "]"
			want, _, err := converted([]byte(list), convert.Options{To: convert.JSON})
			if err != nil {
				continue // check refuses it, too
			}
			for _, form := range forms {
				name := fmt.Sprintf("%s as record %d to %s", odd, at, form)
				there, losses, err := converted([]byte(list), convert.Options{To: form})
				if len(losses) > 0 {
					continue
				}
				compared++
				require.NoError(t, err, name)
				again := convert.Options{To: convert.JSON}
				if form == convert.Python && odd == `"text"` {
					again.Form = source.FormPython // a string begins it
				}
				back, losses, err := converted(there, again)
				require.NoError(t, err, name)
				assert.Empty(t, losses, name)
				assert.JSONEq(t, string(want), string(back), name)
			}
		}
	}
	assert.Greater(t, compared, 200)
}
