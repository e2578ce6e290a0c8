//go:build !linux

package atomicfile

import (
	"errors"
	"os"
)

// isBusy returns false: the system does not say whether a file is open elsewhere.
func isBusy(string) bool { return false }

// openUnnamed returns false: a file has a name.
func openUnnamed(string) (*os.File, bool) { return nil, false }

func link(*os.File, string) error { return errors.ErrUnsupported }
