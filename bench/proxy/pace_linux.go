package main

import (
	"syscall"
	"time"
)

// pause sleeps. The runtime's timers may fire a millisecond late, and then
// those of many connections at once.
func pause(d time.Duration) {
	left := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&left, nil) // a signal may end it early
}
