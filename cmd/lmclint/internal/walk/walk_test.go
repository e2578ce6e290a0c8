package walk_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
)

// house makes files in a new directory and goes there.
func house(t *testing.T, files ...string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, f := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(f), 0o755))
		require.NoError(t, os.WriteFile(f, nil, 0o644))
	}
}

// shown is an input as the tables below write it.
func shown(in walk.Input) string {
	path := filepath.ToSlash(in.Path)
	switch {
	case in.Err != nil:
		return "error: " + path
	case in.Named:
		return path
	}
	return path + " in " + filepath.ToSlash(in.Root)
}

func TestExpand(t *testing.T) {
	house(t, "a.json", "b.txt", "dir/b.jsonl", "dir/a.JSON.gz", "dir/c.md", "dir/d.zst", "dir/e.log.zst",
		"dir/sub/a.sse", "dir/sub-1.har", "dir/.git/x.json", "dir/.x.json", "other/readme.md")
	for name, c := range map[string]struct{ operands, want []string }{
		"files in their order":     {[]string{"b.txt", "a.json"}, []string{"b.txt", "a.json"}},
		"any name if it is named":  {[]string{"dir/c.md"}, []string{"dir/c.md"}},
		"a directory":              {[]string{"dir"}, []string{"dir/.x.json in dir", "dir/a.JSON.gz in dir", "dir/b.jsonl in dir", "dir/e.log.zst in dir", "dir/sub-1.har in dir", "dir/sub/a.sse in dir"}},
		"a hidden directory":       {[]string{"dir/.git"}, []string{"dir/.git/x.json in dir/.git"}},
		"a directory without any":  {[]string{"other"}, []string{"error: other"}},
		"twice":                    {[]string{"a.json", "./a.json", "dir/../a.json"}, []string{"a.json"}},
		"found, then named":        {[]string{"dir/sub", "dir/sub/a.sse"}, []string{"dir/sub/a.sse"}},
		"named, then found":        {[]string{"dir/sub/a.sse", "dir/sub"}, []string{"dir/sub/a.sse"}},
		"standard input":           {[]string{"-", "a.json", "-"}, []string{"-", "a.json"}},
		"missing":                  {[]string{"x", "a.json", ""}, []string{"error: x", "a.json", "error: "}},
		"a glob":                   {[]string{"*.{txt,json}"}, []string{"a.json", "b.txt"}},
		"a glob over directories":  {[]string{"dir/**/*.sse"}, []string{"dir/sub/a.sse"}},
		"a glob matches directory": {[]string{"dir/s*b"}, []string{"dir/sub/a.sse in dir/sub"}},
		"a glob that fits nothing": {[]string{"*.xyz"}, []string{"error: *.xyz"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, in := range walk.Expand(c.operands, nil) {
				got = append(got, shown(in))
			}
			assert.Equal(t, c.want, got)
		})
	}
}

func TestExpandNeverFollowsLinksIntoLoops(t *testing.T) {
	house(t, "dir/a.json", "far/b.json")
	require.NoError(t, os.MkdirAll("dir/sub", 0o755))
	require.NoError(t, os.Symlink("..", "dir/sub/loop"))
	require.NoError(t, os.Symlink("../far/b.json", "dir/b.json"))
	require.NoError(t, os.Symlink("dir", "link"))
	for _, root := range []string{"dir", "link"} {
		inputs := walk.Expand([]string{root}, nil)
		require.Len(t, inputs, 2)
		assert.Equal(t, filepath.Join(root, "a.json"), inputs[0].Path)
		assert.True(t, inputs[1].IsLink)
	}
	assert.Len(t, walk.Expand([]string{"dir", "link"}, nil), 2, "two names of one file and of one link")
	assert.Len(t, walk.Expand([]string{"dir", "far"}, nil), 2, "a link whose target is listed")
	assert.Len(t, walk.Expand([]string{"dir/b.json", "far"}, nil), 1, "a link and its target")
	require.NoError(t, os.Symlink("../far", "dir/away"))
	assert.Len(t, walk.Expand([]string{"dir"}, nil), 3, "a link to a directory elsewhere")
	assert.Len(t, walk.Expand([]string{"dir", "far"}, nil), 2, "links to what is searched")
}

// What a directory is called leads to what was found in it.
func TestExpandKeepsDotsAfterALink(t *testing.T) {
	house(t, "a/sub/x.json", "a/rec/x.json", "rec/x.json")
	require.NoError(t, os.Symlink("a/sub", "link"))
	inputs := walk.Expand([]string{"link/../rec"}, nil)
	require.Len(t, inputs, 1)
	found, err := os.Stat(inputs[0].Path)
	require.NoError(t, err)
	want, err := os.Stat("a/rec/x.json")
	require.NoError(t, err)
	assert.True(t, os.SameFile(want, found), inputs[0].Path)
}
