package plugin_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/lmclint/lmclint/internal/contract/plugin"
)

// A producer that writes another type in each record does not fill the memory.
func TestCoverageIsBounded(t *testing.T) {
	of := func(first, last int) *plugin.Coverage {
		c := plugin.NewCoverage()
		for n := first; n < last; n++ {
			c.Count(plugin.RecordKind{Type: strconv.Itoa(n)}, 1)
		}
		return c
	}
	all := of(0, 2000)
	all.Add(nil)
	all.Add(of(1000, 3000))
	assert.Less(t, len(all.Records), 600)
	records := 0
	for _, n := range all.Records {
		records += n
	}
	assert.Equal(t, 4000, records)
}
