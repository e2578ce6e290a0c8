package workbench_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/lmclint/lmclint/internal/model/workbench"
)

// The values are what pydantic 2 converts.
func TestConverts(t *testing.T) {
	for to, values := range map[string]map[string]bool{
		"boolean": {`0`: true, `1.0`: true, `2`: false, `-1`: false, `"yes"`: true, `"OFF"`: true, `" true"`: false, `""`: false, `[]`: false, `null`: false},
		"integer": {`true`: true, `"5"`: true, `"+5"`: true, `" 5 "`: true, `"5.0"`: true, `"5.1"`: false, `"0x5"`: false, `""`: false, `5.5`: false, `{}`: false},
		"string":  {`5`: false, `true`: false},
	} {
		for json, want := range values {
			value := record(t, `{"x": `+json+`}`).Root.Member("x")
			assert.Equal(t, want, workbench.Converts(value, to), "%s from %s", to, json)
		}
	}
}
