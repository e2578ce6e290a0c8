//go:build unix

package conformance

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// group is the processes that a command started and that did not leave its
// process group.
type group struct{ command *exec.Cmd }

// ownGroup prepares a command to run in a separate process group, so that an
// interrupt of the terminal reaches only the runner, which ends the group.
func ownGroup(c *exec.Cmd) group {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return group{c}
}

// kill ends all processes of the group. It must be called after the start.
func (g group) kill() error {
	err := syscall.Kill(-g.command.Process.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}
