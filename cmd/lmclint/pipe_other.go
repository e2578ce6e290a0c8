//go:build !linux

package main

import "os"

// enlarge does what only Linux can.
func enlarge(*os.File) {}
