package conformance

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/lmclint/lmclint/internal/base/plainjson"
	"github.com/lmclint/lmclint/internal/verify/suite"
)

// Text is the report for people: what failed, and, if it is verbose, the results by
// requirement. Escape replaces control characters: what a subject wrote is untrusted.
func (r *Report) Text(escape func(string) string, verbose bool) string {
	var b strings.Builder
	for i := range r.Results {
		result := &r.Results[i]
		if result.Outcome != Failed {
			continue
		}
		fmt.Fprintf(&b, "failed %s\n", escape(result.Case.ID))
		b.WriteString(escapeLines(result.Lesson, "", escape))
		if result.Stderr != "" {
			b.WriteString("  standard error:\n" + escapeLines(result.Stderr, "    ", escape))
		}
		b.WriteString("\n")
	}
	// The table of requirements has those that failed most first: that is what to read next.
	counts := r.ByRequirement()
	slices.SortStableFunc(counts, func(a, b RequirementCount) int { return b.Failed - a.Failed })
	if verbose {
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		_, _ = fmt.Fprintln(w, "REQUIREMENT\tLEVEL\tPASSED\tFAILED\tSKIPPED\tABOUT")
		for _, q := range counts {
			_, _ = fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%s\n", q.ID, q.Level, q.Passed, q.Failed, q.Skipped, q.Title)
		}
		_ = w.Flush() // a strings.Builder does not fail
		b.WriteString("\n")
	}
	if len(counts) > 0 && counts[0].Failed > 0 {
		fmt.Fprintf(&b, "Read next: docs/protocol.md, section %s, %s (docs/protocol.md#%s)\n", counts[0].Title, counts[0].ID, strings.ToLower(counts[0].ID))
	}
	return b.String()
}

// Summary is one line for each level: what the subject passed of what was run.
func (r *Report) Summary() string {
	var b strings.Builder
	for _, l := range r.levels() {
		n := r.At(l)
		fmt.Fprintf(&b, "%s: %d of %d passed", l, n.Passed, n.Run())
		if n.Skipped > 0 {
			fmt.Fprintf(&b, ", %d skipped", n.Skipped)
		}
		if n.Known > 0 {
			fmt.Fprintf(&b, ", %d known to fail", n.Known)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// JSON is the report for programs, which schema/suite-report.schema.json describes.
func (r *Report) JSON() ([]byte, error) {
	levels := map[suite.Level]Count{}
	for _, l := range r.levels() {
		levels[l] = r.At(l)
	}
	return plainjson.MarshalIndent(struct {
		Version int `json:"version"`
		*Report
		Total        Count                 `json:"total"`
		Levels       map[suite.Level]Count `json:"levels"`
		Requirements []RequirementCount    `json:"requirements"`
		Cases        []Result              `json:"cases"`
	}{1, r, r.Total(), levels, r.ByRequirement(), r.Results})
}

func escapeLines(text, indent string, escape func(string) string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(indent + escape(strings.TrimSuffix(line, "\n")) + "\n")
	}
	return b.String()
}

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitProblem `xml:"failure"`
	Skipped *junitProblem `xml:"skipped"`
	Stderr  string        `xml:"system-err,omitempty"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// JUnit is the report as JUnit writes it, with a test case per case. Escape
// replaces the characters that XML does not have.
func (r *Report) JUnit(escape func(string) string) ([]byte, error) {
	n := r.Total()
	out := junitSuite{Name: "LMC conformance suite " + r.Suite + ", " + string(r.Kind), Tests: len(r.Results), Failures: n.Failed, Skipped: n.Skipped + n.Known}
	for i := range r.Results {
		result := &r.Results[i]
		folder, _, _ := strings.Cut(result.Case.ID, "/")
		c := junitCase{Class: escape(folder), Name: escape(result.Case.ID)}
		switch result.Outcome {
		case Failed:
			c.Failure = &junitProblem{escape(result.Reasons[0]), escapeLines(result.Lesson, "", escape)}
			c.Stderr = escape(result.Stderr)
		case Skipped, KnownFailure:
			c.Skipped = &junitProblem{Message: escape(result.Reasons[0])}
		}
		out.Cases = append(out.Cases, c)
	}
	text, err := xml.MarshalIndent(out, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode the report: %w", err)
	}
	return append([]byte(xml.Header), append(text, '\n')...), nil
}
