//go:build unix

package main

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// diskFile is a regular file. It calls the system directly: opening an
// [os.File] registers it with the poller, which for small files costs as much
// as reading them, and a third of a run over 10,000 transcripts.
type diskFile struct {
	fd   int
	path string
}

// openRegular opens a regular file.
func openRegular(path string) (*diskFile, error) {
	fd, err := again(func() (int, error) { return syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0) })
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return &diskFile{fd, path}, nil
}

// Read implements [io.Reader].
func (f *diskFile) Read(p []byte) (int, error) {
	n, err := again(func() (int, error) { return syscall.Read(f.fd, p) })
	return f.got(n, len(p), err)
}

// ReadAt implements [io.ReaderAt].
func (f *diskFile) ReadAt(p []byte, at int64) (read int, err error) {
	for read < len(p) && err == nil {
		var n int
		n, err = again(func() (int, error) { return syscall.Pread(f.fd, p[read:], at+int64(read)) })
		n, err = f.got(n, len(p)-read, err)
		read += n
	}
	return read, err
}

// Size returns the size in bytes.
func (f *diskFile) Size() (int64, error) {
	var status syscall.Stat_t
	if err := syscall.Fstat(f.fd, &status); err != nil {
		return 0, &os.PathError{Op: "stat", Path: f.path, Err: err}
	}
	return status.Size, nil
}

// Close implements [io.Closer].
func (f *diskFile) Close() error { return syscall.Close(f.fd) }

// got returns the result of a read into so many bytes.
func (f *diskFile) got(n, room int, err error) (int, error) {
	switch {
	case err != nil:
		return 0, &os.PathError{Op: "read", Path: f.path, Err: err}
	case n == 0 && room > 0:
		return 0, io.EOF
	}
	return n, nil
}

// again repeats a system call while signals interrupt it.
func again(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}
