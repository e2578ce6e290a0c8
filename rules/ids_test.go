package rules_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/rules"
)

// Configurations and baselines name rules for years. See docs/versioning.md.
func TestIDsAndNamesAreForGood(t *testing.T) {
	text, err := os.ReadFile("testdata/ids.txt")
	require.NoError(t, err)
	names, ids := map[string]string{}, map[string]string{}
	for _, r := range rules.All() {
		names[r.ID], ids[r.Name] = r.Name, r.ID
	}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if words[0] == "#" {
			continue
		}
		id, name := words[0], words[1]
		if len(words) > 2 {
			assert.Equal(t, "retired", words[2], id)
			assert.Empty(t, names[id], "%s is retired; a new rule needs a new id", id)
			assert.Empty(t, ids[name], "%s is retired; a new rule needs a new name", name)
			continue
		}
		assert.Equal(t, name, names[id], "%s: a rule keeps its name; if it is gone, write retired behind it in testdata/ids.txt", id)
		delete(names, id)
	}
	assert.Empty(t, names, "new rules need a line in testdata/ids.txt")
}
