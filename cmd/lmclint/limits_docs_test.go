package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/dustin/go-humanize"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/generated"
)

// limitCell matches a number of docs/limits.md and the comment before it, which names
// the constant that it is generated from: <!-- folder.name --> and the number.
var limitCell = regexp.MustCompile(`<!-- ([a-z/-]+)\.(\w+) -->[0-9](?:[0-9,]*[0-9])?( [KMG]iB)?`)

// The numbers in docs/limits.md are those of the constants.
func TestGeneratedLimits(t *testing.T) {
	page := filepath.Join(docs, "limits.md")
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	cells := 0
	generated.File(t, page, limitCell.ReplaceAllFunc(text, func(cell []byte) []byte {
		cells++
		m := limitCell.FindSubmatch(cell)
		number := humanize.Comma(constantOf(t, string(m[1]), string(m[2])))
		if len(m[3]) > 0 {
			number = strings.Replace(humanize.IBytes(uint64(constantOf(t, string(m[1]), string(m[2])))), ".0 ", " ", 1)
		}
		return fmt.Appendf(nil, "<!-- %s.%s -->%s", m[1], m[2], number)
	}))
	require.Greater(t, cells, 30)
}

// constantOf returns the value of a constant of a package, which is written as an
// expression of numbers.
func constantOf(t *testing.T, folder, name string) int64 {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("../..", folder, "*.go"))
	require.NoError(t, err)
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, declaration := range file.Decls {
			group, ok := declaration.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST {
				continue
			}
			for _, spec := range group.Specs {
				each := spec.(*ast.ValueSpec)
				if each.Names[0].Name != name || len(each.Values) == 0 {
					continue
				}
				value, err := types.Eval(token.NewFileSet(), nil, token.NoPos, types.ExprString(each.Values[0]))
				require.NoError(t, err, "%s.%s", folder, name)
				n, exact := constant.Int64Val(constant.ToInt(value.Value))
				require.True(t, exact, "%s.%s", folder, name)
				return n
			}
		}
	}
	require.Fail(t, "no constant "+folder+"."+name)
	return 0
}
