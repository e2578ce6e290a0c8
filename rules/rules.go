// Package rules is the catalog: every rule of LMC and of Semantic Workbench with
// its texts, its examples and its check. Each family has a package of its own,
// with one file per rule.
//
// [All] is all that an embedding program needs:
//
//	linter, err := lint.New(rules.All())
package rules

import (
	"time"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/agreement"
	"github.com/lmclint/lmclint/rules/content"
	"github.com/lmclint/lmclint/rules/execution"
	"github.com/lmclint/lmclint/rules/framing"
	"github.com/lmclint/lmclint/rules/input"
	"github.com/lmclint/lmclint/rules/session"
	"github.com/lmclint/lmclint/rules/shape"
	"github.com/lmclint/lmclint/rules/transcript"
	"github.com/lmclint/lmclint/rules/workbench"
)

// All returns every rule, in the order of the ids.
func All() []*lint.Rule { return Catalog().Rules }

// IdleResponse returns the finding of LMC601 about a response that has no complete, where
// nothing followed its last frame for a time. It has no path, severity and record.
func IdleResponse(frame source.Place, idle time.Duration) lint.Finding {
	return session.IdleResponse(frame, idle)
}

// Catalog returns the rules and families that a configuration or a command
// line can select, in the order of their ids.
func Catalog() lint.Catalog {
	var c lint.Catalog
	for _, family := range []struct {
		name, prefix string
		rules        []*lint.Rule
	}{
		{"input", "LMC0", input.Rules()},
		{"shape", "LMC1", shape.Rules()},
		{"framing", "LMC2", framing.Rules()},
		{"execution", "LMC3", execution.Rules()},
		{"content", "LMC4", content.Rules()},
		{"transcript", "LMC5", transcript.Rules()},
		{"session", "LMC6", session.Rules()},
		{"agreement", "LMC7", agreement.Rules()},
		{"wb", "WB", workbench.Rules()},
	} {
		c.Families = append(c.Families, lint.Family{Name: family.name, Prefix: family.prefix})
		c.Rules = append(c.Rules, family.rules...)
	}
	return c
}
