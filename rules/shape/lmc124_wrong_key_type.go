package shape

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var wrongKeyType = &lint.Rule{
	ID: "LMC124", Name: "wrong-key-type",
	Summary: "The value of a dialect's own key has the wrong JSON type",
	Rationale: "The community's fork uses a target as the path of a file, paths as a list and an id as text: it fails or " +
		"finds no match when they are something else.",
	Evidence: []string{
		"endolith/open-interpreter, file_edit.py: a target that is not a string is refused; os.path fails on it before",
		"endolith/open-interpreter, tool_dispatch.py: paths is a list of strings, a tool_call_id a string",
	},
	Requirements: []string{"LMC-REC-13"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "a number as the path", Config: lint.Config{Dialect: "classic"},
		Input: `[{"role": "user", "type": "message", "content": "Fix the typo"},
 {"role": "assistant", "type": "edit", "format": "sed", "content": "s/colour/color/", "target": 7}]
`,
		Edits: []string{"7", `"7"`},
		Want:  []string{"LMC124 2:97"},
	}, {
		Name: "one path instead of a list", Config: lint.Config{Dialect: "classic", Kind: protocol.KindStream},
		Input: `{"role": "assistant", "type": "view_image_approval", "paths": "/tmp/a.png"}
`,
		Edits: []string{`"/tmp/a.png"`, `["/tmp/a.png"]`},
		Want:  []string{"LMC124 1:63"},
	}},
	Good: []lint.Example{{
		Name: "strings and lists", Config: lint.Config{Dialect: "classic", Kind: protocol.KindStream},
		Input: `{"role": "assistant", "type": "view_image_approval", "paths": ["/tmp/a.png"]}
`,
	}},
	New: protocol.ReportViolations(reportWrongKeyType),
}

func reportWrongKeyType(_ *lint.Pass, v *protocol.Violation) lint.Finding {
	what, expected := v.Key, protocol.AnyOf(kinds(v.Expected))
	if v.Key == "" {
		what = "an element of the list"
	}
	f := lint.Finding{Place: v.Place(), Message: fmt.Sprintf("%s is %s, expected %s", what, protocol.KindWord(v.Node), expected)}
	switch isString := v.Node.Kind == source.String; {
	case v.Expected[0] == "array" && isString:
		f.Help = "write a list, also for one value"
	case v.Expected[0] == "array":
		f.Help = "write a list of strings"
	case v.Expected[0] == "string":
		f.Help = "write it as text, in quotes"
	default:
		f.Help = "write " + expected + ", or leave the key out"
	}
	return f
}

// kinds returns JSON types with their articles.
func kinds(types []string) []string {
	words := make([]string, len(types))
	for i, t := range types {
		words[i] = protocol.OfKind(t)
	}
	return words
}
