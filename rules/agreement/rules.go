// Package agreement holds the rules LMC7xx: does a stream match its stored transcript?
package agreement

import (
	"fmt"
	"strconv"

	"github.com/lmclint/lmclint/internal/agreement"
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

// severityOf is note for what is explained, else the rule's own.
func severityOf(d *agreement.Difference) lint.Severity {
	if d.Reason.Explained() {
		return lint.SeverityNote
	}
	return 0
}

// andMore says that the same is to be said of what is behind, as in ", nor the
// 3 messages behind it".
func andMore(n int, and, noun string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return ", " + and + " the " + noun + " behind it"
	}
	return fmt.Sprintf(", %s the %d %ss behind it", and, n, noun)
}

// counted is a number with its noun, as in "3 messages".
func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
