// Package sourcetest describes and checks what readers return, for tests.
package sourcetest

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/text"
)

// KindNames are short names of the kinds of problems.
var KindNames = map[source.ProblemKind]string{
	source.InvalidJSON: "invalid-json", source.InvalidUTF8: "invalid-utf8", source.DuplicateKey: "duplicate-key",
	source.NotAnObject: "not-an-object", source.TruncatedRecord: "truncated", source.RecordTooLarge: "too-large", source.ExpansionTooLarge: "too-large",
	source.LoneSurrogate: "lone-surrogate", source.ByteOrderMark: "bom", source.NestingTooDeep: "too-deep",
	source.PythonLiteral: "python", source.StrayLines: "stray", source.Comments: "comments", source.InvalidForm: "invalid-form",
}

// Outcome is what a reader gave, in a form that is easy to compare and read.
// A record is "line:column data", with "conversation/" before it if it has
// one, ">" or "<" after it for a frame sent or received, the name of its event,
// and "!" before the data if that has no root or "=" if it is binary. What is between
// records is in parentheses. A problem follows as "line:column-line:column
// kind: detail".
type Outcome struct {
	Lines []string
	Form  source.Form
	Err   error // nil at a proper end
}

// Read reads an input to its end, or to an error.
func Read(r io.Reader, options source.Options) Outcome {
	var got Outcome
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
		got.Lines = append(got.Lines, RecordLine(rec))
		for _, p := range rec.Problems {
			got.Lines = append(got.Lines, ProblemLine(p))
		}
	}
}

// RecordLine describes a record without its problems, as [Outcome] does.
func RecordLine(rec *source.Record) string {
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
	line.WriteString(At(rec.Start))
	line.WriteString([...]string{"", " >", " <"}[rec.Direction])
	if rec.Event != "" {
		line.WriteString(" " + rec.Event)
	}
	line.WriteString(" " + data)
	return line.String()
}

// ProblemLine describes a problem, as [Outcome] does.
func ProblemLine(p source.Problem) string {
	related := ""
	if p.Related != nil {
		related = " (" + At(p.Related.Span.Start) + ")"
	}
	return fmt.Sprintf("  %s-%s %s: %s%s", At(p.Place.Span.Start), At(p.Place.Span.End), KindNames[p.Kind], p.Detail, related)
}

// At describes a position as "line:column".
func At(p source.Position) string { return fmt.Sprintf("%d:%d", p.Line, p.Column) }

// RequireOutcome compares what a reader gives for an input with the expected
// lines, however the input comes in parts.
func RequireOutcome(t *testing.T, input string, options source.Options, form source.Form, want ...string) {
	t.Helper()
	for name, in := range Piecewise(input) {
		got := Read(in, options)
		require.NoError(t, got.Err, name)
		require.Equal(t, strings.Join(want, "\n"), strings.Join(got.Lines, "\n"), name)
		require.Equal(t, form, got.Form, name)
	}
}
