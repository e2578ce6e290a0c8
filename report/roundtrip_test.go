package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/report"
)

// said is what a reader of a report learns of its one finding.
type said struct{ Path, Message, Help string }

// readers read a report of one finding back, as the programs do that the
// formats are for.
var readers = map[report.Format]func(*testing.T, []byte) said{
	report.FormatJSON:       readJSONReport,
	report.FormatJSONL:      readJSONLine,
	report.FormatSARIF:      readSARIFFinding,
	report.FormatGitHub:     readGitHubFinding,
	report.FormatGitLab:     readGitLabFinding,
	report.FormatJUnit:      readJUnitFinding,
	report.FormatCheckstyle: readCheckstyle,
	report.FormatMarkdown:   readMarkdown,
	report.FormatConcise:    func(t *testing.T, b []byte) said { t.Helper(); return readLine(t, strings.TrimSuffix(string(b), "\n")) },
	report.FormatText:       readText,
	report.FormatHTML:       readPage,
}

const rule = " [LMC110 unknown-key]"

// readLine reads the line of a finding, of which the help may be missing.
func readLine(t *testing.T, line string) said {
	t.Helper()
	assert.NotContains(t, line, "\n")
	path, rest, found := strings.Cut(line, ":7:3: ")
	require.True(t, found, line)
	rest = strings.TrimPrefix(rest, "warning: ")
	message, help, found := strings.Cut(rest, rule)
	require.True(t, found, line)
	return said{path, message, strings.TrimPrefix(help, " help: ")}
}

// readText reads the message, the place and the help, each on a separate line.
func readText(t *testing.T, b []byte) said {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	require.Contains(t, []int{2, 4}, len(lines), "%s", b)
	message, found := strings.CutPrefix(lines[0], "warning[LMC110]: ")
	require.True(t, found, lines[0])
	path, found := strings.CutSuffix(strings.TrimPrefix(lines[1], " --> "), ":7:3 (record 0)")
	require.True(t, found, lines[1])
	s := said{Path: path, Message: message}
	if len(lines) == 4 {
		assert.Equal(t, "  |", lines[2])
		s.Help, found = strings.CutPrefix(lines[3], "  = help: ")
		require.True(t, found, lines[3])
	}
	return s
}

func readJSONReport(t *testing.T, b []byte) said {
	t.Helper()
	var doc struct{ Findings []said }
	require.NoError(t, json.Unmarshal(b, &doc))
	require.Len(t, doc.Findings, 1)
	return doc.Findings[0]
}

// readPage reads the document that the page shows.
func readPage(t *testing.T, b []byte) said {
	t.Helper()
	_, data, found := strings.Cut(string(b), `<script type="application/json" id="data">`)
	require.True(t, found)
	data, _, found = strings.Cut(data, "</script>")
	require.True(t, found)
	return readJSONReport(t, []byte(data))
}

func readJSONLine(t *testing.T, b []byte) said {
	t.Helper()
	lines := bytes.Split(bytes.TrimSpace(b), []byte("\n"))
	require.Len(t, lines, 2)
	var s said
	require.NoError(t, json.Unmarshal(lines[0], &s))
	return s
}

func readSARIFFinding(t *testing.T, b []byte) said {
	t.Helper()
	results := readSARIF(t, b).Runs[0].Results
	require.Len(t, results, 1)
	uri, err := url.Parse(results[0].Locations[0].PhysicalLocation.ArtifactLocation.URI)
	require.NoError(t, err)
	text := results[0].Message.Text
	if strings.Contains(text, "](") {
		text = strings.NewReplacer(`\\`, `\`, `\[`, `[`, `\]`, `]`).Replace(text)
	}
	message, help, _ := strings.Cut(text, "\nhelp: ")
	return said{strings.TrimPrefix(uri.Path, "./"), message, help}
}

func readGitHubFinding(t *testing.T, b []byte) said {
	t.Helper()
	require.Equal(t, 1, bytes.Count(b, []byte("\n")))
	_, properties, text := workflowCommand(t, strings.TrimSuffix(string(b), "\n"))
	line, help, _ := strings.Cut(text, "\nhelp: ")
	s := readLine(t, line)
	s.Help = help
	assert.Equal(t, s.Path, properties["file"])
	return s
}

func readGitLabFinding(t *testing.T, b []byte) said {
	t.Helper()
	issues := readGitLab(t, b)
	require.Len(t, issues, 1)
	return joined(issues[0].Location.Path, issues[0].Description)
}

// joined splits a text into the message and the help after the last semicolon.
func joined(path, text string) said {
	i := strings.LastIndex(text, "; ")
	if i < 0 {
		return said{path, text, ""}
	}
	return said{path, text[:i], text[i+2:]}
}

func readJUnitFinding(t *testing.T, b []byte) said {
	t.Helper()
	suites := readJUnit(t, b).Suites
	require.Len(t, suites, 1)
	require.Len(t, suites[0].Cases, 1)
	c := suites[0].Cases[0]
	assert.Equal(t, c.Failure.Message+"\n", c.Failure.Text)
	s := readLine(t, c.Failure.Message)
	assert.Equal(t, []string{s.Path, s.Path}, []string{suites[0].Name, c.Classname})
	return s
}

func readCheckstyle(t *testing.T, b []byte) said {
	t.Helper()
	var doc struct {
		Files []struct {
			Name   string `xml:"name,attr"`
			Errors []struct {
				Message string `xml:"message,attr"`
			} `xml:"error"`
		} `xml:"file"`
	}
	require.NoError(t, xml.Unmarshal(b, &doc))
	require.Len(t, doc.Files, 1)
	require.Len(t, doc.Files[0].Errors, 1)
	return joined(doc.Files[0].Name, doc.Files[0].Errors[0].Message)
}

// readMarkdown reads the last row of the table as GitHub does: first the row
// is cut at bars, then what is in a cell is read.
func readMarkdown(t *testing.T, b []byte) said {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	require.Len(t, lines, 7)
	cells := rowCells(lines[6])
	require.Len(t, cells, 5, lines[6])
	place := readCodeSpan(t, cells[1])
	assert.Equal(t, strings.TrimSpace(rule[2:len(rule)-1]), strings.TrimSpace(cells[2]))
	message, help, _ := strings.Cut(cells[3], "<br>")
	path, found := strings.CutSuffix(place, ":7:3")
	require.True(t, found, place)
	s := said{path, readCodeSpan(t, message), ""}
	if help != "" {
		s.Help = strings.TrimPrefix(readCodeSpan(t, help), "help: ")
	}
	return s
}

// rowCells splits a row at the bars without a backslash before them, and removes the
// backslashes before the other bars.
func rowCells(row string) []string {
	cells := []string{""}
	for i := 0; i < len(row); i++ {
		last := &cells[len(cells)-1]
		switch {
		case row[i] == '\\' && i+1 < len(row) && row[i+1] == '|':
			*last += "|"
			i++
		case row[i] == '\\' && i+1 < len(row):
			*last += row[i : i+2]
			i++
		case row[i] == '|':
			cells = append(cells, "")
		default:
			*last += row[i : i+1]
		}
	}
	return cells
}

// readCodeSpan reads a text that is one code span and nothing else.
func readCodeSpan(t *testing.T, text string) string {
	t.Helper()
	text = strings.TrimSpace(text)
	inner := strings.TrimLeft(text, "`")
	fence := text[:len(text)-len(inner)]
	require.NotEmpty(t, fence, text)
	inner, found := strings.CutSuffix(inner, fence)
	require.True(t, found, text)
	for run := range strings.FieldsFuncSeq(inner, func(r rune) bool { return r != '`' }) {
		require.NotEqual(t, len(fence), len(run), text)
	}
	require.False(t, strings.HasSuffix(inner, "`"), text)
	if strings.HasPrefix(inner, " ") && strings.HasSuffix(inner, " ") && strings.TrimSpace(inner) != "" {
		inner = inner[1 : len(inner)-1]
	}
	return inner
}

// shown is a text as a format shows it: exact, or with what would do something
// made visible.
func shown(f report.Format, s string) string {
	switch f {
	case report.FormatJSON, report.FormatJSONL, report.FormatHTML:
		return string([]rune(s))
	case report.FormatJUnit, report.FormatCheckstyle:
		return strings.NewReplacer("\ufffe", "<U+FFFE>", "\uffff", "<U+FFFF>").Replace(report.EscapeControls(s))
	}
	return report.EscapeControls(s)
}

// assertNoOrders checks that a report has no workflow commands of CI systems. The
// github format is excluded, because it consists of them.
func assertNoOrders(t *testing.T, f report.Format, out []byte) {
	t.Helper()
	if f == report.FormatGitHub {
		return
	}
	orders := regexp.MustCompile(`##(vso|teamcity)?\[|^\s*::`)
	for line := range bytes.Lines(out) {
		assert.False(t, orders.Match(line), "a CI system takes this as a command: %s", line)
	}
}

// shownPath is shown for a path, which a program is to find again.
func shownPath(f report.Format, path string) string {
	switch f {
	case report.FormatSARIF:
		return path
	case report.FormatConcise:
		if strings.HasPrefix(strings.TrimLeft(path, " "), "::") {
			path = "./" + path
		}
	case report.FormatGitLab:
		return string([]rune(path))
	}
	return shown(f, path)
}

// roundTrip reports a finding and reads it back.
func roundTrip(t *testing.T, format report.Format, path, message, help string) {
	t.Helper()
	f := finding(unknownKey, path, message, source.Place{Span: source.Span{
		Start: source.Position{Line: 7, Column: 3}, End: source.Position{Line: 7, Column: 4},
	}})
	f.Help = help
	out := render(t, checked(path, 1, f), format, report.Options{})
	assertNoOrders(t, format, out)
	got := readers[format](t, out)
	want := said{shownPath(format, path), shown(format, message), shown(format, help)}
	if format == report.FormatMarkdown {
		// A backslash before a bar cannot be written: it comes twice.
		got, want = slashless(got), slashless(want)
	}
	assert.Equal(t, want, got, format)
}

func slashless(s said) said {
	for _, text := range []*string{&s.Path, &s.Message, &s.Help} {
		*text = strings.ReplaceAll(*text, `\`, "")
	}
	return s
}

// hostileTexts are what a recording or a file name may hold.
var hostileTexts = []string{
	"\x1b]0;owned\a\x1b[2J", "\x00", "%0A::error::x", "::stop-commands::x", "##[add-matcher]x", "###[x]", "##vso[task.setvariable]", "##teamcity[x]", "##", "##v", "]]>", "<![CDATA[x]]>",
	"a|b", `a\|b`, `a\\|b\`, "`", "``x` y``", "<script>alert(1)</script>", "<!-- x -->", "&lt;&#0;", "\u202etxt.exe", "\u2066x",
	"\xff\xfe", "\xed\xa0\x80", `\ud800`, "\r\n", "two\nlines", "\u2028", "# TODO", "ok 2 - x # SKIP", `\# TODO`, "- x", "--- x", "@everyone",
	"[x](https://example.com)", "![x](y)", "https://example.com", "100%", "a,b:c=d", `"quoted"`, "'", "{{x}}", "${{ x }}", "$(x)", "\ufffe\uffff",
	"\U000e0041", "👩\u200d💻", " ", " x ", "\t", "*bold* _x_", "~~x~~", "{0}", "1..0",
}

func TestHostileTextsAreData(t *testing.T) {
	for _, format := range report.Formats() {
		t.Run(string(format), func(t *testing.T) {
			require.NotNil(t, readers[format], "add to readers a function that reads a finding of a report back")
			for _, text := range hostileTexts {
				roundTrip(t, format, "x"+strings.ReplaceAll(text, "/", "_")+"x", "m", "")
				roundTrip(t, format, "x", "m"+text, "")
				roundTrip(t, format, "x", text+"m", "h")
				roundTrip(t, format, "x", "m", text+"h")
			}
		})
	}
}
