package shape

import (
	"fmt"
	"strings"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var invalidFlag = &lint.Rule{
	ID: "LMC111", Name: "invalid-flag",
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
	does, help := "ends", "write true"
	if v.Key == "start" {
		does = "starts"
	}
	if v.Node.Kind == source.Bool {
		help = "write true, or remove the record"
	}
	if lmc.IsUnset(v.Node) && (v.Record.Content != nil || v.Record.IsSet()) {
		help = "remove the key"
	}
	return lint.Finding{
		Place:   v.Place(),
		Message: fmt.Sprintf("%s is %s, expected true", v.Key, protocol.ValueText(v.Node)),
		Help:    fmt.Sprintf("%s; Open Interpreter only checks that the key is present, so this %s a block", help, does),
		Fix:     flagFix(v),
	}
}

// flagFix returns the fix of the flags of a record that are not true: one that is not set
// means nothing beside content, or beside one that is set. Any other value means true.
func flagFix(v *protocol.Violation) *lint.Fix {
	r := v.Record
	isFlag := func(n *source.Node) bool { return n == r.StartNode || n == r.EndNode }
	isUnset := func(n *source.Node) bool { return isFlag(n) && lmc.IsUnset(n) }
	var edits []lint.Edit
	if r.Content != nil || r.IsSet() {
		edits = fix.RemoveMembers(r.Source, r.Root, isUnset)
		if isUnset(v.Node) && edits == nil {
			return nil
		}
	}
	done, safe := "remove the flags that are not set", true
	for i := range r.Root.Children {
		n := &r.Root.Children[i]
		if !isFlag(n) || n.Kind == source.Bool && n.Value() == true || isUnset(n) && len(edits) > 0 {
			continue
		}
		edits = append(edits, fix.ReplaceValue(r.Source, n, true)...)
		done = "replace " + protocol.ValueText(n) + " with true"
		safe = safe && r.Content == nil && (string(n.Raw()) == "1" || strings.EqualFold(n.Text(), "true"))
	}
	if !safe {
		return fix.Unsafe(done, edits)
	}
	return fix.Safe(done, edits)
}
