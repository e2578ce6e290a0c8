package workbench_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/generated"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/internal/source"
)

func record(t *testing.T, json string) *source.Record {
	t.Helper()
	rec, err := source.NewReader(bytes.NewReader([]byte(json)), source.Options{Form: source.FormJSONL}).Next()
	require.NoError(t, err)
	return rec.Clone()
}

// shapesFile has records, each followed by its shape and the nearest one, indented.
const shapesFile = "testdata/shapes.txt"

// Each record has the shape that the file says. Read the difference before you commit
// one that -update made.
func TestShapes(t *testing.T) {
	text, err := os.ReadFile(shapesFile)
	require.NoError(t, err)
	var out strings.Builder
	for line := range strings.Lines(string(text)) {
		if line[0] != '{' {
			if line[0] != '\t' {
				out.WriteString(line) // a comment
			}
			continue
		}
		root := record(t, line).Root
		fmt.Fprintf(&out, "%s\t%s, nearest %s\n", line, workbench.ShapeOf(root, ""), workbench.NearestShape(root))
	}
	generated.Expected(t, shapesFile, []byte(out.String()))
	assert.Equal(t, workbench.ShapePayload, workbench.ShapeOf(record(t, `{}`).Root, "message.created"), "by the name of the server-sent event")
	assert.Equal(t, workbench.ShapeUnknown, workbench.ShapeOf(nil, ""))
}
