package main

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is offered is there, and takes the word that is offered with it; what
// it is offered for is not there.
func TestOtherNamesOfFlags(t *testing.T) {
	for other, meant := range otherNames {
		flags := pflag.NewFlagSet("check", pflag.ContinueOnError)
		defineCheckFlags(flags)
		assert.Nil(t, flags.Lookup(other), other)
		assert.Equal(t, meant, equivalentFlag(flags, other))
		if own, value, found := strings.Cut(meant, " "); found {
			require.NoError(t, flags.Parse([]string{own + "=" + value}))
		}
	}
}
