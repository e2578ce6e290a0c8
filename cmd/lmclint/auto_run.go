package main

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

// explainAutoRun says, with or without --verbose and once for each dialect, that
// --auto-run has no effect on an input.
func (d *details) explainAutoRun(o *checkFlags, p *plan, r lint.Result) {
	if !o.autoRun || o.quiet || r.Protocol == "" || d.autoRun[r.Dialect] {
		return
	}
	why := "Semantic Workbench has no confirmations"
	if r.Protocol == (protocol.LMC{}).Name() {
		dialects, _ := p.settings.Input().Vocabulary.(*schema.Dialects)
		dialect, ok := dialects.Lookup(r.Dialect)
		switch {
		case !ok || dialect.Confirmation == schema.ConfirmUnlessAutoRun:
			return
		case dialect.Confirmation == schema.ConfirmAlways:
			why = "recordings of dialect " + r.Dialect + " have confirmations with auto_run, too"
		default:
			why = "recordings of dialect " + r.Dialect + " have no confirmations"
		}
	}
	d.autoRun[r.Dialect] = true
	d.command.printLine("%s: --auto-run has no effect: %s", r.Path, why)
}
