package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// statement is a statement that can be deleted.
type statement struct {
	number      int
	description string // file, function and text; unique
}

// instrumenter puts a switch around each statement of a file that can be deleted.
type instrumenter struct {
	files      *token.FileSet
	statements []statement
	seen       map[string]int // descriptions
}

// instrument writes the instrumented files of the package, and an overlay that
// has the compiler read them.
func instrument(work string) ([]statement, error) {
	paths, err := filepath.Glob(filepath.Join(packageFolder, "*.go"))
	if err != nil {
		return nil, err
	}
	in := &instrumenter{files: token.NewFileSet(), seen: map[string]int{}}
	replace := map[string]string{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := in.file(path)
		if err != nil {
			return nil, err
		}
		changed := filepath.Join(work, filepath.Base(path))
		if err := os.WriteFile(changed, text, 0o600); err != nil {
			return nil, err
		}
		original, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		replace[original] = changed
	}
	helper := filepath.Join(work, "deleted.go")
	source := fmt.Sprintf("package lmc\n\nimport (\n\t\"os\"\n\t\"strconv\"\n)\n\nvar deleted, _ = strconv.Atoi(os.Getenv(%q))\n", variable)
	if err := os.WriteFile(helper, []byte(source), 0o600); err != nil {
		return nil, err
	}
	added, err := filepath.Abs(filepath.Join(packageFolder, "deleted.go"))
	if err != nil {
		return nil, err
	}
	replace[added] = helper
	return in.statements, writeOverlay(work, replace)
}

// file returns the instrumented text of a file.
func (in *instrumenter) file(path string) ([]byte, error) {
	file, err := parser.ParseFile(in.files, path, nil, 0)
	if err != nil {
		return nil, err
	}
	for _, declaration := range file.Decls {
		if f, ok := declaration.(*ast.FuncDecl); ok && f.Body != nil {
			in.list(f.Body.List, filepath.Base(path)+" "+f.Name.Name, f.Type.Results == nil)
		}
	}
	var out bytes.Buffer
	err = printer.Fprint(&out, in.files, file)
	return out.Bytes(), err
}

// list instruments a list of statements. CanEnd says that the function compiles
// if the control flow reaches the end of the list.
func (in *instrumenter) list(list []ast.Stmt, place string, canEnd bool) {
	for i, s := range list {
		canEnd := canEnd || i+1 < len(list)
		in.inside(s, place, canEnd)
		if in.isDeletable(s, canEnd) {
			list[i] = in.guarded(s, place)
		}
	}
}

// inside instruments the statements in a statement.
func (in *instrumenter) inside(s ast.Stmt, place string, canEnd bool) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		in.list(s.List, place, canEnd)
	case *ast.IfStmt:
		in.list(s.Body.List, place, canEnd)
		if s.Else != nil {
			in.inside(s.Else, place, canEnd)
		}
	case *ast.ForStmt:
		in.list(s.Body.List, place, true)
	case *ast.RangeStmt:
		in.list(s.Body.List, place, true)
	case *ast.SwitchStmt:
		for _, clause := range s.Body.List {
			in.list(clause.(*ast.CaseClause).Body, place, canEnd)
		}
	}
}

// isDeletable reports whether the package compiles without a statement.
func (in *instrumenter) isDeletable(s ast.Stmt, canEnd bool) bool {
	switch s := s.(type) {
	case *ast.ExprStmt, *ast.IncDecStmt:
		return true
	case *ast.AssignStmt:
		return s.Tok != token.DEFINE
	case *ast.ReturnStmt:
		return canEnd
	case *ast.BranchStmt:
		return s.Tok != token.FALLTHROUGH
	}
	return false
}

// guarded returns a statement with a switch around it.
func (in *instrumenter) guarded(s ast.Stmt, place string) ast.Stmt {
	var text bytes.Buffer
	if err := printer.Fprint(&text, in.files, s); err != nil {
		panic(err) // the statement was parsed
	}
	number := len(in.statements) + 1
	description := place + ": " + strings.Join(strings.Fields(text.String()), " ")
	in.seen[description]++
	if n := in.seen[description]; n > 1 {
		description += fmt.Sprintf(" (%d)", n)
	}
	in.statements = append(in.statements, statement{number, description})
	condition := &ast.BinaryExpr{X: ast.NewIdent("deleted"), Op: token.NEQ, Y: &ast.BasicLit{Kind: token.INT, Value: fmt.Sprint(number)}}
	return &ast.IfStmt{Cond: condition, Body: &ast.BlockStmt{List: []ast.Stmt{s}}}
}
