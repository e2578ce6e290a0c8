package rules_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// One damaged record is one mistake: no rule has a finding beside the one for the
// damage where a record of a good example is torn, repeated or emptied.
func TestDamageIsOneFinding(t *testing.T) {
	t.Parallel()
	pool, tried := newLinterPool(), 0
	for _, rule := range rules.All() {
		for _, e := range rule.Good {
			config, err := protocol.ExampleConfig(e)
			require.NoError(t, err)
			for name, input := range damages(e.Text()) {
				tried++
				var found []lint.Finding
				for f, err := range pool.linter(config).Lint(t.Context(), "in", strings.NewReader(input)) {
					if unknown := new(lint.UnknownInputError); errors.As(err, &unknown) {
						break // nothing of LMC is left
					}
					require.NoError(t, err, input)
					found = append(found, f)
				}
				assert.LessOrEqual(t, len(found), 1, "%s, good example %q, %s:\n%v\n%s", rule.ID, e.Name, name, found, input)
			}
		}
	}
	assert.Greater(t, tried, 1000)
}

// damages returns what may become of a text with one of its records damaged. A
// record is a line, or an element of an array that is on a line of its own.
func damages(text string) map[string]string {
	lines := strings.Split(text, "\n")
	damaged := map[string]string{}
	for i, line := range lines {
		record := strings.TrimRight(strings.TrimLeft(line, "[ "), ",] ")
		if !strings.HasPrefix(record, "{") || !json.Valid([]byte(record)) {
			continue
		}
		between := "\n"
		if strings.HasPrefix(text, "[") || strings.HasSuffix(line, ",") || i > 0 && strings.HasSuffix(lines[i-1], ",") {
			between = ",\n" // an element of an array
		}
		for name, instead := range map[string]string{"torn": record[:len(record)/2], "repeated": record + between + record, "emptied": emptied(record)} {
			changed := slices.Clone(lines)
			changed[i] = strings.Replace(line, record, instead, 1)
			damaged[fmt.Sprintf("line %d %s", i+1, name)] = strings.Join(changed, "\n")
		}
	}
	return damaged
}

// emptied returns a record without its members, or a line of a log without those
// of its frame.
func emptied(record string) string {
	var line struct {
		Frame json.RawMessage `json:"frame"`
	}
	if json.Unmarshal([]byte(record), &line) == nil && len(line.Frame) > 0 {
		return strings.Replace(record, string(line.Frame), "{}", 1)
	}
	return "{}"
}
