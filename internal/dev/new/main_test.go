package main

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/rules"
)

const checkout = "../../.."

// copyOf copies files of the checkout into a folder.
func copyOf(t *testing.T, files ...string) (root string) {
	t.Helper()
	root = t.TempDir()
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(checkout, file))
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, file)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(root, file), text, 0o600))
	}
	return root
}

// Skeletons compile in their packages.
func TestSkeletonsCompile(t *testing.T) {
	for _, c := range []struct {
		args  []string
		files []string // that it changes
	}{
		{[]string{"rule", "content/long-content"}, []string{"rules/content/rules.go", "rules/testdata/ids.txt"}},
		{[]string{"rule", "workbench/late-answer"}, []string{"rules/workbench/rules.go", "rules/testdata/ids.txt"}},
		{[]string{"format", "build-log"}, []string{"report/reporter.go"}},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			t.Parallel()
			root := copyOf(t, c.files...)
			var out strings.Builder
			require.NoError(t, run(root, c.args, &out))
			written := strings.TrimSuffix(strings.Fields(out.String())[1], ",")
			assert.FileExists(t, filepath.Join(root, written))

			replace := map[string]string{}
			for _, file := range []string{written, c.files[0]} {
				absolute, err := filepath.Abs(filepath.Join(checkout, file))
				require.NoError(t, err)
				replace[absolute] = filepath.Join(root, file)
			}
			overlay, err := json.Marshal(map[string]any{"Replace": replace})
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(root, "overlay.json"), overlay, 0o600))
			build := exec.Command("go", "build", "-overlay", filepath.Join(root, "overlay.json"), "./"+filepath.Dir(written))
			build.Dir = checkout
			text, err := build.CombinedOutput()
			assert.NoError(t, err, string(text))
		})
	}
}

// A rule gets an id that none ever had, and is the last of its family.
func TestNewRule(t *testing.T) {
	root := copyOf(t, "rules/content/rules.go", "rules/testdata/ids.txt")
	require.NoError(t, run(root, []string{"rule", "content/long-content"}, io.Discard))
	written, err := filepath.Glob(filepath.Join(root, "rules/content/lmc*_long_content.go"))
	require.NoError(t, err)
	require.Len(t, written, 1)
	id := strings.ToUpper(strings.TrimSuffix(filepath.Base(written[0]), "_long_content.go"))
	assert.Regexp(t, `^LMC4\d\d$`, id)
	for _, r := range rules.All() {
		assert.NotEqual(t, id, r.ID)
	}
	list, err := os.ReadFile(filepath.Join(root, "rules/content/rules.go"))
	require.NoError(t, err)
	assert.Contains(t, string(list), "\n\t\tlongContent,\n\t}\n}\n")

	err = run(root, []string{"rule", "content/long-content"}, io.Discard)
	assert.ErrorIs(t, err, os.ErrExist, "it is not replaced")
}

// Each folder of rules has its ids.
func TestFamilies(t *testing.T) {
	known := map[string]string{}
	for _, f := range rules.Catalog().Families {
		known[f.Name] = f.Prefix
	}
	known["workbench"] = known["wb"] + "1"
	delete(known, "wb")
	assert.Equal(t, known, families)
}

func TestWhatCannotBeAdded(t *testing.T) {
	root := copyOf(t, "rules/content/rules.go", "rules/testdata/ids.txt", "report/reporter.go")
	for _, c := range []struct{ args, want string }{
		{"", "usage: "},
		{"rule", "usage: "},
		{"dialect x", "usage: "},
		{"rule long-content", `unknown family ""`},
		{"rule contents/long-content", `unknown family "contents"`},
		{"rule content/LongContent", `"LongContent" is no name`},
		{"rule content/unknown-role", "LMC102 has the name unknown-role"},
		{"format report/x", "a format has no family: report/x"},
	} {
		err := run(root, strings.Fields(c.args), io.Discard)
		assert.ErrorContains(t, err, c.want, c.args)
	}
}
