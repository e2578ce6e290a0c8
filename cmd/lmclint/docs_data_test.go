package main

import (
	"encoding/json"
	"errors"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// manuals are the files that people read, from the root of the repository.
func manuals(t *testing.T) []string {
	t.Helper()
	files := []string{"README.md"}
	require.NoError(t, filepath.WalkDir("../../docs", func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".md") {
			files = append(files, strings.TrimPrefix(filepath.ToSlash(path), "../../"))
		}
		return err
	}))
	return files
}

// fencedBlocks are the blocks of a document in one of some languages.
func fencedBlocks(t *testing.T, file string, languages ...string) []string {
	t.Helper()
	text, err := os.ReadFile("../../" + file)
	require.NoError(t, err)
	var blocks []string
	for _, match := range regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		if slices.Contains(languages, match[1]) {
			blocks = append(blocks, match[2])
		}
	}
	return blocks
}

// What the documents show as JSON, YAML or Go is that.
func TestDocumentedDataParses(t *testing.T) {
	parsed := 0
	for _, file := range manuals(t) {
		if strings.HasPrefix(file, "docs/rules/") {
			continue // their bad examples are meant to be broken, and are tested with the rules
		}
		for _, block := range fencedBlocks(t, file, "json", "jsonl", "json5") {
			assert.NoError(t, parseJSON(block), "%s:\n%s", file, block)
			parsed++
		}
		for _, block := range fencedBlocks(t, file, "yaml", "yml") {
			var value any
			assert.NoError(t, yaml.Unmarshal([]byte(strings.ReplaceAll(block, "# or\n", "---\n")), &value), "%s:\n%s", file, block)
			parsed++
		}
		for _, block := range fencedBlocks(t, file, "go") {
			assert.NoError(t, parseGo(block), "%s:\n%s", file, block)
			parsed++
		}
	}
	assert.Greater(t, parsed, 5)
}

// parseJSON reads values, or members of an object that is not shown.
func parseJSON(text string) error {
	err := parseJSONValues(text)
	if err != nil && parseJSONValues("{"+text+"}") == nil {
		return nil
	}
	return err
}

// parseJSONValues reads one value after another.
func parseJSONValues(text string) error {
	decoder := json.NewDecoder(strings.NewReader(text))
	for {
		var value any
		if err := decoder.Decode(&value); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// parseGo parses a Go file, a function, or the statements of a function body.
func parseGo(text string) error {
	switch {
	case strings.HasPrefix(text, "func "):
		text = "package p\n" + text
	case !strings.HasPrefix(text, "package "):
		text = "package p\nfunc _() error {\n" + text + "\n}"
	}
	_, err := parser.ParseFile(token.NewFileSet(), "", text, 0)
	return err
}
