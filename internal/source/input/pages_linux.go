package input

import "syscall"

// largePages asks for a buffer in large pages, each of which is touched for the
// first time only once: that takes longer than reading what they are filled
// with. Where there are none to be had nothing is lost.
func largePages(buf []byte) { _ = syscall.Madvise(buf, syscall.MADV_HUGEPAGE) }
