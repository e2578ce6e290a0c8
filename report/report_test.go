package report_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/fatih/color"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

func TestNewRejectsUnknownFormats(t *testing.T) {
	_, err := report.New("xml", &bytes.Buffer{}, report.Options{})
	assert.ErrorContains(t, err, "xml")
}

// Colours belong to the writer of a report, not to the program.
func TestColorIgnoresTheGlobalSwitch(t *testing.T) {
	before := color.NoColor
	t.Cleanup(func() { color.NoColor = before })
	for _, global := range []bool{true, false} {
		color.NoColor = global
		assert.Contains(t, string(render(t, execution(), report.FormatText, report.Options{Color: true})), "\x1b[")
		assert.NotContains(t, string(render(t, execution(), report.FormatText, report.Options{})), "\x1b")
	}
}

// writes counts calls of Write.
type writes struct{ calls int }

func (w *writes) Write(p []byte) (int, error) {
	w.calls++
	return len(p), nil
}

func TestFindingIsOneWrite(t *testing.T) {
	for _, f := range []report.Format{report.FormatText, report.FormatConcise, report.FormatJSONL, report.FormatGitHub} {
		t.Run(string(f), func(t *testing.T) {
			var w writes
			r, err := report.New(f, &w, report.Options{})
			require.NoError(t, err)
			require.NoError(t, r.Finding(execution().findings[0]))
			assert.Equal(t, 1, w.calls)
		})
	}
}

var errFull = errors.New("no space left")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestWriteErrorsAreReturned(t *testing.T) {
	for _, f := range report.Formats() {
		t.Run(string(f), func(t *testing.T) {
			r, err := report.New(f, full{}, report.Options{})
			require.NoError(t, err)
			err = errors.Join(r.Begin(report.Run{}), r.Finding(execution().findings[0]), r.End(report.Summary{}))
			assert.ErrorIs(t, err, errFull)
		})
	}
}

func TestEscapeControls(t *testing.T) {
	for in, want := range map[string]string{
		"plain äöü 日本語":              "plain äöü 日本語",
		"\x1b[31mred":                "<U+001B>[31mred",
		"two\nlines\r":               "two<U+000A>lines<U+000D>",
		"\u202eevil":                 "<U+202E>evil",
		"\ufeffbom":                  "<U+FEFF>bom",
		"a\u2028b":                   "a<U+2028>b",
		"\xff\xfe":                   "\ufffd\ufffd",
		"👩\u200d💻":                   "👩\u200d💻",
		"tag \U000e0041":             "tag <U+E0041>",
		"":                           "",
		"<U+001B> written like that": "<U+001B> written like that",
	} {
		assert.Equal(t, want, report.EscapeControls(in))
	}
}

func TestSummaryLine(t *testing.T) {
	for want, s := range map[string]report.Summary{
		"no findings in 3 files (1,204 records)":                                {Files: 3, Records: 1204},
		"no findings in 1 file (1 record)":                                      {Files: 1, Records: 1},
		"2 errors, 1 warning in 1 of 3 files (1,204 records)":                   {Files: 3, Flagged: 1, Records: 1204, Errors: 2, Warnings: 1},
		"1 error, 2 notes in 1 file (12 records)":                               {Files: 1, Flagged: 1, Records: 12, Errors: 1, Notes: 2},
		"1,000,000 notes in 2 of 1,000 files (123,456 records)":                 {Files: 1000, Flagged: 2, Records: 123456, Notes: 1000000},
		"no findings in 2 files (5 records); 4 files skipped: unknown protocol": {Files: 2, Records: 5, Skipped: 4},
		"no findings in 2 files (5 records); 1 file not fully checked":          {Files: 2, Records: 5, Failed: 1, Incomplete: true},
		"no findings in 1 file (5 records); 1 file not read":                    {Files: 2, Records: 5, Failed: 1, NotRead: 1, Incomplete: true},
		"nothing was checked; 1 file skipped: unknown protocol":                 {Skipped: 1},
		"nothing was checked":                                                   {Files: 2, Failed: 2, Incomplete: true},
		"no findings in 1 file (5 records); 1 file not fully checked":           {Files: 1, Failed: 1, Records: 5},
	} {
		assert.Equal(t, want, s.String())
	}
}

func TestSummaryAdds(t *testing.T) {
	var s report.Summary
	s.Add(report.File{Result: lint.Result{Records: 3, Errors: 1, Notes: 2}})
	s.Add(report.File{Result: lint.Result{Records: 4}})
	s.Add(report.File{Result: lint.Result{Records: 1, Warnings: 1}, Err: errFull})
	assert.Equal(t, report.Summary{
		Files: 3, Failed: 1, Flagged: 2, Records: 8, Errors: 1, Warnings: 1, Notes: 2, Incomplete: true,
	}, s)
}
