package report

import (
	"io"

	"github.com/lmclint/lmclint/lint"
)

// sarifMost is how many findings a SARIF report holds: code scanning refuses a
// run with more.
const maxSARIFResults = 25_000

const sarifHead = `{
"$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
"version": "2.1.0",
"runs": [{
`

// sarif is one document for code scanning. It holds the gravest findings, and
// a notification of how many others there are.
type sarif struct {
	out      io.Writer
	run      Run
	findings mostSevere
	prints   fingerprints
	failed   []File
	rules    ruleIndex
}

func newSARIF(w io.Writer) *sarif { return &sarif{out: w, findings: mostSevere{most: maxSARIFResults}} }

func (s *sarif) Begin(r Run) error {
	s.run = r
	for _, rule := range r.Rules {
		s.rules.of(rule)
	}
	return nil
}

func (s *sarif) Finding(f lint.Finding) error {
	f.Fingerprint = s.prints.of(&f)
	s.rules.of(f.Rule)
	s.findings.add(f)
	return nil
}

func (s *sarif) File(f File) error {
	if f.Err != nil {
		s.failed = append(s.failed, f)
	}
	return nil
}

func (s *sarif) End(sum Summary) error {
	findings := s.findings.sorted()
	sortFiles(s.failed)
	d := &sarifWriter{document{out: s.out}, &s.run}
	d.write(sarifHead)
	d.member("tool")
	d.driver(s.rules.rules)
	d.member("invocations")
	d.invocations(sum, s.failed, s.findings.left)
	d.member("originalUriBaseIds")
	d.write(`{"%SRCROOT%":{"description":{"text":"The root of the repository."}}},` + "\n")
	d.array("results", len(findings), func(i int) { d.result(&findings[i], s.rules.of(findings[i].Rule)) })
	d.member("columnKind")
	d.write(`"unicodeCodePoints"` + "\n}]\n}\n")
	return d.close()
}

// ruleIndex numbers rules.
type ruleIndex struct {
	rules []*lint.Rule
	index map[*lint.Rule]int
}

func (x *ruleIndex) of(r *lint.Rule) int {
	i, ok := x.index[r]
	if ok {
		return i
	}
	if x.index == nil {
		x.index = map[*lint.Rule]int{}
	}
	x.index[r] = len(x.rules)
	x.rules = append(x.rules, r)
	return x.index[r]
}
