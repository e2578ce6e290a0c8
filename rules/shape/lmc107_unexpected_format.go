package shape

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/offer"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

var unexpectedFormat = &lint.Rule{
	ID: "LMC107", Name: "unexpected-format",
	Summary: "A record has a format, but its type takes none",
	Rationale: "The pair of type and format is invalid. Most consumers ignore such a format. If only some chunks of a " +
		"message have it, Open Interpreter stores the message in two parts, and the last server of OpenInterpreter/01, which compares the whole end flag, never " +
		"sends the end of the audio to its device.",
	Evidence: []string{
		"documentation, lmc-messages: message takes no format",
		"recordings: none of 3,769 chunks of messages has a format",
	},
	Requirements: []string{"LMC-REC-4"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Fixes: lint.SafeFixes | lint.UnsafeFixes,
	Bad: []lint.Example{{
		Name: "a message in Markdown",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
 {"role": "assistant", "type": "message", "format": "markdown", "content": "**Hello!**"}]
`,
		Want: []string{"LMC107 2:43"},
	}, {
		Name: "a format of the producer's own",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
 {"role": "assistant", "type": "message", "format": "greeting", "content": "Hello!"}]
`,
		Want: []string{"LMC107 2:43"},
	}},
	Good: []lint.Example{{
		Name: "a message is text, Markdown or not",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
 {"role": "assistant", "type": "message", "content": "**Hello!**"}]
`,
	}},
	New: protocol.FindViolations(reportUnexpectedFormat),
}

func reportUnexpectedFormat(p *lint.Pass, v *protocol.Violation) lint.Finding {
	s, kind, format := protocol.StateOf(p), protocol.WithArticle(v.Type), v.Record.Format
	because := protocol.ValueText(v.Node)
	if _, _, isLanguage := s.Dialect.Language(format); isLanguage || slices.ContainsFunc(s.Dialect.Types, func(t schema.Type) bool { return hasFormat(&t, format) }) {
		because = "a format of another type"
	}
	if v.RepeatsWith(p, because) {
		return lint.Finding{}
	}
	if v.Type == "" {
		kind = "a flag without a type"
	}
	f := lint.Finding{
		Place: v.Place(), Cause: because, Message: fmt.Sprintf("unexpected format %s on %s", protocol.ValueText(v.Node), kind),
		Help: `remove "format"`, Fix: offer.RemoveKey(v.Record.Source, v.Node),
	}
	if v.Node.Kind != source.String {
		f.Message = fmt.Sprintf("format of %s is %s, expected none", kind, protocol.ValueText(v.Node))
	}
	known := dialectOfFormat(s, v)
	switch {
	case s.Dialect.IsFlag(format) && !v.Record.Flag() && v.Record.Content == nil:
		f.Help = fmt.Sprintf(`%s is a flag, not a format: write %q: true instead of "format"`, format, format)
		f.Fix = fix.Unsafe("make it the flag", slices.Concat(fix.RenameMember(v.Record.Source, v.Node, format), fix.ReplaceValue(v.Record.Source, v.Node, true)))
	case known != "":
		f.Help, f.Fix = known, nil
	case v.Record.Content != nil && v.Record.Content.Kind != source.String:
		f.Help, f.Fix = f.Help+", and write the content as a string", nil
	case f.Fix != nil:
		f.Fix.Safe = slices.Contains(noFormats, strings.ToLower(format)) && v.Node.Kind == source.String
	}
	return f
}

// noFormats are the formats that say no more of a message than that it is text.
var noFormats = []string{"", "none", "null", "text", "plain", "plaintext", "markdown", "message"}
