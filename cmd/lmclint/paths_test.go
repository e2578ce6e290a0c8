package main

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// notInTree has the paths that are named and need not exist, with the reason.
var notInTree = map[string]string{
	"docs/server/usage":                       "of another program",
	"packaging/npm/node_modules":              "installed",
	"rules/content/lmcNNN_long_content.go":    "a new rule",
	"testdata/core/bad/lmc202_end_lost.jsonl": "a new case",
	"testdata/core/bad/lmc202_new.jsonl":      "a new case",
	"testdata/fuzz":                           "of any package",
	"testdata/json/*":                         "generated",
	"testdata/json/array-open.json":           "generated",
	"testdata/manifest.json":                  "generated",
	"web/dist":                                "built",
}

// written has the extensions of files in which people name paths, besides Go code.
var written = map[string]bool{
	"": true, ".css": true, ".html": true, ".js": true, ".md": true, ".mjs": true, ".mts": true,
	".py": true, ".sh": true, ".toml": true, ".ts": true, ".yaml": true, ".yml": true,
}

var (
	// treePath matches a path from the root of the tree, and goFile the name or the end of
	// the path of a Go file.
	treePath = regexp.MustCompile(`(?:^|[^\w/.@-])(?:\./)?((?:\.ci|beam|bench|cmd|config|docs|examples|internal|lint|packaging|report|rules|schema|testdata|web)/[\w./<>*-]*)`)
	goFile   = regexp.MustCompile(`(?:^|[^\w/.<>*@-])([\w<*][\w./<>*-]*\.go)(?:[^\w (-]| [^=]| ?$)`)
	// rootPrefix precedes the paths of imports and those in .golangci.yml.
	rootPrefix = regexp.MustCompile(`github\.com/lmclint/lmclint/|\$\{config-path\}/`)
	// placeholder is a part of a path that stands for any other.
	placeholder = regexp.MustCompile(`<[^>]*>|NNN|NAME|FOLDER`)
	// constantName follows a folder in docs/limits.md.
	constantName = regexp.MustCompile(`\.[A-Za-z]\w{3,}$`)
)

// What pages, scripts, comments and lists of imports name is in the tree.
func TestPathsExist(t *testing.T) {
	t.Chdir("../..")
	readers, err := filepath.Glob("testdata/*.md")
	require.NoError(t, err)
	files := map[string]bool{} // ends of the paths of Go files
	require.NoError(t, filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		path = filepath.ToSlash(path)
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir():
			if slices.Contains([]string{".git", "node_modules", "dist", "lib", "testdata"}, name) { // installed, built, or read elsewhere
				return fs.SkipDir
			}
		case path == "CHANGELOG.md": // what was
		case filepath.Ext(name) == ".go":
			readers = append(readers, path)
			parts := strings.Split(path, "/")
			for i := range parts {
				files[strings.Join(parts[i:], "/")] = true
			}
		case written[filepath.Ext(name)]:
			readers = append(readers, path)
		}
		return nil
	}))
	ends := slices.Collect(maps.Keys(files))
	isGoFile := func(name string) bool {
		pattern := placeholder.ReplaceAllString(name, "*")
		return files[name] || slices.ContainsFunc(ends, func(end string) bool {
			isMatch, err := filepath.Match(pattern, end)
			return err == nil && isMatch
		})
	}
	isPath := func(name, folder string) bool {
		return slices.ContainsFunc([]string{name, folder + "/" + name, constantName.ReplaceAllString(name, "")}, func(path string) bool {
			found, err := filepath.Glob(placeholder.ReplaceAllString(path, "*"))
			return err == nil && len(found) > 0
		})
	}
	unused := maps.Clone(notInTree)
	for _, reader := range readers {
		for line, text := range passages(t, reader) {
			text = rootPrefix.ReplaceAllString(text, "")
			for _, m := range treePath.FindAllStringSubmatch(text, -1) {
				name := strings.TrimRight(m[1], "./")
				delete(unused, name)
				isFound := notInTree[name] != "" || isPath(name, filepath.Dir(reader))
				assert.True(t, isFound, "%s:%d: there is no %s", reader, line, name)
			}
			if !strings.Contains(text, ".go") {
				continue
			}
			for _, m := range goFile.FindAllStringSubmatch(treePath.ReplaceAllString(text, " "), -1) {
				assert.True(t, isGoFile(m[1]), "%s:%d: there is no %s", reader, line, m[1])
			}
		}
	}
	assert.Empty(t, unused, "named nowhere: remove it from notInTree")
}

// passages returns what a file says, with the lines on which it does: each line of a
// page; of Go code the comments, and the strings that name a folder under internal.
func passages(t *testing.T, path string) map[int]string {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	said := map[int]string{}
	if filepath.Ext(path) != ".go" {
		for i, line := range strings.Split(string(text), "\n") {
			said[i+1] = line
		}
		return said
	}
	var s scanner.Scanner
	file := token.NewFileSet().AddFile(path, -1, len(text))
	s.Init(file, text, nil, scanner.ScanComments)
	for {
		pos, kind, literal := s.Scan()
		switch {
		case kind == token.EOF:
			return said
		case kind == token.COMMENT, kind == token.STRING && strings.Contains(literal, "internal/"):
			said[file.Line(pos)] += " " + literal
		}
	}
}
