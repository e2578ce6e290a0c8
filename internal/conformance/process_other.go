//go:build !unix

package conformance

import (
	"os/exec"
	"runtime"
	"strconv"
)

// group is a command with the processes that it started.
type group struct{ command *exec.Cmd }

func ownGroup(c *exec.Cmd) group { return group{c} }

// kill ends the command. On Windows it also ends the processes that the command
// started, as long as the command itself runs.
func (g group) kill() error {
	if g.command.ProcessState != nil {
		return nil
	}
	if runtime.GOOS == "windows" {
		if exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(g.command.Process.Pid)).Run() == nil {
			return nil
		}
	}
	return g.command.Process.Kill()
}
