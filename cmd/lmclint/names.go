package main

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"github.com/lmclint/lmclint/internal/spelling"
)

// unknownWord says that there is no such command, schema or rule, and which
// one was probably meant, or else which command lists them.
func unknownWord(what, word string, known []string, lister string) error {
	hint := spelling.DidYouMean(word, known)
	if hint == "" {
		hint = "; " + name + " " + lister + " lists them"
	}
	return errors.New("unknown " + what + " " + quote(word) + hint)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// plain takes the path and the operation out of an error of the file system,
// for a message that names the path already.
func trimPathError(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	var linkError *os.LinkError
	if errors.As(err, &linkError) {
		return linkError.Err
	}
	var syscallError *os.SyscallError
	if errors.As(err, &syscallError) {
		return syscallError.Err
	}
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return errno
	}
	return err
}
