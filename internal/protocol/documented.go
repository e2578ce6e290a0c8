package protocol

import "github.com/lmclint/lmclint/lint"

// UnderAuto is the case of a rule about a value that the documentation prints or lists,
// and that releases do not accept. If no dialect is named, the producer may follow the
// documentation, so that the finding is a warning.
var UnderAuto = lint.SeverityCase{Severity: lint.SeverityWarning, When: "auto"}

// Documented reports what the documentation prints or lists. With a dialect named,
// it is a mistake wherever it is; else it is one warning.
type Documented struct {
	Pass     *lint.Pass
	reported bool
}

// Report reports a finding. Message says what is wrong for a release, and
// documented the same where the documentation is one side. If fixes are wanted, each
// place has one.
func (d *Documented) Report(f lint.Finding, documented string) {
	if !StateOf(d.Pass).DialectNamed {
		if d.reported && (!d.Pass.Fixing || f.Fix == nil) {
			return
		}
		d.reported = true
		f.Message, f.Severity = documented, UnderAuto.Severity
	}
	d.Pass.Report(f)
}
