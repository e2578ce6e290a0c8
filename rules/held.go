package rules

import "github.com/lmclint/lmclint/lint"

// held holds findings back until it is certain that the stream does not come
// from a server, where they are none.
type deferredFindings struct {
	pass     *lint.Pass
	findings []lint.Finding
	stands   func(*state) bool // whether they are findings, now that the dialect is certain
}

// report reports a finding of the dialect in force, at once or as soon as the
// dialect is certain.
func (h *deferredFindings) report(f lint.Finding) {
	if stateOf(h.pass).settled {
		h.pass.Report(f)
		return
	}
	h.findings = append(h.findings, f)
}

// release reports what was held back when the dialect is certain.
func (h *deferredFindings) release() lint.Hook {
	return lint.Hook{On: dialectFixedEvent, Do: func(any) {
		if h.stands(stateOf(h.pass)) {
			for _, f := range h.findings {
				h.pass.Report(f)
			}
		}
		h.findings = nil
	}}
}

// forget forgets what is held back.
func (h *deferredFindings) forget() { h.findings = nil }
