//go:build unix

package conformance_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/verify/conformance"
)

// The processes that a subject started end with it, whether the subject hangs or exits
// before them, with its output still open in them or not.
func TestNoProcessIsLeft(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"hangs":          `sleep 1000 & echo $! > "$1"; wait`,
		"leaves it":      `sleep 1000 & echo $! > "$1"; echo '[]'`,
		"leaves it shut": `sleep 1000 >/dev/null 2>&1 & echo $! > "$1"; echo '[]'`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "leaves it" && !exhaustive.Enabled() {
				t.Skip("waits five seconds for the process")
			}
			file := filepath.Join(t.TempDir(), "pid")
			r := newRunner(t, conformance.Producer, "")
			r.Subject.Words = []string{"sh", "-c", script, "sh", file}
			if name == "hangs" {
				r.Subject.Timeout = time.Second
				if exhaustive.Enabled() {
					r.Subject.Timeout = 3 * time.Second
				}
			}
			results(t, r)
			text, err := os.ReadFile(file)
			if name == "hangs" && os.IsNotExist(err) {
				t.Skip("the subject did not come to start a process in its time")
			}
			require.NoError(t, err)
			pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
			require.NoError(t, err)
			assert.Eventually(t, func() bool { return isGone(pid) }, time.Minute, 10*time.Millisecond)
		})
	}
}

// isGone reports whether a process has ended. A zombie has ended, too: in
// a container without init it stays.
func isGone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(stat), ") Z ")
}
