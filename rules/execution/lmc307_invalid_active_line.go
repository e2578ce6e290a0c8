package execution

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var (
	lineBelowOne    = lint.SeverityCase{Severity: lint.SeverityWarning, When: "integer below 1, or of more than 308 digits"}
	digitsUnderAuto = lint.SeverityCase{Severity: protocol.UnderAuto.Severity, When: "string of digits under " + protocol.UnderAuto.When}
)

var invalidActiveLine = &lint.Rule{
	ID: "LMC307", Name: "invalid-active-line",
	Summary: "An active_line is neither a positive integer nor null",
	Rationale: "active_line is the line of code that runs, counted from 1, and null when the execution is over. For a " +
		"string or a fraction, Open Interpreter's terminal raises a TypeError in OS mode and highlights no line otherwise. " +
		"For an integer below 1 only the highlight is wrong, and OS mode announces the action of line 1 again. The documentation shows a string of digits: without a named dialect that is one warning.",
	Evidence: []string{
		"recordings: 678 integers and 503 nulls, never a string",
		"documentation, streaming-response: the string \"1\", which the docs dialect accepts",
		"wild: consumers that concatenate it fail with: can only concatenate str (not \"int\") to str",
	},
	Requirements: []string{"LMC-EXE-8"},
	Severity:     lint.SeverityError, Severities: []lint.SeverityCase{lineBelowOne, digitsUnderAuto},
	Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	Fixes: lint.SafeFixes,
	Bad: []lint.Example{{
		Name: "line 0; lines are counted from 1",
		Input: example.Running + `{"role": "computer", "type": "console", "format": "active_line", "content": 0}
` + example.Ran,
		Edits: []string{"0", "1"},
		Want:  []string{"LMC307 6:77"},
	}, {
		Name: "a string of digits, as in the documentation", Config: lint.Config{Dialect: "interpreter"},
		Input: example.Running + `{"role": "computer", "type": "console", "format": "active_line", "content": "1"}
` + example.Ran,
		Want: []string{"LMC307 6:77"},
	}},
	Good: []lint.Example{{
		Name:  "a line number, then null",
		Input: example.ShellCode + example.Confirmed + example.Executed,
	}},
	New: newInvalidActiveLine,
}

func newInvalidActiveLine(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnViolation(p, func(v *protocol.Violation) lint.Finding {
		n, text := v.Node, v.Node.Text()
		f := lint.Finding{
			Place:   v.Place(),
			Message: fmt.Sprintf("active_line is %s, expected a positive integer or null", protocol.ValueText(n)),
			Help:    "send the line number, counted from 1, or null at the end of an execution",
		}
		switch {
		case n.Kind == source.String && text != "" && strings.Trim(text, "0") == "": // as 0, which is no line either
			if s := protocol.StateOf(p); s.Dialect.DigitStrings || !s.DialectNamed {
				f.Severity = lineBelowOne.Severity
			}
		case n.Kind == source.String && text != "" && strings.Trim(text, "0123456789") == "":
			f.Help = "send the number without quotes"
			if line, err := strconv.Atoi(text); err == nil && line >= 1 {
				f.Fix = fix.Safe("remove the quotes", fix.ReplaceValue(v.Record.Source, n, line))
			}
			return protocol.Documented(p, f, fmt.Sprintf("active_line is %s, a string as the documentation shows; releases since 0.1.17 send a number", protocol.ValueText(n)))
		case n.Kind == source.Number && !strings.ContainsAny(string(n.Raw()), ".eE"): // less than 1, or of more than 308 digits
			f.Severity = lineBelowOne.Severity
			if len(text) > maxDoubleDigits && text[0] != '-' {
				f.Message = fmt.Sprintf("active_line has %d digits, which JavaScript takes for infinity", len(text))
			}
		case slices.Contains([]string{"null", "None", "nil", "undefined"}, text):
			f.Help = "send null without quotes"
			f.Fix = fix.Safe("remove the quotes", fix.ReplaceValue(v.Record.Source, n, nil))
		}
		return f
	})}
}

// maxDoubleDigits is how many digits each integer may have that a double can be.
const maxDoubleDigits = 308
