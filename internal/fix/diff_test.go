package fix_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/fix"
)

func TestDiff(t *testing.T) {
	old := "a\nb\nc\nd\ne\nf\ng\n-\nh\ni\nj\nk"
	changed := "a\nb\nc\nD\ne\nf\ng\n-\nh\ni\nj\nk\n"
	assert.Equal(t, `--- x
+++ x
@@ -1,7 +1,7 @@
 a
 b
 c
-d
+D
 e
 f
 g
@@ -9,4 +9,4 @@
 h
 i
 j
-k
\ No newline at end of file
+k
`, string(fix.Diff("x", []byte(old), []byte(changed))))
	assert.Empty(t, fix.Diff("x", []byte(old), []byte(old)))
	assert.Equal(t, "--- x\n+++ x\n@@ -0,0 +1 @@\n+a\n", string(fix.Diff("x", nil, []byte("a\n"))))
	assert.Equal(t, "--- x\n+++ x\n@@ -1 +0,0 @@\n-a\n", string(fix.Diff("x", []byte("a\n"), nil)))
}

// patch applies each diff, so that its line numbers are right.
func TestPatchAppliesDiffs(t *testing.T) {
	patch, err := exec.LookPath("patch")
	if err != nil {
		t.Skip("no patch program")
	}
	dice := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		old := randomLines(dice, nil)
		changed := randomLines(dice, old)
		path := filepath.Join(t.TempDir(), "file")
		require.NoError(t, os.WriteFile(path, []byte(strings.Join(old, "")), 0o600))
		diff := fix.Diff(path, []byte(strings.Join(old, "")), []byte(strings.Join(changed, "")))
		if len(diff) == 0 {
			continue
		}
		command := exec.Command(patch, "--no-backup-if-mismatch", "--fuzz=0", path)
		command.Stdin = strings.NewReader(string(diff))
		output, err := command.CombinedOutput()
		require.NoError(t, err, "%s\n%s", diff, output)
		assert.NotContains(t, string(output), "offset", "%s", diff)
		patched, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			patched = nil // patch removes a file that becomes empty
		}
		require.Equal(t, strings.Join(changed, ""), string(patched), "%s", diff)
	}
}

// randomLines returns lines, or others with some of them changed.
func randomLines(dice *rand.Rand, old []string) []string {
	var lines []string
	for i := range 20 + dice.IntN(40) {
		lines = append(lines, fmt.Sprintf("line %d\n", dice.IntN(1+i)))
	}
	if old == nil {
		return lines
	}
	lines = nil
	for _, line := range old {
		switch dice.IntN(8) {
		case 0:
		case 1:
			lines = append(lines, fmt.Sprintf("new %d\n", dice.IntN(9)), line)
		default:
			lines = append(lines, line)
		}
	}
	return lines
}
