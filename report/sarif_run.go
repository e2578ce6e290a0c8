package report

import (
	"fmt"
	"strings"

	"github.com/lmclint/lmclint/lint"
)

// informationURI is where the program is at home.
const informationURI = "https://github.com/lmclint/lmclint"

// longestExample is how many bytes an example has at most that help shows.
const longestExample = 2000

// driver describes the program and its rules.
func (d *sarifWriter) driver(rules []*lint.Rule) {
	d.begin()
	d.within("driver", func() {
		d.text("name", d.run.Tool)
		d.optional("version", d.run.Version)
		d.text("informationUri", informationURI)
		d.list("rules", len(rules), func(i int) { d.rule(rules[i]) })
	})
	d.end()
	d.write(",\n")
}

func (d *sarifWriter) rule(r *lint.Rule) {
	said := func(name, text string) {
		if text != "" {
			d.within(name, func() { d.text("text", text) })
		}
	}
	d.text("id", r.ID)
	d.text("name", r.Name)
	said("shortDescription", r.Summary)
	said("fullDescription", r.Rationale)
	d.within("help", func() {
		d.text("text", r.Summary+".\n\n"+r.Rationale+"\n\n"+d.run.Tool+" explain "+r.ID+" says more.")
		d.text("markdown", ruleMarkdown(r))
	})
	d.within("defaultConfiguration", func() { d.text("level", r.Severity.String()) })
	d.within("properties", func() { d.text("problem.severity", problemSeverity(r.Severity)) })
}

// problemSeverity is the severity in the words of code scanning.
func problemSeverity(s lint.Severity) string {
	if s == lint.SeverityNote {
		return "recommendation"
	}
	return s.String()
}

// ruleMarkdown explains a rule with an example of each kind.
func ruleMarkdown(r *lint.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s %s**: %s.\n\n%s\n", r.ID, r.Name, r.Summary, r.Rationale)
	example := func(title string, examples []lint.Example) {
		for _, e := range examples {
			if text := e.Text(); len(text) <= longestExample {
				fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
				fmt.Fprintf(&b, "\n%s: %s\n\n%s\n%s\n%s\n", title, e.Name, fence, strings.TrimSuffix(text, "\n"), fence)
				return
			}
		}
	}
	example("Wrong", r.Bad)
	example("Right", r.Good)
	for i, e := range r.Evidence {
		if i == 0 {
			b.WriteString("\nIt rests on:\n\n")
		}
		fmt.Fprintf(&b, "- %s\n", e)
	}
	return b.String()
}

// longestRun returns the length of the longest run of a byte.
func longestRun(text string, c byte) (longest int) {
	run := 0
	for i := range len(text) {
		if text[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// invocations says how the run went, and what is not in the report.
func (d *sarifWriter) invocations(sum Summary, failed []File, left int) {
	var warnings []string
	if left > 0 {
		warnings = append(warnings, are(left)+" not in this report, which holds the gravest "+thousands(maxSARIFResults))
	}
	if sum.Hidden > 0 {
		warnings = append(warnings, are(sum.Hidden)+" not shown")
	}
	d.write("[")
	d.begin()
	d.boolean("executionSuccessful", !sum.Incomplete)
	if n := len(failed) + len(warnings); n > 0 {
		d.list("toolExecutionNotifications", n, func(i int) {
			if i < len(failed) {
				d.failure(&failed[i])
				return
			}
			d.text("level", "warning")
			d.message(warnings[i-len(failed)])
		})
	}
	d.end()
	d.write("],\n")
}

// failure says why a file was not checked.
func (d *sarifWriter) failure(f *File) {
	d.text("level", "error")
	d.message(EscapeControls(reason(f)))
	d.list("locations", 1, func(int) {
		d.within("physicalLocation", func() { d.artifact(f.Path) })
	})
}

// are writes a number of findings, as in "1 more finding is".
func are(more int) string {
	if more == 1 {
		return "1 more finding is"
	}
	return thousands(more) + " more findings are"
}
