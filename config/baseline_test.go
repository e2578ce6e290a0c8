package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/config"
	"github.com/lmclint/lmclint/lint"
)

// baselineOf returns a new baseline with an entry for each input.
func baselineOf(path string, inputs ...string) *config.Baseline {
	var entries []lint.BaselineEntry
	for _, input := range inputs {
		entries = append(entries, lint.BaselineEntry{Path: input, Rule: "LMC207", Fingerprint: "00"})
	}
	return &config.Baseline{Baseline: lint.NewBaseline(entries), Path: path}
}

func pathsIn(t *testing.T, path string) (paths []string) {
	t.Helper()
	b, err := config.ReadBaseline(path, config.Options{})
	require.NoError(t, err)
	for _, e := range b.Entries() {
		paths = append(paths, e.Path)
	}
	return paths
}

func TestBaselineNamesAnyFile(t *testing.T) {
	names := map[string]bool{}
	for name, want := range map[string]string{
		"a.jsonl":             "a.jsonl",
		"caf\xe9.jsonl":       `caf\xe9.jsonl`,
		`caf\xe9.jsonl`:       `caf\x5cxe9.jsonl`,
		`caf\x5cxe9.jsonl`:    `caf\x5cx5cxe9.jsonl`,
		"\u00e9 \ufffd.jsonl": "\u00e9 \ufffd.jsonl",
	} {
		if filepath.Separator == '\\' && strings.Contains(name, `\`) {
			continue // a path
		}
		dir := t.TempDir()
		b := baselineOf(filepath.Join(dir, "b.json"))
		got := b.NameOf(filepath.Join(dir, name))
		assert.Equal(t, want, got)
		assert.False(t, names[got], "%s is the name of another file, too", got)
		names[got] = true

		b.Baseline = lint.NewBaseline([]lint.BaselineEntry{{Path: got, Rule: "LMC207", Fingerprint: "00"}})
		require.NoError(t, b.Save(map[string]bool{got: true}))
		assert.Equal(t, []string{got}, pathsIn(t, b.Path))
		assert.Len(t, b.Missing(), 1)
		if os.WriteFile(filepath.Join(dir, name), nil, 0o600) == nil { // not every file system takes any name
			assert.Empty(t, b.Missing())
		}
	}
}

func TestBaselinesOfRunsAtTheSameTimeAreMerged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "b.json")
	require.NoError(t, baselineOf(path, "a", "b").Save(map[string]bool{"a": true, "b": true}))

	first, err := config.ReadBaseline(path, config.Options{})
	require.NoError(t, err)
	second, err := config.ReadBaseline(path, config.Options{})
	require.NoError(t, err)
	third, err := config.ReadBaseline(path, config.Options{})
	require.NoError(t, err)
	first.Baseline = baselineOf(path, "a", "b", "c").Baseline
	require.NoError(t, first.Save(map[string]bool{"c": true}))
	second.Remove([]lint.BaselineEntry{{Path: "a", Rule: "LMC207", Fingerprint: "00"}})
	require.NoError(t, second.Save(map[string]bool{"a": true}))
	assert.Equal(t, []string{"b", "c"}, pathsIn(t, path))

	// Two runs that check the same input must not: one would lose what the other found.
	third.Remove([]lint.BaselineEntry{{Path: "a", Rule: "LMC207", Fingerprint: "00"}})
	require.NoError(t, third.Save(map[string]bool{"a": true}), "both found the same")
	third.Baseline = lint.NewBaseline([]lint.BaselineEntry{{Path: "c", Rule: "LMC207", Fingerprint: "01"}})
	first.Remove([]lint.BaselineEntry{{Path: "c", Rule: "LMC207", Fingerprint: "00"}})
	require.NoError(t, first.Save(map[string]bool{"c": true}))
	require.ErrorContains(t, third.Save(map[string]bool{"c": true}), "another run has changed entries of the same inputs")
}
