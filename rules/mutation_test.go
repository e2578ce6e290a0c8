package rules_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/mutation"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// mutationTable is what TestMutations finds, for people to read.
const mutationTable = "../testdata/mutations.md"

// TestMutations seeds one mistake of each kind in each recording that has a
// place for it, and compares what is found with the published table. Run it
// with -update to write the table; read the difference before you commit it.
func TestMutations(t *testing.T) {
	recordings, err := mutation.Load(os.DirFS(filepath.Join(suite, "recorded")))
	require.NoError(t, err)
	require.NotEmpty(t, recordings)
	linters := linters{}
	healthy := make([]tally, len(recordings))
	for i, r := range recordings {
		healthy[i] = notes(linters.lint(t, r, r.Data()))
	}
	var scores []score
	for _, kind := range mutation.Kinds() {
		s := score{kind: kind.Name}
		for i, r := range recordings {
			if m := kind.Seed(r); m != nil {
				s.count(t, r, m, news(linters.lint(t, r, m.Data), healthy[i], m))
			}
		}
		require.NotZero(t, s.mutants, "no recording has a place for %q", kind.Name)
		scores = append(scores, s)
	}
	table := mutationReport(scores, len(recordings))
	if *update {
		require.NoError(t, os.WriteFile(mutationTable, table, 0o644))
	}
	published, err := os.ReadFile(mutationTable)
	require.NoError(t, err)
	assert.Equal(t, string(published), string(table), "go test ./rules -run TestMutations -update writes it")
}

// score counts what was found of the mutants of a kind.
type score struct {
	kind    string
	mutants int
	found   int // anything new was found
	placed  int // a wanted rule found it on one of its lines
	more    int // more than one finding above a note
}

func (s *score) count(t *testing.T, r *mutation.Recording, m *mutation.Mutant, found []lint.Finding) {
	s.mutants++
	if len(found) > 0 {
		s.found++
	}
	loud := 0
	for _, f := range found {
		if f.Severity != lint.SeverityNote {
			loud++
		}
	}
	if loud > 1 {
		s.more++
	}
	if slices.ContainsFunc(found, func(f lint.Finding) bool { return isPlaced(m, f) }) {
		s.placed++
		if loud <= 1 {
			return
		}
	}
	if testing.Verbose() {
		t.Logf("%s in %s: expected %v on %v, found %s", s.kind, r.Name, m.Want, m.At, told(found))
	}
}

func isPlaced(m *mutation.Mutant, f lint.Finding) bool {
	return slices.Contains(m.Want, f.Rule.ID) && slices.Contains(m.At, f.Place.Span.Start.Line)
}

func told(found []lint.Finding) string {
	var words []string
	for _, f := range found {
		words = append(words, fmt.Sprintf("%s %d: %s", f.Rule.ID, f.Place.Span.Start.Line, f.Message))
	}
	return strings.Join(words, "; ")
}

// linters are the linters that recordings need, by their configuration.
type linters map[lint.Config]*lint.Linter

// lint lints a mutant as its recording is linted.
func (l linters) lint(t *testing.T, r *mutation.Recording, data []byte) []lint.Finding {
	t.Helper()
	config := lint.Config{Dialect: r.Dialect, AutoRun: r.AutoRun, AllowEmpty: true}
	linter := l[config]
	if linter == nil {
		linter = lint.New(rules.All(), lint.WithConfig(config))
		l[config] = linter
	}
	return lintAll(t, linter, r.Name, data)
}

// tally counts findings by rule.
type tally map[string]int

// notes counts the notes among findings.
func notes(found []lint.Finding) tally {
	count := tally{}
	for _, f := range found {
		if f.Severity == lint.SeverityNote {
			count[f.Rule.ID]++
		}
	}
	return count
}

// news leaves out the notes that the healthy recording has as well.
func news(found []lint.Finding, healthy tally, m *mutation.Mutant) []lint.Finding {
	seen := tally{}
	return slices.DeleteFunc(found, func(f lint.Finding) bool {
		if f.Severity != lint.SeverityNote || isPlaced(m, f) || seen[f.Rule.ID] == healthy[f.Rule.ID] {
			return false
		}
		seen[f.Rule.ID]++
		return true
	})
}

// mutationReport writes the table.
func mutationReport(scores []score, recordings int) []byte {
	var total score
	var rows bytes.Buffer
	for _, s := range scores {
		fmt.Fprintf(&rows, "| %s | %d | %s | %s | %s |\n", s.kind, s.mutants, percent(s.found, s.mutants), percent(s.placed, s.mutants), percent(s.more, s.mutants))
		total.mutants += s.mutants
		total.found += s.found
		total.placed += s.placed
		total.more += s.more
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "# Seeded mistakes\n\nOne mistake of each of %d kinds in each of %d healthy recordings that has a place for it: %d mutants.\n", len(scores), recordings, total.mutants)
	fmt.Fprintf(&out, "Found: %d (%s). Found by the right rule on the right line: %d (%s). With more than one error or warning: %d (%s).\n",
		total.found, percent(total.found, total.mutants), total.placed, percent(total.placed, total.mutants), total.more, percent(total.more, total.mutants))
	out.WriteString("\n`go test ./rules -run TestMutations -update` writes this table; with `-v` it names the mutants that fall short.\n\n")
	out.WriteString("| mistake | mutants | found | right rule and line | more than one finding |\n| --- | ---: | ---: | ---: | ---: |\n")
	out.Write(rows.Bytes())
	return out.Bytes()
}

// percent never rounds up to 100 %, nor down to 0 %.
func percent(part, whole int) string {
	switch part {
	case whole:
		return "100 %"
	case 0:
		return "0 %"
	}
	share := 100 * float64(part) / float64(whole)
	return fmt.Sprintf("%.2f %%", min(max(share, 0.01), 99.99))
}
