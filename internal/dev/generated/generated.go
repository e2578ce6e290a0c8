// Package generated keeps generated files up to date: rule pages, tables in the
// documentation, JSON Schemas. Each of them has a test named TestGenerated… that
// compares the file with what the program generates now, and fails if the file
// is stale. Run from the root of the repository,
//
//	go generate ./...
//
// runs the same tests with the flag -generate, and they write the files instead.
//
// Expected results of tests, such as the findings of the conformance suite, are
// not generated: they specify what the program must do, and the flag -update of
// their tests rewrites them for a reader to review. See [Expected].
package generated

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
)

// One run suffices, because each line reads what those before it wrote: package
// schema embeds its schemas, and cmd/lmclint reads the one of configurations after
// it wrote the names of the rules into it. The packages of a line run in parallel: no
// two of them write to one document.
//
//go:generate go test -vet=off ../../../schema ../../model/lmc -count=1 -run ^TestGenerated -generate
//go:generate go test -vet=off ../../judge/protocol ../../../rules ../../change/apply -count=1 -run ^TestGenerated -generate
//go:generate go test -vet=off ../../../cmd/lmclint -count=1 -run ^TestGenerated -generate

var (
	write  = flag.Bool("generate", false, "write generated files instead of comparing them")
	update = flag.Bool("update", false, "write what tests expect instead of comparing it; read the difference")
)

// Wanted reports whether a test that takes long is to make a whole generated file:
// to write it, or to compare it in the exhaustive tests. Otherwise a sample of
// what is in it does.
func Wanted() bool { return *write || exhaustive.Enabled() }

// Writing reports whether generated files are written instead of compared.
func Writing() bool { return *write }

// File compares a generated file with the wanted text, and fails the test if
// they differ. With -generate it writes the file, and its directory if needed.
// The path is relative to the package of the test.
func File(t testing.TB, path string, want []byte) {
	t.Helper()
	have, err := os.ReadFile(path)
	if *write {
		if err != nil || string(have) != string(want) {
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
			require.NoError(t, os.WriteFile(path, want, 0o644))
		}
		return
	}
	require.NoError(t, err, "run go generate ./...")
	same(t, have, want, path+" is stale; run go generate ./...")
}

// Updating reports whether the results that tests expect are written instead of compared.
func Updating() bool { return *update }

// Expected compares a file of expected results with what a test got, and fails the test
// if they differ. With -update it writes the file. The path is relative to the package of
// the test.
func Expected(t testing.TB, path string, got []byte) {
	t.Helper()
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	test, _, _ := strings.Cut(t.Name(), "/")
	advice := "if this is right, run go test -run '^" + test + "$' -update in this package, and read the difference"
	want, err := os.ReadFile(path)
	require.NoError(t, err, advice)
	same(t, want, got, path+": "+advice)
}

// same fails the test with the lines that differ, and not with both texts.
func same(t testing.TB, have, want []byte, advice string) {
	t.Helper()
	if string(have) != string(want) {
		t.Errorf("%s\n%s", advice, diff.Diff("the file", have, "the program", want))
	}
}

// Section compares the text between two markers in a file with the wanted text,
// like File. The rest of the file is written by hand.
// Questions are what to ask oneself about a stale section before it is written.
func Section(t testing.TB, path, begin, end, want string, questions ...string) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	head, rest, found := strings.Cut(string(text), begin)
	require.True(t, found, "%s has no marker %q", path, begin)
	have, tail, found := strings.Cut(rest, end)
	require.True(t, found, "%s has no marker %q after %q", path, end, begin)
	if *write {
		File(t, path, []byte(head+begin+want+end+tail))
		return
	}
	advice := strings.Join(append(questions, "run go generate ./..."), " If so, ")
	assert.Equal(t, want, have, "the section %q of %s is stale. %s", strings.TrimSpace(begin), path, advice)
}

// OnlyFiles fails the test if a directory contains a file that is not among
// names: one that was generated from something that no longer exists. With
// -generate it removes the file.
func OnlyFiles(t testing.TB, directory string, names []string) {
	t.Helper()
	entries, err := os.ReadDir(directory)
	require.NoError(t, err)
	for _, entry := range entries {
		if slices.Contains(names, entry.Name()) {
			continue
		}
		path := filepath.Join(directory, entry.Name())
		if *write {
			require.NoError(t, os.Remove(path))
			continue
		}
		assert.Fail(t, path+" is stale: nothing generates it; run go generate ./...")
	}
}
