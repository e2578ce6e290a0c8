package rules_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/generated"
	"github.com/lmclint/lmclint/rules"
)

// Configurations and baselines refer to ids and names for years, so that they
// are permanent: docs/versioning.md. The file lists all that were ever used; go
// generate adds those of new rules.
func TestGeneratedIDsArePermanent(t *testing.T) {
	const file = "testdata/ids.txt"
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	added, ids := map[string]string{}, map[string]string{}
	for _, r := range rules.All() {
		added[r.ID], ids[r.Name] = r.Name, r.ID
	}
	var header, lines []string
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if words[0] == "#" {
			header = append(header, line)
			continue
		}
		lines = append(lines, line)
		id, name := words[0], words[1]
		if len(words) > 2 {
			assert.Equal(t, "retired", words[2], id)
			assert.Empty(t, added[id], "%s is retired; a new rule needs a new id", id)
			assert.Empty(t, ids[name], "%s is retired; a new rule needs a new name", name)
			continue
		}
		assert.Equal(t, name, added[id], "%s: the name of a rule is permanent; for a removed rule, append retired to its line in %s", id, file)
		delete(added, id)
	}
	for id, name := range added {
		lines = append(lines, id+" "+name+"\n")
	}
	slices.Sort(lines)
	generated.File(t, file, []byte(strings.Join(slices.Concat(header, lines), "")))
}
