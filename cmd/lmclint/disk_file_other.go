//go:build !unix

package main

import (
	"io"
	"os"
)

// diskFile is a regular file.
type diskFile struct{ *os.File }

// openRegular opens a regular file.
func openRegular(path string) (*diskFile, error) {
	file, err := os.Open(path)
	return &diskFile{file}, err
}

// Size is how many bytes the file has.
func (f *diskFile) Size() (int64, error) { return f.Seek(0, io.SeekEnd) }
