package source_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/text"
)

// kindNames are short names of the kinds of problems.
var kindNames = map[source.ProblemKind]string{
	source.InvalidJSON: "invalid-json", source.InvalidUTF8: "invalid-utf8", source.DuplicateKey: "duplicate-key",
	source.NotAnObject: "not-an-object", source.TruncatedRecord: "truncated", source.RecordTooLarge: "too-large", source.ExpansionTooLarge: "too-large",
	source.LoneSurrogate: "lone-surrogate", source.ByteOrderMark: "bom", source.NestingTooDeep: "too-deep",
	source.PythonLiteral: "python", source.StrayLines: "stray", source.Comments: "comments", source.InvalidForm: "invalid-form",
}

// outcome is what a reader gave, in a form that is easy to compare and read.
// A record is "line:column data", with "conversation/" before it if it has
// one, ">" or "<" after it for a frame sent or received, the name of its event,
// and "!" before the data if that has no root or "=" if it is binary. What is between
// records is in parentheses. A problem follows as "line:column-line:column
// kind: detail".
type outcome struct {
	Lines []string
	Form  source.Form
	Err   error // nil at a proper end
}

// outcomeOf reads an input to its end, or to an error.
func outcomeOf(r io.Reader, options source.Options) outcome {
	var got outcome
	reader := text.NewReader(r, options)
	for {
		rec, err := reader.Next()
		if err != nil {
			got.Form = reader.Form()
			if err != io.EOF {
				got.Err = err
			}
			return got
		}
		got.Lines = append(got.Lines, recordLine(rec))
		for _, p := range rec.Problems {
			got.Lines = append(got.Lines, problemLine(p))
		}
	}
}

// recordLine describes a record without its problems, as [outcome] does.
func recordLine(rec *source.Record) string {
	var line strings.Builder
	if rec.Conversation >= 0 {
		fmt.Fprintf(&line, "%d/", rec.Conversation)
	}
	data := string(rec.Data)
	switch {
	case rec.IsGap:
		data = "(" + data + ")"
	case rec.Binary:
		data = "=" + data
		fmt.Fprintf(&line, "%d%s ", rec.Index, rec.Pointer)
	default:
		fmt.Fprintf(&line, "%d%s ", rec.Index, rec.Pointer)
		if rec.Root == nil {
			data = "!" + data
		}
	}
	line.WriteString(lineAndColumn(rec.Start))
	line.WriteString([...]string{"", " >", " <"}[rec.Direction])
	if rec.Event != "" {
		line.WriteString(" " + rec.Event)
	}
	line.WriteString(" " + data)
	return line.String()
}

// problemLine describes a problem, as [outcome] does.
func problemLine(p source.Problem) string {
	related := ""
	if p.Related != nil {
		related = " (" + lineAndColumn(p.Related.Span.Start) + ")"
	}
	return fmt.Sprintf("  %s-%s %s: %s%s", lineAndColumn(p.Place.Span.Start), lineAndColumn(p.Place.Span.End), kindNames[p.Kind], p.Detail, related)
}

// lineAndColumn describes a position as "line:column".
func lineAndColumn(p source.Position) string { return fmt.Sprintf("%d:%d", p.Line, p.Column) }

// requireOutcome compares what a reader gives for an input with the expected
// lines, however the input comes in parts.
func requireOutcome(t *testing.T, input string, options source.Options, form source.Form, want ...string) {
	t.Helper()
	for name, in := range piecewise(input) {
		got := outcomeOf(in, options)
		require.NoError(t, got.Err, name)
		require.Equal(t, strings.Join(want, "\n"), strings.Join(got.Lines, "\n"), name)
		require.Equal(t, form, got.Form, name)
	}
}
