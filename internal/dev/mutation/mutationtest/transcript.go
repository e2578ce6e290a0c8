package mutationtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/mutation"
	"github.com/lmclint/lmclint/internal/model/assemble"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/text"
	"github.com/lmclint/lmclint/schema"
)

// Transcript returns the messages that Open Interpreter stores of a stream, or
// those of a transcript, as JSON. Data is the text of the recording or of a changed
// one. Transcript skips records that cannot be read.
func Transcript(t testing.TB, r *mutation.Recording, data []byte) (messages []string) {
	t.Helper()
	dialect, ok := schema.Lookup(r.Dialect)
	if !ok {
		dialect, _ = schema.Lookup(schema.Names()[0])
	}
	a := assemble.New(assemble.Options{
		As: assemble.Interpreter, StorageRules: dialect.StorageRules, AutoRun: r.AutoRun, ContinueAfterCrash: true,
	}, func(message []byte) {
		messages = append(messages, string(message))
	}, func(assemble.Deviation) {})
	reader := text.NewReader(bytes.NewReader(data), source.Options{})
	for {
		rec, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		switch {
		case rec.IsGap, rec.Root == nil, rec.IsLost():
		case r.Transcript:
			var compact bytes.Buffer
			require.NoError(t, json.Compact(&compact, rec.Data))
			messages = append(messages, compact.String())
		default:
			a.Add(lmc.NewRecord(rec))
		}
	}
	a.Finish()
	return messages
}
