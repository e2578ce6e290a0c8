package shape

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/judge/offer"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/media"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
	"github.com/lmclint/lmclint/schema"
)

var invalidFormat = &lint.Rule{
	ID: "LMC106", Name: "invalid-format",
	Summary: "A record's format is not supported by its type",
	Rationale: "Open Interpreter's terminal does not draw console output of another format, and each later request of a " +
		"conversation that contains it raises an exception. An image of another format raises one in the request to a " +
		"vision model; other models never get it.",
	Evidence: []string{
		"documentation, lmc-messages: the table of types and formats",
		"recordings: the key sets of 30,707 chunks",
		"wild: a backend that swaps type and format, and an interface that takes code whose format is execution",
	},
	Requirements: []string{"LMC-VOC-3"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Fixes: lint.SafeFixes | lint.UnsafeFixes,
	Bad: []lint.Example{{
		Name:  "a misspelled format",
		Input: example.Altered(codeTranscript, `"output"`, `"otput"`),
		Want:  []string{"LMC106 3:52"},
	}, {
		Name: "an image format without its encoding",
		Input: `[{"role": "user", "type": "image", "format": "png", "content": "` + example.OnePNG + `"},
 {"role": "user", "type": "message", "content": "What is this?"}]
`,
		Want: []string{"LMC106 1:46"},
	}, {
		Name:  "the format of another protocol",
		Input: example.Altered(codeTranscript, `"output"`, `"stdout"`),
		Want:  []string{"LMC106 3:52"},
	}},
	Good: []lint.Example{{
		Name: "formats of the documented table",
		Input: `[{"role": "user", "type": "image", "format": "path", "content": "plot.png"},
 {"role": "user", "type": "message", "content": "What is this?"},
 {"role": "assistant", "type": "code", "format": "python", "content": "print('a plot')"},
 {"role": "computer", "type": "console", "format": "output", "content": "a plot\n"}]
`,
	}},
	New: protocol.ReportViolations(reportInvalidFormat),
}

func reportInvalidFormat(p *lint.Pass, v *protocol.Violation) lint.Finding {
	d := protocol.StateOf(p).Dialect
	f := lint.Finding{Place: v.Place(), Message: fmt.Sprintf("unknown %s format %s", v.Type, protocol.ValueText(v.Node)), Help: invalidFormatHelp(protocol.StateOf(p), v)}
	if v.Node.Kind != source.String {
		f.Message = fmt.Sprintf("format of %s is %s, expected a string", v.Type, protocol.ValueText(v.Node))
		return f
	}
	right, nearest := imageFormat(v), nearestFormat(v)
	if nearest == "" && len(v.Expected) == 1 {
		nearest = v.Expected[0]
	}
	t, ok := d.Type(v.Type)
	switch isImage := v.Record.Type == "image" && media.Begins(v.Record.Text()) != media.Unknown; {
	case ok && t.Options == schema.FormatOnContentOnly && v.Record.Flag():
		f.Fix = offer.RemoveKey(v.Record.Source, v.Node)
	case right != "":
		f.Fix = offer.ReplaceWord(v.Record.Source, v.Node, right)
	case isImage: // its bytes decide
	default:
		if f.Fix = offer.CorrectIn("format", d, v); f.Fix == nil && nearest != "" {
			f.Fix = offer.Guess(v.Record.Source, v.Node, nearest)
		}
	}
	return f
}

func invalidFormatHelp(s *protocol.State, v *protocol.Violation) string {
	if t, ok := s.Dialect.Type(v.Type); ok {
		switch {
		case t.Options == schema.FormatOnContentOnly && v.Record.Flag():
			return fmt.Sprintf(`remove "format"; the flags of a %s have none`, t.Name)
		case t.AnyCode:
			return `write the language as a string, such as "python"`
		case hasFormat(t, v.Record.Format):
			return fmt.Sprintf("in a %s, expected %s", s.Kind, protocol.AnyOf(v.Expected))
		}
	}
	nearest := nearestFormat(v)
	if right := imageFormat(v); right != "" && right != nearest {
		return fmt.Sprintf("write %s: the content is a %s image", protocol.Quoted(right), media.Named(right))
	}
	if nearest != "" {
		return protocol.DidYouMean(nearest)
	}
	if known := dialectOfFormat(s, v); known != "" {
		return known
	}
	return "expected " + protocol.AnyOf(v.Expected)
}

// dialectOfFormat returns the help that names the dialect in which the type has the
// format, or "".
func dialectOfFormat(s *protocol.State, v *protocol.Violation) string {
	return s.OtherDialectHelp(func(d *schema.Dialect) bool {
		t, ok := d.Type(v.Type)
		return ok && hasFormat(t, v.Record.Format)
	})
}

func hasFormat(t *schema.Type, format string) bool {
	_, ok := t.Format(format)
	return ok
}

// imageFormat returns the format that names what the bytes of an image are, the one of
// its block if that is right, or "".
func imageFormat(v *protocol.Violation) string {
	kind := media.Begins(v.Record.Text())
	if v.Record.Type != "image" || kind == media.Unknown {
		return ""
	}
	right := "base64." + strings.ToLower(kind.String())
	if b := v.Open; b != nil && b.Invalid()&lmc.InvalidFormat == 0 {
		right = b.Format
	}
	if !slices.Contains(v.Expected, right) || media.Named(right) != kind {
		return ""
	}
	return right
}

// nearestFormat returns the format that was probably intended, or "". It also
// recognizes a format without its encoding and a MIME type.
func nearestFormat(v *protocol.Violation) string {
	suggested := v.Suggest()
	if suggested.Nearest != "" {
		return suggested.Nearest
	}
	found := strings.ToLower(v.Record.Format)
	found = found[strings.LastIndexByte(found, '/')+1:]
	switch found {
	case "jpg":
		found = "jpeg"
	case "stdout", "stderr", "text":
		found = "output"
	}
	for _, format := range v.Expected {
		if format == found || strings.HasSuffix(format, "."+found) {
			return format
		}
	}
	if v.Type != "image" && v.Type != "audio" { // there a part of the format says how it is encoded
		return suggested.Within
	}
	return ""
}
