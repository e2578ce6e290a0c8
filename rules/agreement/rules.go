// Package agreement contains the rules LMC7xx: does a stream match its stored transcript?
package agreement

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/judge/agreement"
	"github.com/lmclint/lmclint/lint"
)

// Rules returns the rules of the family, in the order of their ids.
func Rules() []*lint.Rule {
	return []*lint.Rule{
		messageNotStreamed,
		blockNotStored,
		contentDiffers,
	}
}

var explainedDifference = lint.SeverityCase{Severity: lint.SeverityNote, When: "explained difference"}

// severityOf returns the severity of an explained difference, otherwise 0: the
// rule's own.
func severityOf(d *agreement.Difference) lint.Severity {
	if d.Reason.Explained() {
		return explainedDifference.Severity
	}
	return 0
}

// andMore extends a message to the n things that follow, as in ", nor were the
// next 3 messages".
func andMore(n int, noun string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return ", nor was the next " + noun
	}
	return fmt.Sprintf(", nor were the next %d %ss", n, noun)
}
