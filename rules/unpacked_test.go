package rules_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/linttest"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// Compressed data that grow without measure are one finding, where the reading
// ends; the records before are judged.
func TestUnpackedDataGrow(t *testing.T) {
	wrong := `{"role": "user", "type": "mesage", "content": "Hi"}` + "\n"
	data := compressed(t, []byte(wrong+strings.Repeat(" ", 4<<20)))
	linter := linttest.MustNew(rules.All(),
		lint.WithConfig(lint.Config{Dialect: "interpreter", Kind: "transcript", MaxUnpackedBytes: 64 << 10}))

	found := lintAll(t, linter, "bomb.jsonl.gz", data)
	require.Len(t, found, 2)
	require.Equal(t, "LMC104", found[0].Rule.ID)
	require.Equal(t, "LMC006", found[1].Rule.ID)
	require.Equal(t, 2, found[1].Place.Span.Start.Line)
	require.Contains(t, found[1].Message, "reading stopped here")
	require.Contains(t, found[1].Help, "decompress the file")
}
