package apply_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// notEdited are the rules whose help no edit of their examples follows: it is about the
// limits of the program, the encoding of the file, another file or format, or says which
// whole records to remove, to put in order or to make anew.
var notEdited = map[string]bool{
	"LMC002": true, "LMC006": true, "LMC010": true, "LMC011": true, "LMC117": true, "LMC701": true, "LMC702": true, "LMC703": true,
	"WB008": true, "WB009": true, "WB010": true, "WB102": true, "WB104": true, "WB201": true, "WB202": true, "WB301": true, "WB302": true, "WB303": true,
}

// Help leads to a clean input: a bad example has no finding above a note when it is edited
// as its help says, or fixed where the help has a fix.
func TestHelpLeadsToCleanExample(t *testing.T) {
	for _, rule := range rules.All() {
		if notEdited[rule.ID] {
			continue
		}
		for _, e := range rule.Bad {
			linter := fixer(t, e)
			after := e.Edited()
			for i := 0; i+1 < len(e.Edits); i += 2 {
				assert.Contains(t, e.Text(), e.Edits[i], "%s, %q: what is edited", rule.ID, e.Name)
			}
			if len(e.Edits) == 0 {
				after = string(mend(t, linter, after, true).Text)
			}
			for _, f := range lintText(t, linter, "example", after) {
				if f.Severity != lint.SeverityNote {
					assert.Fail(t, "help leads to a finding", "%s, %q: %s at line %d: %s\n%s", rule.ID, e.Name, f.Rule.ID, f.Place.Span.Start.Line, f.Message, after)
				}
			}
		}
	}
}
