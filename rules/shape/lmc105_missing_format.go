package shape

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var missingFormat = &lint.Rule{
	ID: "LMC105", Name: "missing-format",
	Summary: "A record lacks the format that its type requires, or the format is empty",
	Rationale: "Open Interpreter reads the format of code, console output and images and raises KeyError 'format': the terminal " +
		"aborts the response at code and images and does not draw the output, and each later request of the conversation " +
		"fails. A model without vision never gets the image.",
	Evidence: []string{
		"documentation, lmc-messages: console, image, code and audio have formats",
		"recordings: all 8,022 console contents, 832 flags of code, images and reviews, and 518 confirmations have one",
		"endolith/open-interpreter, pull request 224: an image without a format stops the conversion for the model",
	},
	Requirements: []string{"LMC-REC-3"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Fixes: lint.SafeFixes | lint.UnsafeFixes,
	Bad: []lint.Example{{
		Name:  "code without a language",
		Input: example.Altered(codeTranscript, `"format": "python", `, ``),
		Edits: []string{`de", "content":`, `de", "format": "python", "content":`},
		Want:  []string{"LMC105 2:2"},
	}, {
		Name:  "the language under another key",
		Input: example.Altered(codeTranscript, `"format": "python"`, `"language": "python"`),
		Want:  []string{"LMC105 2:40"},
	}, {
		Name:  "a misspelled key",
		Input: example.Altered(codeTranscript, `"format": "python"`, `"fromat": "python"`),
		Want:  []string{"LMC105 2:40"},
	}, {
		Name:  "an empty format",
		Input: example.Altered(codeTranscript, `"format": "python"`, `"format": ""`),
		Edits: []string{`""`, `"python"`},
		Want:  []string{"LMC105 2:50"},
	}},
	Good: []lint.Example{{
		Name:  "code has its language as format; messages have no format",
		Input: codeTranscript,
	}},
	New: protocol.ReportViolations(reportMissingFormat),
}

func reportMissingFormat(p *lint.Pass, v *protocol.Violation) lint.Finding {
	words, made := `"format": `+valuesOf(v.Expected), addKey(v.Record, "format", v.Expected)
	if t, ok := protocol.StateOf(p).Dialect.Type(v.Type); ok && t.AnyCode {
		words, made = `"format": the language, such as "python"`, nil
	}
	if v.Node != v.Record.Root {
		return lint.Finding{Place: v.Place(), Message: protocol.Subject(v.Record) + " has an empty format", Help: "set " + words, Fix: made}
	}
	return withRemedy(p, v, []string{"format"}, lint.Finding{Message: protocol.Subject(v.Record) + " has no format", Help: "add " + words, Fix: made})
}
