package input

import "syscall"

// largePages asks the kernel for large pages, which reduces page faults: those
// take longer than reading the data. An error does not matter.
func largePages(buf []byte) { _ = syscall.Madvise(buf, syscall.MADV_HUGEPAGE) }
