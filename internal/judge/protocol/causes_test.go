package protocol

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/lmclint/lmclint/internal/judge/validate"
)

func TestEveryCauseHasARuleOfItsOwn(t *testing.T) {
	causes := map[string]validate.Cause{}
	for cause := validate.MissingRole; cause <= validate.InvalidExportRecord; cause++ {
		rule := ruleOf[cause]
		assert.NotEmpty(t, rule, "cause %d", cause)
		assert.Zero(t, causes[rule], rule)
		causes[rule] = cause
	}
}
