package gitignore_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/base/gitignore"
)

func parse(t *testing.T, lines ...string) (list gitignore.Patterns) {
	t.Helper()
	for _, line := range lines {
		p, ok, err := gitignore.Parse(line, "test")
		require.NoError(t, err)
		if ok {
			list = append(list, p)
		}
	}
	return list
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		dir, want     bool
	}{
		{"a.json", "a.json", false, true},
		{"a.json", "x/y/a.json", false, true},
		{"/a.json", "x/a.json", false, false},
		{"/a.json", "a.json", false, true},
		{"x/a.json", "x/a.json", false, true},
		{"x/a.json", "y/x/a.json", false, false},
		{"*.json", "x/a.json", false, true},
		{"x/*.json", "x/a.json", false, true},
		{"x/*.json", "x/y/a.json", false, false},
		{"**/a.json", "a.json", false, true},
		{"x/**/a.json", "x/a.json", false, true},
		{"x/**/a.json", "x/y/z/a.json", false, true},
		{"x/**", "x/y/a.json", false, true},
		{"x/**", "x", true, false},
		{"build/", "build", true, true},
		{"build/", "build", false, false},
		{"build/", "x/build", true, true},
		{"{a,b}.json", "a.json", false, false},
		{"{a,b}.json", "{a,b}.json", false, true},
		{`\#a`, "#a", false, true},
		{`\!a`, "!a", false, true},
		{`a\ `, "a ", false, true},
		{"a  \r\n", "a", false, true},
		{"[!a].json", "b.json", false, true},
		{"[!a].json", "a.json", false, false},
		{"a?c", "abc", false, true},
		{"a?c", "a/c", false, false},
		{"a?c", "aéc", false, true}, // not with git
	} {
		p := parse(t, c.pattern).Match(c.path, c.dir)
		assert.Equal(t, c.want, p != nil, "%q, %q", c.pattern, c.path)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"[a", "!", "/", "a[", "!/"} {
		_, ok, err := gitignore.Parse(text, "here")
		assert.ErrorContains(t, err, "here: invalid glob: ")
		assert.False(t, ok)
	}
	for _, text := range []string{"", "   ", "# x", "\r\n"} {
		_, ok, err := gitignore.Parse(text, "here")
		assert.NoError(t, err)
		assert.False(t, ok)
	}
}

func TestParseGlob(t *testing.T) {
	for text, paths := range map[string][]string{
		"*.{json,har}": {"a.json", "x/b.har"},
		"./x/a.json":   {"x/a.json"},
		"{x,y}/a.json": {"x/a.json", "y/a.json"},
		"#a":           {"#a"},
	} {
		p, err := gitignore.ParseGlob(text, "here")
		require.NoError(t, err)
		for _, path := range paths {
			assert.True(t, p.Match(path, false), "%s, %s", text, path)
		}
		assert.False(t, p.Match("z/a.txt", false), text)
	}
	_, err := gitignore.ParseGlob("", "here")
	assert.Error(t, err)
}

func TestWithin(t *testing.T) {
	list := parse(t, "old/", "*.har", "!keep.har")
	for path, want := range map[string]string{
		"old/a.json": "old/", "x/old/y/a.json": "old/", "old": "", "a.har": "*.har", "keep.har": "!keep.har", "old/keep.har": "old/", "a.json": "",
	} {
		p := list.Within(path)
		if want == "" {
			assert.Nil(t, p, path)
			continue
		}
		require.NotNil(t, p, path)
		assert.Equal(t, want, p.Text, path)
	}
}

// The package ignores the same files as git.
func TestTreeFollowsGit(t *testing.T) {
	git, err := exec.LookPath("git")
	require.NoError(t, err, "the tests are run from a checkout, with git")
	root := t.TempDir()
	for path, text := range map[string]string{
		".gitignore":       "*.log\n!keep.log\n/build/\nsub/*.json\ndeep/**/x.json\ntmp\n[broken\n",
		"sub/.gitignore":   "!b.json\n*.txt\n",
		"a.log":            "",
		"keep.log":         "",
		"build/a.json":     "",
		"sub/build/a.json": "",
		"sub/a.json":       "",
		"sub/b.json":       "",
		"sub/c.txt":        "",
		"sub/s/a.json":     "",
		"sub/s/c.txt":      "",
		"deep/x.json":      "",
		"deep/1/2/x.json":  "",
		"deep/1/tmp/a":     "",
		"out.json":         "",
		"d{1,2}.json":      "",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, path)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(root, path), []byte(text), 0o644))
	}
	require.NoError(t, exec.Command(git, "-C", root, "init", "-q").Run())
	require.NoError(t, os.WriteFile(filepath.Join(root, ".git", "info", "exclude"), []byte("out.json\n"), 0o644))
	listed, err := exec.Command(git, "-C", root, "ls-files", "--others", "--exclude-standard").Output()
	require.NoError(t, err)

	tree := gitignore.NewTree()
	var kept []string
	err = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		require.NoError(t, err)
		if d.Name() == ".git" {
			return filepath.SkipDir
		}
		p, err := tree.Ignored(path, d.IsDir())
		require.NoError(t, err)
		switch {
		case path == root:
		case p != nil && d.IsDir():
			return filepath.SkipDir
		case p == nil && !d.IsDir():
			below, err := filepath.Rel(root, path)
			require.NoError(t, err)
			kept = append(kept, filepath.ToSlash(below))
		}
		return nil
	})
	require.NoError(t, err)
	want := strings.Fields(string(listed))
	assert.ElementsMatch(t, want, kept)
}

// A device has no end: as git does, the tree does not read it.
func TestTreeIgnoresDevices(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, ".git"), 0o755))
	if err := os.Symlink("/dev/zero", filepath.Join(root, ".gitignore")); err != nil {
		t.Skip(err)
	}
	p, err := gitignore.NewTree().Ignored(filepath.Join(root, "a.json"), false)
	require.NoError(t, err)
	assert.Nil(t, p)
}

func TestTreeOutsideOfARepository(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, ".gitignore"), []byte("*"), 0o644))
	p, err := gitignore.NewTree().Ignored(filepath.Join(root, "a.json"), false)
	require.NoError(t, err)
	assert.Nil(t, p)
}
