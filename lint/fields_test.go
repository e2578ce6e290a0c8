package lint_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/lint"
)

// The documentation of a type of an internal package lists its fields, which go doc does
// not show.
func TestFieldsAreDocumented(t *testing.T) {
	documented := map[string]string{}
	for _, name := range []string{"linter.go", "rule.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		require.NoError(t, err)
		for _, d := range file.Decls {
			if types, ok := d.(*ast.GenDecl); ok && types.Tok == token.TYPE {
				documented[types.Specs[0].(*ast.TypeSpec).Name.Name] = types.Doc.Text()
			}
		}
	}
	for _, value := range map[string]any{
		"Config": lint.Config{}, "Fix": lint.Fix{}, "Edit": lint.Edit{}, "Place": lint.Place{}, "Span": lint.Span{}, "Position": lint.Position{},
	} {
		of := reflect.TypeOf(value)
		name := of.Name()
		if name == "Settings" {
			name = "Config"
		}
		var want, got []string
		for i := range of.NumField() {
			field := of.Field(i)
			kind := field.Type.String()
			if at := strings.LastIndexAny(kind, ".]"); kind != "interface {}" && at >= 0 {
				kind = strings.Repeat("[]", strings.Count(kind, "[]")) + kind[at+1:]
			}
			want = append(want, field.Name+" "+strings.Replace(kind, "interface {}", "any", 1))
		}
		for line := range strings.Lines(documented[name]) {
			if words := strings.Fields(line); strings.HasPrefix(line, "\t") {
				got = append(got, words[0]+" "+words[1])
			}
		}
		assert.Equal(t, want, got, name)
	}
}
