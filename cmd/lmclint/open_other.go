//go:build !unix

package main

import "os"

// openRegular opens a regular file.
func openRegular(path string) (*os.File, error) { return os.Open(path) }
