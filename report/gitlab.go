package report

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/lmclint/lmclint/lint"
)

// gitlab writes one document for GitLab's Code Quality: an array of issues with
// unique fingerprints.
type gitlab struct {
	base
	findings list[*gitlabIssue]
}

type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
	End   int `json:"end,omitempty"`
}

func (g *gitlab) Finding(f lint.Finding) error {
	path, _ := g.run.locate(f.Path)
	g.findings.add(&f, &gitlabIssue{
		Description: EscapeControls(oneLine(&f)),
		CheckName:   f.Rule.ID,
		Fingerprint: unique(path, f.Fingerprint),
		Severity:    gitlabSeverities[f.Severity],
		Location:    gitlabLocation{path, gitlabLines{known(f.Place.Span.Start).Line, known(f.Place.Span.End).Line}},
	})
	return nil
}

func (g *gitlab) End(Summary) error {
	findings := g.findings.sorted()
	sortFiles(g.failed)
	d := documentWriter{out: g.out}
	d.array("", len(g.failed)+len(findings), func(i int) {
		if i < len(g.failed) {
			d.value(g.failure(&g.failed[i]))
			return
		}
		d.value(findings[i-len(g.failed)].value)
	})
	d.write("\n")
	return d.err
}

// failure returns the issue of a file whose check failed.
func (g *gitlab) failure(f *File) *gitlabIssue {
	path, _ := g.run.locate(f.Path)
	return &gitlabIssue{
		Description: EscapeControls(reason(f)), CheckName: "not-checked", Fingerprint: unique(path, "not checked"),
		Severity: "blocker", Location: gitlabLocation{path, gitlabLines{Begin: 1}},
	}
}

// unique returns a fingerprint that differs from those of findings in other
// files.
func unique(path, fingerprint string) string {
	sum := sha256.Sum256([]byte(path + "\x00" + fingerprint))
	return hex.EncodeToString(sum[:16])
}

// gitlabSeverities are what Code Quality calls the severities.
var gitlabSeverities = map[lint.Severity]string{lint.SeverityError: "major", lint.SeverityWarning: "minor", lint.SeverityNote: "info"}
