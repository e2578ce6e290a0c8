package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"sync"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/interrupt"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/model/workbench"
	srcinput "github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/lint"
)

// open opens an input. Reading one that is live, such as a pipe, may block until its
// writer writes, and ends with the context. With skips, one of unknown protocol is skipped.
func (c *Command) open(ctx context.Context, in walk.Input, skips bool) (file io.ReadCloser, live bool, err error) {
	open := func() (io.ReadCloser, error) { return os.Open(in.Path) }
	switch live = c.isLive(in); {
	case in.Path == walk.Stdin && !live:
		return io.NopCloser(c.Stdin), false, nil
	case in.Path == walk.Stdin:
		if _, ok := terminal(c.Stdin); ok {
			c.printStderr(name + ": reading standard input, which is a terminal; Ctrl-D ends it\n")
		}
		open = func() (io.ReadCloser, error) { return io.NopCloser(c.Stdin), nil }
	case !live:
		file, err := os.Open(in.Path)
		if err != nil {
			return nil, false, err
		}
		if err := rejectOther(file, skips); err != nil {
			return nil, false, errors.Join(err, file.Close())
		}
		return file, false, nil
	}
	return interrupt.NewReader(ctx, open), true, nil
}

// isLive reports whether reading an input may block until its writer writes.
func (c *Command) isLive(in walk.Input) bool {
	if in.Path != walk.Stdin {
		return !in.Regular
	}
	f, ok := c.Stdin.(*os.File)
	if !ok {
		return true
	}
	info, err := f.Stat()
	return err != nil || !info.Mode().IsRegular()
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

// openArchive opens the recording in an input that is an archive. Otherwise it
// returns a reader of the input from its beginning, and no recording.
func openArchive(in io.ReadCloser, reader io.Reader) (recording io.ReadCloser, whole io.Reader, err error) {
	if file, ok := in.(*os.File); ok {
		head := make([]byte, srcinput.ZipMagicBytes)
		if n, _ := file.ReadAt(head, 0); !srcinput.IsZip(head[:n]) {
			return nil, reader, nil
		}
		info, err := file.Stat()
		if err != nil {
			return nil, reader, err
		}
		recording, err = openMember(file, info.Size())
		return recording, reader, err
	}
	buffered := bufio.NewReaderSize(reader, bufferBytes)
	first, _ := buffered.Peek(1)
	if !bytes.HasPrefix(first, []byte("P")) {
		return nil, buffered, nil // the writer may wait for an answer before it writes more
	}
	if head, _ := buffered.Peek(srcinput.ZipMagicBytes); !srcinput.IsZip(head) {
		return nil, buffered, nil
	}
	data, err := io.ReadAll(io.LimitReader(buffered, maxPipedArchive+1))
	if err != nil {
		return nil, nil, err
	}
	if len(data) > maxPipedArchive {
		return nil, nil, fmt.Errorf("a zip archive from a pipe exceeds %d bytes: save it as a file first", maxPipedArchive)
	}
	recording, err = openMember(bytes.NewReader(data), int64(len(data)))
	return recording, nil, err
}

func openMember(archive io.ReaderAt, size int64) (io.ReadCloser, error) {
	recording, err := srcinput.OpenMember(archive, size, workbench.ExportMember, srcinput.DefaultMaxUnpackedBytes)
	if errors.Is(err, srcinput.ErrNoMember) {
		err = &lint.UnknownInputError{Looks: "a zip archive without " + workbench.ExportMember + ", so not a Semantic Workbench export", Other: true}
	}
	return recording, err
}

// headBytes is how much of a file shows whether it is a report or an archive.
const headBytes = 2 << 10

// ownReport matches the start of a text that quotes records: a report of
// lmclint as text, concise, github or jsonl, what it prints to standard error, and
// a unified diff.
var ownReport = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(?:error|warning|note)\[(?:LMC|WB)\d{3}\]: |::(?:error|warning|notice) title=(?:LMC|WB)\d{3} |` +
		`\{"rule":"(?:LMC|WB)\d{3}","name":"|lmclint: |` +
		`[^\n]*:\d+:\d+: (?:error|warning|note): [^\n]* \[(?:LMC|WB)\d{3} [a-z0-9-]+\]|--- [^\n]+\n\+\+\+ [^\n]+\n@@ -)`)
})

// colorCode matches what a terminal shows as colors and links.
var colorCode = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\x1b\[[\d;]*m|\x1b\]8;[^\x1b]*\x1b\\`)
})

// rejectOther fails if a file is something that has records in it and is no
// recording: a report that is kept beside recordings is not checked with them. Nor
// is, of what is skipped if its protocol is unknown, a text in UTF-16 that names no role.
func rejectOther(file io.ReaderAt, skips bool) error {
	buffer := make([]byte, headBytes)
	n, _ := file.ReadAt(buffer, 0) // what cannot be read is an error later
	head := buffer[:n]
	isWide := bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) || bytes.IndexByte(head[:min(n, 2)], 0) >= 0
	if skips && isWide && !bytes.Contains(bytes.ReplaceAll(head, []byte{0}, nil), []byte("role")) {
		return &lint.UnknownInputError{Looks: "it is UTF-16, and names no role", Other: true}
	}
	const object = `{"rule":"`
	if n == 0 || head[0] == '[' || head[0] == '{' && !bytes.HasPrefix(head, []byte(object)) {
		return nil
	}
	if head = colorCode().ReplaceAll(head, nil); !ownReport().Match(head) {
		return nil
	}
	if bytes.HasPrefix(head, []byte("---")) {
		return &lint.UnknownInputError{Looks: "it is a unified diff", Other: true}
	}
	return &lint.UnknownInputError{Looks: "it is a report of lmclint", Other: true}
}
