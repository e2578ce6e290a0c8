package protocol

import (
	"github.com/lmclint/lmclint/lint"
)

// held holds findings back until it is certain that the stream does not come
// from a server, where they are none.
type DeferredFindings struct {
	Pass     *lint.Pass
	findings []lint.Finding
	Stands   func(*State) bool // whether they are findings, now that the dialect is certain
}

// report reports a finding of the dialect in force, at once or as soon as the
// dialect is certain.
func (h *DeferredFindings) Report(f lint.Finding) {
	if StateOf(h.Pass).DialectFixed {
		h.Pass.Report(f)
		return
	}
	h.findings = append(h.findings, f)
}

// release reports what was held back when the dialect is certain.
func (h *DeferredFindings) Release() lint.Hook {
	return lint.Hook{On: dialectFixedEvent, Do: func(any) {
		if h.Stands(StateOf(h.Pass)) {
			for _, f := range h.findings {
				h.Pass.Report(f)
			}
		}
		h.findings = nil
	}}
}

// forget forgets what is held back.
func (h *DeferredFindings) Forget() { h.findings = nil }
