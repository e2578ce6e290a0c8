package schema_test

import (
	"slices"
	"testing"

	"github.com/lmclint/lmclint/schema"
	"github.com/stretchr/testify/assert"
)

func TestHasKeyAgreesWithKnownKeys(t *testing.T) {
	for _, name := range append(schema.Names(), extended, strange) {
		d := dialectFor(t, name)
		for _, part := range []schema.Part{schema.Message, schema.Chunk} {
			for _, key := range append(d.KnownKeys(schema.Chunk), "", "recipient", "stop", "end", "auth", "mood", "Role") {
				assert.Equal(t, slices.Contains(d.KnownKeys(part), key), d.HasKey(part, key), "%s %s %s", name, part, key)
			}
		}
	}
}
