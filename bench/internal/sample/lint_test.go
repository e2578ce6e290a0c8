package sample_test

import (
	"bytes"
	"io"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// linter compiles its schemas once for all tests.
var linter = sync.OnceValue(func() *lint.Linter {
	return linttest.MustNew(rules.All(), lint.WithConfig(lint.Config{Dialect: "interpreter"}))
})

// findings lints what write writes, with every rule.
func findings(t *testing.T, write func(io.Writer) error) (lint.Result, []lint.Finding) {
	t.Helper()
	var found []lint.Finding
	result, err := linter().Run(t.Context(), "sample", bytes.NewReader(written(t, write)), func(f lint.Finding) error {
		found = append(found, f)
		return nil
	})
	require.NoError(t, err)
	return result, found
}

func written(t *testing.T, write func(io.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, write(&b))
	return b.Bytes()
}
