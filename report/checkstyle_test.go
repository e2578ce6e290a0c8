package report_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/report"
)

func TestCheckstyleKeepsItsSchema(t *testing.T) {
	keepsXSD(t, report.FormatCheckstyle, "testdata/checkstyle.xsd", "checkstyle", []string{
		`severity="error"`, `severity="note"`,
		`line="1"`, `line="0"`,
		`<error line="1"`, `<error`,
		`<file name=`, `<file path=`,
		`</file>`, `<file name="x"/></file>`,
	})
}

// keepsXSD validates the reports of all samples with a schema. Then it validates
// spoiled reports, in which the second text of each pair replaces the first: a
// schema that accepts everything would prove nothing.
func keepsXSD(t *testing.T, format report.Format, path, root string, spoils []string) {
	t.Helper()
	schema := readXSD(t, path)
	for _, s := range append(samples(), everything()) {
		assert.NoError(t, schema.check(render(t, s, format, report.Options{}), root), s.name)
	}
	whole := render(t, everything(), format, report.Options{})
	for i := 0; i < len(spoils); i += 2 {
		spoiled := bytes.Replace(whole, []byte(spoils[i]), []byte(spoils[i+1]), 1)
		require.NotEqual(t, whole, spoiled, spoils[i])
		assert.Error(t, schema.check(spoiled, root), spoils[i+1])
	}
}
