package schema_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/lmclint/lmclint/schema"
)

// The schemas do not refer to each other, so each contains all that it describes: as a
// definition, or as the whole schema of that name.
func TestCopiesOfADefinitionAreEqual(t *testing.T) {
	first := map[string]any{}
	compare := func(name string, definition any, id string) {
		if same, known := first[name]; known {
			assert.Equal(t, same, definition, "%s of %s", name, id)
			return
		}
		first[name] = definition
	}
	for _, p := range published(t) {
		if p.Protocol != schema.WorkbenchProtocol {
			continue
		}
		document := value(t, text(t, p)).(map[string]any)
		definitions, _ := document["$defs"].(map[string]any)
		for name, definition := range definitions {
			compare(name, withoutDescription(definition), p.ID)
		}
		for _, key := range []string{"$schema", "$id", "$comment", "$defs", "title", "examples"} {
			delete(document, key)
		}
		compare(p.Name, withoutDescription(document), p.ID)
	}
	assert.Greater(t, len(first), 20)
}

// withoutDescription returns a definition without its own description.
func withoutDescription(definition any) any {
	delete(definition.(map[string]any), "description")
	return definition
}
