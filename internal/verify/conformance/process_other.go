//go:build !unix

package conformance

import (
	"os/exec"
	"runtime"
	"strconv"
)

// ownGroup makes Cancel end a command. On Windows it also ends the processes that the
// command started, as long as the command itself runs.
func ownGroup(c *exec.Cmd) {
	c.Cancel = func() error {
		if c.ProcessState != nil {
			return nil
		}
		if runtime.GOOS == "windows" && exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(c.Process.Pid)).Run() == nil {
			return nil
		}
		return c.Process.Kill()
	}
}
