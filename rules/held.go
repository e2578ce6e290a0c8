package rules

import "github.com/lmclint/lmclint/lint"

// held holds findings back until it is certain that the stream does not come
// from a server, where they are none.
type held struct {
	pass     *lint.Pass
	findings []lint.Finding
	stands   func(*state) bool // whether they are findings, now that the dialect is certain
}

// report reports a finding of the dialect in force, at once or as soon as the
// dialect is certain.
func (h *held) report(f lint.Finding) {
	if of(h.pass).settled {
		h.pass.Report(f)
		return
	}
	h.findings = append(h.findings, f)
}

// release reports what was held back when the dialect is certain.
func (h *held) release() lint.Hook {
	return lint.Hook{On: settledMet, Do: func(any) {
		if h.stands(of(h.pass)) {
			for _, f := range h.findings {
				h.pass.Report(f)
			}
		}
		h.findings = nil
	}}
}

// forget forgets what is held back.
func (h *held) forget() { h.findings = nil }
