package protocol

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/lmclint/lmclint/internal/dev/generated"
	"github.com/lmclint/lmclint/internal/model/lmc"
)

const trackerPage = "../../../docs/tracker.md"

// TestGeneratedInvalidations compares the table of what a record explains in the
// stream with docs/tracker.md.
func TestGeneratedInvalidations(t *testing.T) {
	names := []struct {
		part lmc.InvalidParts
		name string
	}{{lmc.InvalidRole, "role"}, {lmc.InvalidType, "type"}, {lmc.InvalidFormat, "format"}, {lmc.InvalidContent, "content"}, {lmc.InvalidLine, "line"}}
	table := "A finding about a record makes parts of it invalid for the tracker:\n\n| finding | invalid | principle |\n|---|---|---|\n"
	for _, v := range invalidations {
		var parts []string
		left := v.parts
		for _, n := range names {
			if left&n.part != 0 {
				parts = append(parts, n.name)
				left &^= n.part
			}
		}
		assert.Zero(t, left, "a part without a name")
		rule := ruleOf[v.by]
		if v.when != "" {
			rule += ", if " + v.when
		}
		table += fmt.Sprintf("| %s | %s | %s |\n", rule, strings.Join(parts, ", "), v.principle)
	}
	generated.Section(t, trackerPage, "<!-- explanations:record -->\n", "<!-- explanations:record end -->", table)
}

// TestGeneratedExplanations compares the table of when a rule is not reported
// with docs/tracker.md.
func TestGeneratedExplanations(t *testing.T) {
	table := "A rule reports nothing under these conditions:\n\n| rule | condition | principle |\n|---|---|---|\n"
	for _, rule := range slices.Sorted(maps.Keys(explanations)) {
		for _, c := range explanations[rule] {
			table += fmt.Sprintf("| %s | %s | %s |\n", rule, c.words, c.principle)
		}
	}
	generated.Section(t, trackerPage, "<!-- explanations:stream -->\n", "<!-- explanations:stream end -->", table)
}
