package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	srcinput "github.com/lmclint/lmclint/internal/source/input"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/interrupt"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
)

// input is an open input.
type input struct {
	io.ReadCloser
	live bool // reading may block until its writer writes
}

// open opens an input. One that may block, such as a pipe, is read so that an
// interrupt ends the read.
func (c *Command) open(ctx context.Context, in walk.Input) (input, error) {
	switch {
	case in.Path == walk.Stdin:
		return c.openStdin(ctx), nil
	case in.Regular:
		file, err := os.Open(in.Path)
		if err != nil {
			return input{}, err
		}
		if err := rejectOther(file, !in.Named); err != nil {
			return input{}, errors.Join(err, file.Close())
		}
		return input{ReadCloser: file}, nil
	}
	return live(ctx, func() (io.ReadCloser, error) { return os.Open(in.Path) }), nil
}

func (c *Command) openStdin(ctx context.Context) input {
	if f := c.stdinFile(); f != nil {
		return input{ReadCloser: io.NopCloser(f)}
	}
	return live(ctx, func() (io.ReadCloser, error) { return io.NopCloser(c.Stdin), nil })
}

// stdinFile returns standard input if it is a regular file, else nil.
func (c *Command) stdinFile() *os.File {
	f, ok := c.Stdin.(*os.File)
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return f
}

// isFile reports whether an input is a regular file, rather than a pipe.
func (c *Command) isFile(in walk.Input) bool {
	if in.Path == walk.Stdin {
		return c.stdinFile() != nil
	}
	return in.Regular
}

// nameOf returns the name of an input; that of standard input is given.
func nameOf(in walk.Input, stdin string) string {
	if in.Path == walk.Stdin {
		return stdin
	}
	return in.Path
}

func live(ctx context.Context, open func() (io.ReadCloser, error)) input {
	return input{interrupt.NewReader(ctx, open), true}
}

// regularFile returns the regular file at a path, if there is one.
func regularFile(path string) (os.FileInfo, bool) {
	if path == "" || path == walk.Stdin {
		return nil, false
	}
	info, err := os.Stat(path)
	return info, err == nil && info.Mode().IsRegular()
}

// maxPipedArchive is the maximum size in bytes of an archive from a pipe. The
// list of its files is at its end, so that it is read as a whole.
const maxPipedArchive = 256 << 20

// archiveMember is the file in an archive that is checked.
type archiveMember struct {
	io.ReadCloser
	name string
}

// openArchive opens the recording in an input that is an archive. Otherwise it
// returns a reader of the input from its beginning.
func openArchive(in input, reader io.Reader) (*archiveMember, io.Reader, error) {
	if file, ok := in.ReadCloser.(*os.File); ok {
		m, err := memberOfFile(file)
		return m, reader, err
	}
	whole := bufio.NewReaderSize(reader, bufferBytes)
	if head, _ := whole.Peek(srcinput.ZipMagicBytes); !srcinput.IsZip(head) {
		return nil, whole, nil
	}
	data, err := io.ReadAll(io.LimitReader(whole, maxPipedArchive+1))
	if err != nil {
		return nil, nil, err
	}
	if len(data) > maxPipedArchive {
		return nil, nil, fmt.Errorf("a zip archive from a pipe exceeds %d bytes: save it as a file first", maxPipedArchive)
	}
	m, err := newMember(bytes.NewReader(data), int64(len(data)))
	return m, nil, err
}

// memberOfFile opens the recording in a file, nil if that is not an archive.
func memberOfFile(file *os.File) (*archiveMember, error) {
	head := make([]byte, srcinput.ZipMagicBytes)
	if n, _ := file.ReadAt(head, 0); !srcinput.IsZip(head[:n]) {
		return nil, nil
	}
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return newMember(file, info.Size())
}

func newMember(archive io.ReaderAt, size int64) (*archiveMember, error) {
	opened, err := srcinput.OpenMember(archive, size, workbench.ExportMember, srcinput.DefaultMaxUnpackedBytes)
	if errors.Is(err, srcinput.ErrNoMember) {
		return nil, &lint.UnknownInputError{Looks: "a zip archive without " + workbench.ExportMember + ", so not a Semantic Workbench export"}
	}
	if err != nil {
		return nil, err
	}
	return &archiveMember{opened, workbench.ExportMember}, nil
}
