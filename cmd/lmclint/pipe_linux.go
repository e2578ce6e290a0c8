package main

import (
	"os"
	"syscall"
)

// pipeBytes is what a pipe may hold without any privilege, on most systems.
const pipeBytes = 1 << 20

// enlarge lets a pipe hold more, so that whoever writes much into it and
// whoever reads it wait less for each other. If that fails it stays as it is,
// which is as right.
func enlarge(pipe *os.File) {
	conn, err := pipe.SyscallConn()
	if err != nil {
		return
	}
	const setPipeSize = 1031 // F_SETPIPE_SZ, which syscall lacks
	_ = conn.Control(func(fd uintptr) {
		_, _, _ = syscall.Syscall(syscall.SYS_FCNTL, fd, setPipeSize, pipeBytes)
	})
}
