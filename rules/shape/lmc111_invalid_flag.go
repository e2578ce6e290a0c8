package shape

import (
	"fmt"
	"strings"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var invalidFlag = &lint.Rule{
	ID: "LMC111", Name: "invalid-flag", Since: "0.1",
	Summary: "A start or end flag has a value other than true",
	Rationale: "Open Interpreter's terminal and server check that the key is present, so that \"start\": false " +
		"starts a block and \"end\": false ends one; web clients check for true, and never save a message whose end is false. If every chunk has both keys as false, " +
		"the terminal draws a block per chunk and the server never answers.",
	Evidence: []string{
		"recordings: all 4,831 flags are exactly true",
		"async_core.py, input() and accumulate(): \"start\" in chunk",
		"issue OpenInterpreter/01#253: a client sends \"end\": false with its content",
	},
	Requirements: []string{"LMC-REC-7"},
	Severity:     lint.SeverityError, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	Fixes: lint.SafeFixes | lint.UnsafeFixes,
	Bad: []lint.Example{{
		Name:  "an end flag that is false",
		Input: example.Altered(helloStream, `"end": true`, `"end": false`),
		Want:  []string{"LMC111 3:49"},
	}, {
		Name:  "flags that are false on content",
		Input: example.Altered(helloStream, `"Hello!"`, `"Hello!", "end": false`),
		Want:  []string{"LMC111 2:70"},
	}},
	Good: []lint.Example{{
		Name:  "flags are true",
		Input: helloStream,
	}},
	New: protocol.ReportViolations(reportInvalidFlag),
}

func reportInvalidFlag(_ *lint.Pass, v *protocol.Violation) lint.Finding {
	does, help := "ends", "write true, or remove the record"
	if v.Key == "start" {
		does = "starts"
	}
	if v.Record.Content != nil || v.Record.Start && v.Record.End {
		help = "remove the key"
	}
	return lint.Finding{
		Place:   v.Place(),
		Message: fmt.Sprintf("%s is %s, expected true", v.Key, v.Shown()),
		Help:    fmt.Sprintf("%s; Open Interpreter only checks that the key is present, so this %s a block", help, does),
		Fix:     flagFix(v),
	}
}

// flagFix returns the fix of a flag that is not true: false beside content, or
// beside a flag that is true, means nothing. A value that no language takes for
// false means true.
func flagFix(v *protocol.Violation) *lint.Fix {
	r, n := v.Record, v.Node
	isFalse := func(n *source.Node) bool {
		return (n == r.StartNode || n == r.EndNode) && n.Kind == source.Bool && n.Value() == false
	}
	isTrue := func(n *source.Node) bool { return n != nil && n.Kind == source.Bool && n.Value() == true }
	if isFalse(n) && (r.Content != nil || isTrue(r.StartNode) || isTrue(r.EndNode)) {
		return fix.Safe("remove the flags that are false", fix.RemoveMembers(r.Source, r.Source.Root, isFalse))
	}
	made := fix.Unsafe("replace "+protocol.ValueText(n)+" with true", fix.ReplaceValue(r.Source, n, true))
	if made != nil && r.Content == nil {
		made.Safe = n.Kind == source.Number && string(n.Raw()) == "1" || n.Kind == source.String && strings.EqualFold(n.Text(), "true")
	}
	return made
}
