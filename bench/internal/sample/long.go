package sample

import (
	"fmt"
	"io"
)

// WriteLong writes a message of three chunks, of which the second has a
// content of that many bytes.
func WriteLong(w io.Writer, bytes int64) error {
	const words = "a very long line without an end, \\u4e2d\\u6587 and \\\"quotes\\\" in it; "
	b := []byte(`{"role": "assistant", "type": "message", "start": true}` + "\n" + `{"role": "assistant", "type": "message", "content": "`)
	for written := int64(0); written < bytes; written += int64(len(words)) {
		b = append(b, words...)
		if len(b) < flushAt {
			continue
		}
		if _, err := w.Write(b); err != nil {
			return fmt.Errorf("write the long line: %w", err)
		}
		b = b[:0]
	}
	b = append(b, "\"}\n"+`{"role": "assistant", "type": "message", "end": true}`+"\n"...)
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("write the long line: %w", err)
	}
	return nil
}
