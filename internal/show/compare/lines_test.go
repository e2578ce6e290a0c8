package compare_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/show/compare"
)

// Of a changed text, the lines that differ are shown, with some around them. Long
// ones are cut where they begin to differ.
func TestLines(t *testing.T) {
	numbered := func(changed ...int) string {
		lines := make([]string, 30)
		for i := range lines {
			lines[i] = fmt.Sprint("line ", i)
		}
		for _, i := range changed {
			lines[i] = "other"
		}
		return strings.Join(lines, "\n")
	}
	long := strings.Repeat("a", 500)
	cut := func(n int) string { return strings.Repeat("a", n) }
	for _, test := range []struct {
		name, a, b string
		want       []string
	}{
		{"two places", numbered(), numbered(2, 20), []string{
			" line 0", " line 1", "-line 2", "+other", " line 3", " line 4", " line 5", "@",
			" line 17", " line 18", " line 19", "-line 20", "+other", " line 21", " line 22", " line 23",
		}},
		{"the last line end", "a\nb", "a\nb\n", []string{" a", "-b", "\\no line end", "+b"}},
		{"an empty text", "", "a", []string{"+a"}},
		{"the end of a long line", long + "b", long + "c", []string{"-…" + cut(159) + "b", "+…" + cut(159) + "c"}},
		{"the middle of a long line", long + "b" + long, long + "c" + long, []string{
			"-…" + cut(40) + "b" + cut(119) + "…", "+…" + cut(40) + "c" + cut(119) + "…",
		}},
		{"a long line and two others", long, "b\nc", []string{"-" + cut(160) + "…", "+b", "+c"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			found := differences(t, transcript(test.a, "x"), transcript(test.b, "x"), compare.Options{})
			require.Len(t, found, 1)
			lines, omitted := found[0].Lines()
			assert.Zero(t, omitted)
			var got []string
			for _, l := range lines {
				got = append(got, string(l.Op)+l.Text)
			}
			assert.Equal(t, test.want, got)
		})
	}
}

// A text that is too long to be kept is compared, but has no lines. Of output, its
// end is kept, which is all that is stored of it.
func TestLongTexts(t *testing.T) {
	long := strings.Repeat("0123456789abcde\n", compare.MaxTextBytes/16+1)
	found := differences(t, transcript(long, "x"), transcript("1"+long[1:], "x"), compare.Options{})
	require.Len(t, found, 1)
	assert.Equal(t, []compare.Field{compare.FieldContent}, found[0].Fields)
	lines, _ := found[0].Lines()
	assert.Empty(t, lines)

	var stream strings.Builder
	chunk := func(more string) { stream.WriteString(`{"role": "computer", "type": "console", ` + more + "}\n") }
	chunk(`"start": true`)
	for _, line := range strings.SplitAfter(strings.Repeat(long, 3), strings.Repeat("0123456789abcde\n", 1000)) {
		chunk(fmt.Sprintf(`"format": "output", "content": %q`, line))
	}
	chunk(`"end": true`)
	const notice = "Output truncated. Showing the last 2800 characters. You should try again and use computer.ai.summarize(output) over the output, or break it down into smaller steps.\n\n"
	stored := fmt.Sprintf(`[{"role": "computer", "type": "console", "format": "output", "content": %q}]`, notice+long[len(long)-2800:])
	result := compare.Compare(read(t, []byte(stream.String())), read(t, []byte(stored)), compare.Options{})
	assert.Empty(t, result.Differences)
	require.Len(t, result.Explained, 1)
	assert.EqualValues(t, "truncated output", result.Explained[0].Reason)
}
