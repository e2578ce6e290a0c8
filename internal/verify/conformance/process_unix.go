//go:build unix

package conformance

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes a command run in a separate process group, so that an interrupt of the
// terminal reaches only the runner. Its Cancel, which must be called after the start,
// ends all processes that the command started and that did not leave the group.
func ownGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error {
		err := syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}
