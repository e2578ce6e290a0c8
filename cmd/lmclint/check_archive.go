package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
)

// maxPipedArchive is how large an archive may be, in bytes, that comes through
// a pipe: the list of its files stands at its end, so that it is read whole.
const maxPipedArchive = 256 << 20

// member is the file of an archive that is checked in place of the archive.
type member struct {
	io.ReadCloser
	name string
}

// openArchive opens what is to be checked in an input, if that is an archive,
// and returns what reads the input from its beginning if it is none.
func openArchive(in input, reader io.Reader) (*member, io.Reader, error) {
	if file, ok := in.ReadCloser.(*diskFile); ok {
		m, err := memberOfFile(file)
		return m, reader, err
	}
	head := make([]byte, source.ZipMagicBytes)
	n, ended := readHead(reader, head)
	rest := &prefixedReader{head[:n], reader, ended}
	if ended != nil || !source.IsZip(head[:n]) {
		return nil, rest, nil //nolint:nilerr // whoever reads on meets the error
	}
	data, err := io.ReadAll(io.LimitReader(rest, maxPipedArchive+1))
	if err != nil {
		return nil, nil, err
	}
	if len(data) > maxPipedArchive {
		return nil, nil, fmt.Errorf("a zip archive of more than %d bytes comes through a pipe: save it as a file first", maxPipedArchive)
	}
	m, err := newMember(bytes.NewReader(data), int64(len(data)))
	return m, nil, err
}

// readHead reads what is needed to know an archive, and no more than one read
// gives of anything else: the writer of a pipe may be slow.
func readHead(r io.Reader, head []byte) (n int, ended error) {
	for n < len(head) && ended == nil && (n == 0 || head[0] == 'P') {
		var more int
		more, ended = r.Read(head[n:])
		n += more
	}
	return n, ended
}

// peeked is a reader of which the first bytes were read, with what ended that.
type prefixedReader struct {
	head  []byte
	rest  io.Reader
	ended error
}

func (p *prefixedReader) Read(b []byte) (int, error) {
	switch {
	case len(p.head) > 0:
		n := copy(b, p.head)
		p.head = p.head[n:]
		return n, nil
	case p.ended != nil:
		return 0, p.ended
	}
	return p.rest.Read(b)
}

// Ready implements [source.Ready].
func (p *prefixedReader) Ready() int {
	if len(p.head) > 0 || p.ended != nil {
		return len(p.head)
	}
	return source.AvailableBytes(p.rest)
}

// memberOfFile opens what is to be checked in a file, nil if it is no archive.
func memberOfFile(file *diskFile) (*member, error) {
	head := make([]byte, source.ZipMagicBytes)
	if n, _ := file.ReadAt(head, 0); !source.IsZip(head[:n]) {
		return nil, nil
	}
	size, err := file.Size()
	if err != nil {
		return nil, err
	}
	return newMember(file, size)
}

func newMember(archive io.ReaderAt, size int64) (*member, error) {
	opened, err := source.OpenMember(archive, size, workbench.ExportMember, source.Options{})
	if errors.Is(err, source.ErrNoMember) {
		return nil, &lint.UnknownInputError{Looks: "a zip archive without " + workbench.ExportMember + ", which an export of Semantic Workbench has"}
	}
	if err != nil {
		return nil, err
	}
	return &member{opened, workbench.ExportMember}, nil
}
