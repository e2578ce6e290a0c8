package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/lmclint/lmclint/lint"
)

// statistics counts findings by rule.
type statistics map[*lint.Rule]*ruleCount

type ruleCount struct {
	findings int
	worst    lint.Severity
}

func (s statistics) add(f *lint.Finding) {
	count := s[f.Rule]
	if count == nil {
		count = &ruleCount{}
		s[f.Rule] = count
	}
	count.findings++
	count.worst = max(count.worst, f.Severity)
}

// String is a line for each rule, those with the most findings first.
func (s statistics) String() string {
	found := make([]*lint.Rule, 0, len(s))
	for r := range s {
		found = append(found, r)
	}
	slices.SortFunc(found, func(a, b *lint.Rule) int {
		return cmp.Or(cmp.Compare(s[b].findings, s[a].findings), cmp.Compare(a.ID, b.ID))
	})
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, r := range found {
		_, _ = fmt.Fprintf(w, "%d\t%s\t%s\t%s\n", s[r].findings, s[r].worst, r.ID, r.Name)
	}
	_ = w.Flush() // a bytes.Buffer takes everything
	return b.String()
}
