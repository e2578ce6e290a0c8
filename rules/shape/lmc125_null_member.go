package shape

import (
	"fmt"
	"slices"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var noNullFlag = lint.SeverityCase{Severity: lint.SeverityWarning, When: "neither start nor end is null"}

var nullMember = &lint.Rule{
	ID: "LMC125", Name: "null-member",
	Summary: "A key is null instead of absent",
	Rationale: "Serializers write what is not set as null. Open Interpreter's terminal and server only check that start and end are present, " +
		"so that \"start\": null starts a block and \"end\": null ends one; web clients check for true. A message whose recipient is null never reaches the model: " +
		"Open Interpreter leaves the message out of its requests. A null format or id does no harm there. lmclint treats the key as absent everywhere " +
		"else, so that this is the only finding.",
	Evidence: []string{
		"recordings: only the content of the last active_line of an execution is null",
		"async_core.py, input() and accumulate(): \"start\" in chunk; accumulate() accepts a null format",
		"issue pydantic/pydantic#8394: keys of optional fields are written as null unless exclude_none is set",
		"issues exo-explore/exo#2092 and KNMI/covjson-pydantic#6: producers that write null for what is not set",
	},
	Requirements: []string{"LMC-REC-15"},
	Severity:     lint.SeverityError, Severities: []lint.SeverityCase{noNullFlag},
	Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Fixes: lint.SafeFixes,
	Bad: []lint.Example{{
		Name: "model_dump() of optional fields",
		Input: `{"role": "assistant", "type": "message", "format": null, "content": null, "start": true, "end": null}
{"role": "assistant", "type": "message", "format": null, "content": "Hello!", "start": null, "end": null}
{"role": "assistant", "type": "message", "format": null, "content": null, "start": null, "end": true}
`,
		Want: []string{"LMC125 1:52", "LMC125 2:52", "LMC125 3:52"},
	}, {
		Name:  "a stored message without a recipient",
		Input: example.Altered(codeTranscript, `"34 / 24"`, `"34 / 24", "recipient": null`),
		Want:  []string{"LMC125 2:95"},
	}},
	Good: []lint.Example{{
		Name:  "model_dump(exclude_none=True)",
		Input: helloStream,
	}, {
		Name:  "null is the content of the last active_line",
		Input: example.ShellCode + example.Confirmed + example.Executed,
	}},
	New: protocol.ReportViolations(findNullMember),
}

// maxNulls is how many null members of a record a finding names.
const maxNulls = 7

func findNullMember(_ *lint.Pass, v *protocol.Violation) lint.Finding {
	r, keys := v.Record, v.Expected
	isNull := func(n *source.Node) bool { return r.Null(n.Name) != nil && slices.Contains(keys, n.Name) }
	f := lint.Finding{
		Place: v.Place(), Cause: "null",
		Help: "omit keys that are not set: model_dump(exclude_none=True) in pydantic, omitempty in Go, undefined in JavaScript",
		Fix:  fix.Safe("remove the null members", fix.RemoveMembers(r.Source, r.Source.Root, isNull)),
	}
	if !slices.ContainsFunc(keys, isFlagKey) {
		f.Severity = noNullFlag.Severity
	}
	var words []string
	for _, key := range keys[:min(len(keys), maxNulls)] {
		words = append(words, protocol.Word(key))
	}
	if more := len(keys) - maxNulls; more > 0 {
		words = append(words, fmt.Sprintf("%d more", more))
	}
	f.Message = protocol.AllOf(words) + " is null"
	if len(keys) > 1 {
		f.Message = protocol.AllOf(words) + " are null"
	}
	return f
}

func isFlagKey(key string) bool { return key == "start" || key == "end" || key == "stop" }
