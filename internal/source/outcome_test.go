package source_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/source/embedded"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
)

var kindNames = map[source.ProblemKind]string{
	source.InvalidJSON: "invalid-json", source.InvalidUTF8: "invalid-utf8", source.DuplicateKey: "duplicate-key",
	source.NotAnObject: "not-an-object", source.TruncatedRecord: "truncated", source.RecordTooLarge: "too-large", source.ExpansionTooLarge: "too-large",
	source.LoneSurrogate: "lone-surrogate", source.ByteOrderMark: "bom", source.NestingTooDeep: "too-deep",
	source.PythonLiteral: "python", source.StrayLines: "stray", source.InvalidForm: "invalid-form",
}

// outcome is what a reader gave, in a form that is easy to compare and read.
// A record is "line:column data", with "conversation/" before it if it has
// one, ">" or "<" after it for a frame sent or received, the name of its event,
// and "!" before the data if that has no root or "=" if it is binary. What is between
// records is in parentheses. A problem follows as "line:column-line:column
// kind: detail".
type outcome struct {
	lines []string
	form  source.Form
	err   error // nil at a proper end
}

func read(r io.Reader, options source.Options) outcome {
	var got outcome
	reader := embedded.NewReader(r, options)
	for {
		rec, err := reader.Next()
		if err != nil {
			got.form = reader.Form()
			if err != io.EOF {
				got.err = err
			}
			return got
		}
		got.lines = append(got.lines, recordLine(rec))
		for _, p := range rec.Problems {
			got.lines = append(got.lines, problemLine(p))
		}
	}
}

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
	line.WriteString(at(rec.Start))
	line.WriteString([...]string{"", " >", " <"}[rec.Direction])
	if rec.Event != "" {
		line.WriteString(" " + rec.Event)
	}
	line.WriteString(" " + data)
	return line.String()
}

func problemLine(p source.Problem) string {
	related := ""
	if p.Related != nil {
		related = " (" + at(p.Related.Span.Start) + ")"
	}
	return fmt.Sprintf("  %s-%s %s: %s%s", at(p.Place.Span.Start), at(p.Place.Span.End), kindNames[p.Kind], p.Detail, related)
}

func at(p source.Position) string { return fmt.Sprintf("%d:%d", p.Line, p.Column) }

// requireOutcome compares what a reader gives for an input with the expected
// lines, however the input comes in parts.
func requireOutcome(t *testing.T, input string, options source.Options, form source.Form, want ...string) {
	t.Helper()
	for name, in := range piecewise(input) {
		got := read(in, options)
		require.NoError(t, got.err, name)
		require.Equal(t, strings.Join(want, "\n"), strings.Join(got.lines, "\n"), name)
		require.Equal(t, form, got.form, name)
	}
}

// readLine reads a record that is on line 2 of three.
func readLine(t *testing.T, line string) *source.Record {
	t.Helper()
	reader := embedded.NewReader(strings.NewReader("{\"before\":0}\n"+line+"\n{\"after\":0}"), source.Options{})
	var records []*source.Record
	for {
		rec, err := reader.Next()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		records = append(records, rec.Clone())
	}
	require.Empty(t, records[0].Problems)
	require.Empty(t, records[len(records)-1].Problems)
	require.Equal(t, "0 1:1 {\"before\":0}", recordLine(records[0]))
	require.Contains(t, recordLine(records[len(records)-1]), " 3:1 {\"after\":0}")
	if len(records) == 4 {
		return records[2] // a record, and what is wrong after it
	}
	require.Len(t, records, 3)
	return records[1]
}

// requireProblems compares a record's problems, all of which must be on line
// 2, with "column-column kind: detail".
func requireProblems(t *testing.T, rec *source.Record, want ...string) {
	t.Helper()
	var got []string
	for _, p := range rec.Problems {
		line := strings.Replace(strings.TrimPrefix(problemLine(p), "  2:"), "-2:", "-", 1)
		got = append(got, line)
		fatal := p.Kind != source.LoneSurrogate && p.Kind != source.ByteOrderMark && p.Kind != source.PythonLiteral
		require.Equal(t, fatal, p.IsFatal())
	}
	require.Equal(t, strings.Join(want, "\n"), strings.Join(got, "\n"))
}

func requireRoot(t *testing.T, rec *source.Record) {
	t.Helper()
	require.NotNil(t, rec.Root)
	require.Equal(t, string(rec.Data), string(rec.Root.Raw()))
}
