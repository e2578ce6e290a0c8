package progress_test

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/progress"
)

// screen shows what a terminal of one line, and what scrolled off above it,
// would show.
func screen(written string) []string {
	lines := []string{""}
	column := 0
	for _, r := range written {
		last := &lines[len(lines)-1]
		switch r {
		case '\n':
			lines, column = append(lines, ""), 0
		case '\r':
			column = 0
		default:
			*last += strings.Repeat(" ", max(0, column+1-len(*last)))
			*last = (*last)[:column] + string(r) + (*last)[column+1:]
			column++
		}
	}
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

func newLine(terminal io.Writer, width int) *progress.Line {
	return progress.NewLine(terminal, func() int { return width })
}

func TestOneTextTakesThePlaceOfTheOther(t *testing.T) {
	var terminal bytes.Buffer
	line := newLine(&terminal, 0)
	for _, text := range []string{"12 records", "9 records", "100 records"} {
		line.Show(text)
		assert.Equal(t, []string{text}, screen(terminal.String()))
	}
	line.Erase()
	assert.Equal(t, []string{""}, screen(terminal.String()))
	assert.True(t, strings.HasSuffix(terminal.String(), "\r"), "what comes next begins at the left")
	written := terminal.Len()
	line.Erase()
	assert.Equal(t, written, terminal.Len(), "nothing is left to erase")
}

func TestATextNeverWraps(t *testing.T) {
	var terminal bytes.Buffer
	line := newLine(&terminal, 10)
	line.Show("123456789012345")
	assert.Equal(t, []string{"123456789"}, screen(terminal.String()))
}

func TestGuardedTextStandsAlone(t *testing.T) {
	var terminal bytes.Buffer
	line := newLine(&terminal, 0)
	guarded := line.Guard(&terminal)
	line.Show("half of it")
	_, err := io.WriteString(guarded, "a finding\n")
	require.NoError(t, err)
	line.Show("all of it")
	assert.Equal(t, []string{"a finding", "all of it"}, screen(terminal.String()))
}

func TestWithoutATerminalNothingIsShown(t *testing.T) {
	var line progress.Line
	var out bytes.Buffer
	assert.False(t, line.Visible())
	assert.Same(t, &out, line.Guard(&out))
	line.Show("text")
	line.Erase()
}

func TestLinesFromManySides(t *testing.T) {
	var terminal bytes.Buffer
	line := newLine(&terminal, 80)
	guarded := line.Guard(&terminal)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 100 {
				line.Show("some of it")
				_, _ = io.WriteString(guarded, "a finding\n")
			}
		})
	}
	group.Wait()
	line.Erase()
	assert.Equal(t, strings.Repeat("a finding\n", 400), strings.Join(screen(terminal.String()), "\n"))
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		bytes, records, findings, total int64
		elapsed                         time.Duration
		want                            string
	}{
		{0, 0, 0, 0, time.Second, "0 B, 0 records, 0 findings"},
		{0, 0, 0, 100, time.Second, "0 B, 0 records, 0 findings"},
		{999, 1, 1, 0, time.Second, "999 B, 1 record, 1 finding"},
		{1_500_000, 12_345, 2, 0, time.Second, "1.5 MB, 12,345 records, 2 findings"},
		{1_000_000_000, 7, 0, 4_000_000_000, 2 * time.Second, "1.0 GB of 4.0 GB, 7 records, 0 findings, 6 s left"},
		{1_000_000_000, 7, 0, 400_000_000_000, time.Second, "1.0 GB of 400 GB, 7 records, 0 findings, 7 min left"},
		{1_000_000_000, 7, 0, 40_000_000_000_000, time.Second, "1.0 GB of 40 TB, 7 records, 0 findings, 11 h left"},
		{4_000, 7, 0, 4_000, time.Second, "4.0 kB of 4.0 kB, 7 records, 0 findings, 0 s left"},
		{5_000, 7, 0, 4_000, time.Second, "5.0 kB, 7 records, 0 findings"}, // the file grew
	} {
		var m progress.Meter
		m.Bytes.Store(c.bytes)
		m.AddRecords(int(c.records))
		m.Findings.Store(c.findings)
		assert.Equal(t, c.want, m.Text(c.elapsed, c.total))
	}
}

func TestReaderCounts(t *testing.T) {
	var m progress.Meter
	text, err := io.ReadAll(m.Reader(strings.NewReader("0123456789")))
	require.NoError(t, err)
	assert.Equal(t, "0123456789", string(text))
	assert.Equal(t, int64(10), m.Bytes.Load())
}
