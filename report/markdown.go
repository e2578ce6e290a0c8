package report

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/lmclint/lmclint/internal/show/ink"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

const (
	markdownMost  = 250    // findings in a report, or fewer if they are long
	markdownBytes = 60_000 // of a report: a comment on GitHub has at most 65,536 characters
	markdownCell  = 400    // code points of a text in a table
)

// markdown writes one short document for a comment or a summary, with a table
// for each severity. It contains the most severe findings, and the number of the
// others.
type markdown struct {
	base
	findings list[lint.Finding]
	text     []byte
}

func (m *markdown) Finding(f lint.Finding) error {
	f.Place.Excerpt, f.Place.Below, f.Related = source.Excerpt{}, nil, nil // not shown, so not kept in memory
	m.findings.add(&f, f)
	return nil
}

func (m *markdown) End(s Summary) error {
	m.text = fmt.Appendf(m.text[:0], "## %s: %s\n", m.run.Tool, s)
	sortFiles(m.failed)
	m.failures()
	findings := m.findings.sorted()
	left := m.findings.left
	for _, severity := range lint.Severities() {
		left += m.table(severity, findings)
	}
	if left > 0 {
		m.text = fmt.Appendf(m.text, "\n%s.\n", moreNotShown(left))
	}
	_, err := m.out.Write(m.text)
	return err
}

func (m *markdown) failures() {
	left := 0
	for i := range m.failed {
		item := fmt.Sprintf("- %s: %s\n", codeSpan(m.failed[i].Path), codeSpan(reason(&m.failed[i])))
		if i == 0 {
			item = "\n### Not checked\n\n" + item
		}
		left += m.add(item)
	}
	if left > 0 {
		m.text = fmt.Appendf(m.text, "\n%s not shown.\n", english.Plural(left, "file", ""))
	}
}

// table adds the findings of a severity, and returns how many did not fit.
func (m *markdown) table(s lint.Severity, findings []listed[lint.Finding]) (left int) {
	begun := false
	for i := range findings {
		if findings[i].severity != s {
			continue
		}
		row := markdownRow(&findings[i].value)
		if !begun {
			row = fmt.Sprintf("\n### %ss\n\n| Place | Rule | Finding |\n| --- | --- | --- |\n", strings.ToUpper(s.String()[:1])+s.String()[1:]) + row
		}
		if m.add(row) > 0 {
			left++
			continue
		}
		begun = true
	}
	return left
}

// add appends a text if it fits. It returns 1 if it does not.
func (m *markdown) add(text string) (left int) {
	if len(m.text)+len(text) > markdownBytes {
		return 1
	}
	m.text = append(m.text, text...)
	return 0
}

func markdownRow(f *lint.Finding) string {
	start := known(f.Place.Span.Start)
	place := fmt.Sprintf("%s:%d:%d", shorten(f.Path), start.Line, start.Column)
	row := "| " + cell(place) + " | " + f.Rule.ID + " " + f.Rule.Name + " | " + cell(shorten(f.Message))
	if more := also(f); more != "" {
		row += "<br>" + cell("also: "+more)
	}
	if f.Help != "" {
		row += "<br>" + cell(shorten("help: "+f.Help))
	}
	return row + " |\n"
}

// shorten truncates a text that is too long for a table.
func shorten(text string) string { return ink.Shorten(text, markdownCell) }

// codeSpan returns data as a code span, without links, mentions or HTML.
func codeSpan(text string) string {
	text = EscapeControls(text)
	if strings.TrimSpace(text) == "" {
		text = "''"
	}
	fence := strings.Repeat("`", longestRun(text, '`')+1)
	if text[0] == '`' || text[len(text)-1] == '`' || text[0] == ' ' || text[len(text)-1] == ' ' {
		text = " " + text + " "
	}
	return fence + text + fence
}

// bar is a bar in a table, which must be escaped, and backslashes before it, too.
var bar = regexp.MustCompile(`(\\*)\|`)

// cell returns data as a code span in a table.
func cell(text string) string { return bar.ReplaceAllString(codeSpan(text), `$1$1\|`) }
