package convert_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/change/convert"
	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/dev/mutation"
	"github.com/lmclint/lmclint/internal/dev/mutation/mutationtest"
	"github.com/lmclint/lmclint/internal/model/assemble"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
	"github.com/lmclint/lmclint/schema"
)

// unstreamed are the transcripts that no stream of the interpreter gives, and why.
var unstreamed = map[string]string{
	"vision_description": "descriptions of images are not streamed",
}

// restored are the transcripts whose stream is complete, and why its consumer still stores
// another text.
var restored = map[string]string{
	"long_output_scrollbars": "the notice of cut output is another one with the computer's API",
}

// healthy returns the recordings without errors and warnings.
func healthy(t *testing.T, transcripts bool) (recordings []*mutation.Recording) {
	t.Helper()
	all, err := mutationtest.Load(os.DirFS(filepath.Join(suite, "recorded")))
	require.NoError(t, err)
	for _, r := range all {
		if r.Transcript == transcripts {
			recordings = append(recordings, r)
		}
	}
	return recordings
}

// shortName is the name of a recording without its version and extensions.
func shortName(r *mutation.Recording) string {
	name, _, _ := strings.Cut(filepath.Base(r.Name), ".")
	return name
}

// dialect returns a published dialect.
func dialect(t *testing.T, name string) *schema.Dialect {
	t.Helper()
	d, ok := schema.Lookup(name)
	require.True(t, ok, name)
	return d
}

// complaints returns the findings above a note of a text.
func complaints(t *testing.T, text []byte, config lint.Config) (found []string) {
	t.Helper()
	linter, err := lint.New(rules.All(), lint.WithConfig(config))
	require.NoError(t, err)
	for f, err := range linter.Lint(t.Context(), "x", bytes.NewReader(text)) {
		require.NoError(t, err)
		if f.Severity > lint.SeverityNote {
			found = append(found, f.Rule.ID+" "+f.Message)
		}
	}
	return found
}

// A valid transcript becomes a valid stream in its dialect. Its consumer makes the
// same transcript again.
func TestChunksGiveTheTranscript(t *testing.T) {
	given := 0
	for _, r := range exhaustive.Sample(healthy(t, true), 15) {
		own := r.Dialect
		chunks, losses, err := converted(r.Data(), convert.Options{To: convert.Chunks, Dialect: dialect(t, own), AutoRun: r.AutoRun})
		require.NoError(t, err, r.Name)
		if unstreamed[shortName(r)] != "" {
			assert.NotEmpty(t, losses, r.Name)
			continue
		}
		assert.Empty(t, losses, r.Name)
		assert.Empty(t, complaints(t, chunks, lint.Config{Dialect: own, AutoRun: r.AutoRun}), "%s:\n%s", r.Name, chunks)
		same := assert.Equal
		if restored[shortName(r)] != "" {
			same = assert.NotEqual
		}
		same(t, asJSON(t, r.Data()), again(t, chunks, own, r.AutoRun), r.Name)
		given++
	}
	least := 10
	if exhaustive.Enabled() {
		least = 20
	}
	assert.Greater(t, given, least)
}

// asJSON returns the messages as convert writes them.
func asJSON(t *testing.T, transcript []byte) string {
	t.Helper()
	out, _, err := converted(transcript, convert.Options{To: convert.JSON})
	require.NoError(t, err)
	return string(out)
}

// again returns the messages that a stream gives.
func again(t *testing.T, chunks []byte, name string, autoRun bool) string {
	t.Helper()
	out, losses, err := converted(chunks, convert.Options{
		To: convert.Messages, Assembly: assemble.Options{StorageRules: dialect(t, name).StorageRules, AutoRun: autoRun},
	})
	require.NoError(t, err)
	for _, l := range losses { // a cut output is cut again
		assert.Contains(t, l.Message, "output exceeds")
	}
	return string(out)
}

// Dialects of servers have sessions, which the server stores.
func TestChunksOfASession(t *testing.T) {
	for _, r := range exhaustive.Sample(healthy(t, true), 10) {
		if r.Dialect != "interpreter" || unstreamed[shortName(r)]+restored[shortName(r)] != "" {
			continue
		}
		for _, name := range []string{"server", "01"} {
			chunks, losses, err := converted(r.Data(), convert.Options{To: convert.Chunks, Dialect: dialect(t, name)})
			require.NoError(t, err)
			assert.Empty(t, losses, "%s as %s", r.Name, name)
			assert.Contains(t, string(chunks), `{"dir": "send", "frame": `)
			assert.Empty(t, complaints(t, chunks, lint.Config{Dialect: name}), "%s as %s", r.Name, name)
			assert.Equal(t, asJSON(t, r.Data()), again(t, chunks, name, false), "%s as %s", r.Name, name)
		}
	}
}

// What Open Interpreter 0.1.16 stored and streamed becomes a valid transcript
// and a valid stream.
func TestPreLMC(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(suite, "recorded", "v0.1.16", "*.*"))
	require.NoError(t, err)
	seen := 0
	for _, path := range paths {
		if strings.HasSuffix(path, ".expect.json") {
			continue
		}
		seen++
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, o := range []convert.Options{
			{To: convert.Messages},
			{To: convert.Chunks},
			{To: convert.Python, FromVersion: convert.PreLMC},
			{To: convert.Chunks, Dialect: dialect(t, "server")},
		} {
			out, losses, err := converted(text, o)
			require.NoError(t, err, path)
			if o.Dialect == nil {
				assert.Empty(t, losses, path)
			}
			config := lint.Config{}
			if o.Dialect != nil {
				config.Dialect = o.Dialect.Name
			}
			assert.Empty(t, complaints(t, out, config), "%s to %s:\n%s", path, o.To, out)
		}
	}
	assert.Equal(t, 5, seen)
}
