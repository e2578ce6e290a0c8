package source_test

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"

	"github.com/lmclint/lmclint/internal/source/text"
	"github.com/lmclint/lmclint/internal/source/value"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
)

// FuzzScan compares the scanner with encoding/json: both take the same texts
// for JSON, but for what encoding/json lets pass, and give the same values.
func FuzzScan(f *testing.F) {
	for _, seed := range scanSeeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		input = []byte(`{"v":` + string(input) + `}`)
		if bytes.Contains(input, []byte("messages")) {
			return
		}
		reader := text.NewReader(bytes.NewReader(input), source.Options{Form: source.FormJSON, MaxDepth: value.MaxDepth})
		rec, err := reader.Next()
		require.NoError(t, err)
		root := rec.Root
		own := only(rec.Problems, source.InvalidUTF8, source.DuplicateKey, source.LoneSurrogate)
		if rec, err := reader.Next(); err == nil {
			require.NotEmpty(t, rec.Problems)
			root = nil
		} else {
			require.Equal(t, io.EOF, err)
		}
		if root == nil && own {
			return
		}
		require.Equal(t, json.Valid(input), root != nil, "%q", input)
		if root != nil && len(rec.Problems) == 0 {
			requireValue(t, decoded(t, input), root.Value())
		}
	})
}

// only reports whether all problems are of these kinds, and there is one.
func only(problems []source.Problem, kinds ...source.ProblemKind) bool {
	for _, p := range problems {
		known := false
		for _, kind := range kinds {
			known = known || p.Kind == kind
		}
		if !known {
			return false
		}
	}
	return len(problems) > 0
}

func decoded(t *testing.T, text []byte) (value any) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&value))
	return value
}

// requireValue compares values.
func requireValue(t *testing.T, want, got any) {
	switch want := want.(type) {
	case map[string]any:
		require.IsType(t, want, got)
		require.Len(t, got, len(want))
		for name := range want {
			requireValue(t, want[name], got.(map[string]any)[name])
		}
	case []any:
		require.IsType(t, want, got)
		require.Len(t, got, len(want))
		for i := range want {
			requireValue(t, want[i], got.([]any)[i])
		}
	default:
		require.Equal(t, want, got)
	}
}

// scanSeeds show what values are made of.
var scanSeeds = []string{
	`null`, `true`, `false`, `0`, `-0`, `1.5e+10`, `1E400`, `-1e1000001`, `""`, `"a\"\\\/\b\f\n\r\t\u00e9\ud83c\udf89"`, `"\ud800"`,
	`[]`, `[1,2,[3]]`, `{}`, `{"a":{"b":[null]}}`, ` [ 1 , 2 ] `, `{"a":1,"a":2}`, "\"\x7f\u00e9\U0001f389\"", "\"\x00\"", "\"\xff\"", `1}`,
	`01`, `1.`, `.1`, `1e`, `+1`, `-`, `tru`, `True`, `NaN`, `'a'`, `"\x"`, `"\u12"`, `[1,]`, `{"a":1,}`, `{a:1}`, `// x`, `1 2`, `"` + "\n" + `"`,
}
