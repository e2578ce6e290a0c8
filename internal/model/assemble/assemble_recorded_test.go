package assemble_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/source/text"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/model/assemble"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

const recorded = "../../../testdata/recorded"

// spoke are the dialects of the releases that the recordings are of.
var spoke = map[string]string{
	"v0.1.17": "interpreter-0.1", "v0.2.0": "interpreter-0.2", "v0.3.4": "interpreter-0.3", "v0.4.2": "interpreter",
}

// unlike are the recordings whose transcript is not what was streamed, and why.
var unlike = map[string]string{
	"app_as_computer":        "the application stored the output itself",
	"list_with_images":       "the application supplied messages of the assistant's",
	"edited_code":            "the code was edited at the confirmation",
	"collected_alias":        "the chunks were serialised too late",
	"long_output_scrollbars": "the notice of cut output is another one with the computer's API",
}

// Of every recording of a stream, its transcript comes out to the byte, but
// for the user's messages, which were not streamed.
func TestAssembleRecorded(t *testing.T) {
	streams, err := filepath.Glob(filepath.Join(recorded, "*", "*.chunks.jsonl"))
	require.NoError(t, err)
	compared := 0
	for _, stream := range streams {
		name := strings.TrimSuffix(filepath.Base(stream), ".chunks.jsonl")
		version := filepath.Base(filepath.Dir(stream))
		stored, err := os.ReadFile(strings.TrimSuffix(stream, ".chunks.jsonl") + ".messages.json")
		if errors.Is(err, os.ErrNotExist) || spoke[version] == "" {
			continue
		}
		require.NoError(t, err)
		compared++
		t.Run(version+"/"+name, func(t *testing.T) {
			got, deviations := assembleFile(t, stream, assemblyOf(version, name))
			assert.NotContains(t, deviations, assemble.Crash)
			if unlike[name] != "" {
				assert.NotEqual(t, withoutUser(t, stored), got)
				return
			}
			assert.Equal(t, withoutUser(t, stored), got)
		})
	}
	assert.Greater(t, compared, 75)
}

// assemblyOf is how a recording was made.
func assemblyOf(version, name string) assemble.Options {
	dialect, _ := schema.Lookup(spoke[version])
	assembly := assemble.Options{
		As: assemble.Interpreter, StorageRules: dialect.StorageRules,
		AutoRun: strings.HasSuffix(name, "_autorun") || name == "loop_mode",
	}
	if name == "small_max_output" {
		assembly.MaxOutput = 100
	}
	return assembly
}

// withoutUser is a stored transcript without the user's messages.
func withoutUser(t *testing.T, stored []byte) string {
	t.Helper()
	var messages []json.RawMessage
	require.NoError(t, json.Unmarshal(stored, &messages))
	var kept []string
	for _, m := range messages {
		var user struct{ Role string }
		require.NoError(t, json.Unmarshal(m, &user))
		if user.Role != "user" {
			kept = append(kept, string(m))
		}
	}
	return "[" + strings.Join(kept, ", ") + "]"
}

// assembleFile assembles a recording, and returns the kinds of deviations, too.
func assembleFile(t *testing.T, path string, assembly assemble.Options) (transcript string, deviations []assemble.DeviationKind) {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var messages []string
	assembler := assemble.New(assembly,
		func(message []byte) { messages = append(messages, string(message)) },
		func(m assemble.Deviation) { deviations = append(deviations, m.Kind) })
	reader := text.NewReader(bytes.NewReader(data), source.Options{})
	for {
		src, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		switch {
		case src.Binary:
			assembler.Binary(src)
		case src.Root != nil:
			require.True(t, assembler.Add(lmc.NewRecord(src)))
		}
	}
	assembler.Finish()
	return "[" + strings.Join(messages, ", ") + "]", deviations
}

// Whatever is fed to it, a consumer gives JSON, and ends.
func FuzzAssemble(f *testing.F) {
	f.Add(greeting+ranCode, byte(0))
	f.Add(`{"role": "user", "start": true}`+"\n"+`{"role": "user", "type": "command", "content": [1, {}]}`+"\n"+`{"end": 1}`, byte(1))
	f.Add("{'role': 'computer', 'format': 'active_line', 'content': '\\ud83c', 'end': True}", byte(2))
	f.Fuzz(func(t *testing.T, input string, how byte) {
		dialect, _ := schema.Lookup(schema.Names()[int(how/3)%4])
		assembly := assemble.Options{As: assemble.Consumers()[how%2], StorageRules: dialect.StorageRules, AutoRun: how >= 128, ContinueAfterCrash: true}
		assembly.MaxOutput = 3
		assembler := assemble.New(assembly,
			func(message []byte) {
				if !json.Valid(message) {
					t.Errorf("no JSON: %s", message)
				}
			},
			func(m assemble.Deviation) {
				if m.Message == "" || m.Place.Span.Start.Line < 1 {
					t.Errorf("a deviation without a message or place: %+v", m)
				}
			})
		reader := text.NewReader(strings.NewReader(input), source.Options{})
		for {
			src, err := reader.Next()
			if err != nil {
				break
			}
			if src.Root == nil || src.Root.Kind != source.Object {
				continue
			}
			src.Direction = source.Direction(how % 5 % 3)
			if !assembler.Add(lmc.NewRecord(src)) {
				t.Fatal("the consumer stopped")
			}
		}
		assembler.Finish()
	})
}

// Of every recorded session, the messages of the server come out to the byte,
// the user's among them.
func TestAssembleRecordedSessions(t *testing.T) {
	sessions, err := filepath.Glob("testdata/sessions/*.ws.jsonl")
	require.NoError(t, err)
	require.Len(t, sessions, 15)
	dialect, _ := schema.Lookup("server")
	for _, session := range sessions {
		name := strings.TrimSuffix(filepath.Base(session), ".ws.jsonl")
		t.Run(name, func(t *testing.T) {
			stored, err := os.ReadFile(filepath.Join(recorded, "v0.4.2", name+".messages.json"))
			require.NoError(t, err)
			got, _ := assembleFile(t, session, assemble.Options{As: assemble.Server, StorageRules: dialect.StorageRules})
			assert.Equal(t, string(stored), got)
		})
	}
}
