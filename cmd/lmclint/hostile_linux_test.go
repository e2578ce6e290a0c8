package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A file without a size, as the kernel has them, is read to its end.
func TestFileWithoutSize(t *testing.T) {
	status, _ := run("/proc/self/status")
	assert.Equal(t, exitTrouble, status)
}
