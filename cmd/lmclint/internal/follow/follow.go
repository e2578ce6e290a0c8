// Package follow reads a file that grows, as tail -F does.
package follow

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// pollInterval is how often a file is examined without an event: some file
// systems have none, and events can be lost.
const pollInterval = 250 * time.Millisecond

// Reader reads what is appended to a file. When another file takes its name,
// and when it is truncated, the Reader continues at the start of the new
// content; before that it ends an incomplete line. It is not safe for
// concurrent use.
//
// At the end of the file Read blocks until the file grows, until the context is
// canceled or until the file, having been absent from the start, exists.
type Reader struct {
	ctx     context.Context
	path    string
	file    *os.File // nil while there is none
	offset  int64    // in file, in bytes
	watcher *fsnotify.Watcher
	events  chan fsnotify.Event // of watcher; nil without one
	changed func(reason string) // called when the Reader continues in new content

	total    int64 // bytes that were returned
	lines    int   // line ends in them
	lineOpen bool  // the last line has no end
	segments []Segment
}

// Segment is the content of one file: what was read until the file was
// replaced or truncated.
type Segment struct {
	Offset int64 // of its first byte in all that was read
	Lines  int   // lines before it
}

// NewReader returns a reader of the file at path, which need not exist. The
// function changed is called with the reason, as in "truncated", when the
// Reader continues in new content.
func NewReader(ctx context.Context, path string, changed func(reason string)) *Reader {
	r := &Reader{ctx: ctx, path: path, changed: changed, segments: []Segment{{}}}
	// Without events the Reader polls.
	if watcher, err := fsnotify.NewWatcher(); err == nil {
		if watcher.Add(filepath.Dir(path)) == nil {
			r.watcher, r.events = watcher, watcher.Events
		} else {
			_ = watcher.Close() // nothing was added
		}
	}
	return r
}

// Segments returns the contents that were read, in order. There is always one.
func (r *Reader) Segments() []Segment { return r.segments }

// Read implements [io.Reader]. It returns the cause of the context when that is
// canceled.
func (r *Reader) Read(p []byte) (int, error) {
	for {
		if err := context.Cause(r.ctx); err != nil {
			return 0, err
		}
		n, err := r.available(p)
		if n > 0 || err != nil {
			return n, err
		}
		ended, err := r.next(p)
		if ended > 0 || err != nil {
			return ended, err
		}
		if r.file == nil || !r.grows() {
			r.wait()
		}
	}
}

// available reads what the current file has. At its end it returns 0, nil.
func (r *Reader) available(p []byte) (int, error) {
	if r.file == nil || len(p) == 0 {
		return 0, nil
	}
	n, err := r.file.Read(p)
	r.offset += int64(n)
	r.count(p[:n])
	if n > 0 || errors.Is(err, io.EOF) {
		return n, nil
	}
	return 0, err
}

func (r *Reader) count(text []byte) {
	if len(text) == 0 {
		return
	}
	r.total += int64(len(text))
	r.lines += bytes.Count(text, []byte{'\n'})
	r.lineOpen = text[len(text)-1] != '\n'
}

// grows reports whether the current file has more.
func (r *Reader) grows() bool {
	info, err := r.file.Stat()
	return err == nil && info.Size() > r.offset
}

// next opens the file if there is none, or continues in new content. If the
// last line was incomplete, it puts a line end into p and returns 1.
func (r *Reader) next(p []byte) (int, error) {
	if r.file == nil {
		return 0, r.open()
	}
	have, err := r.file.Stat()
	if err != nil {
		return 0, err
	}
	reason := ""
	switch now, err := os.Stat(r.path); {
	case errors.Is(err, fs.ErrNotExist): // removed or renamed: another may come
	case err != nil:
		return 0, err
	case !os.SameFile(have, now):
		reason = "replaced"
	case have.Size() < r.offset:
		reason = "truncated"
	}
	if reason == "" || r.grows() && reason == "replaced" {
		return 0, nil
	}
	if r.lineOpen && len(p) > 0 {
		p[0] = '\n'
		r.count(p[:1])
		return 1, nil
	}
	if err := r.restart(reason); err != nil {
		return 0, err
	}
	return 0, nil
}

// restart continues at the start of the new content.
func (r *Reader) restart(reason string) error {
	if reason == "truncated" {
		if _, err := r.file.Seek(0, io.SeekStart); err != nil {
			return err
		}
	} else {
		if err := r.file.Close(); err != nil {
			return err
		}
		r.file = nil
		if err := r.open(); err != nil {
			return err
		}
	}
	r.offset = 0
	r.segments = append(r.segments, Segment{r.total, r.lines})
	r.changed(reason)
	return nil
}

// open opens the file; it may not exist.
func (r *Reader) open() error {
	file, err := os.Open(r.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "follow", Path: r.path, Err: errors.New("not a regular file")}
	}
	if err != nil {
		return errors.Join(err, file.Close())
	}
	r.file = file
	return nil
}

// wait waits until something may have changed.
func (r *Reader) wait() {
	timer := time.NewTimer(pollInterval)
	defer timer.Stop()
	for {
		select {
		case e, ok := <-r.events:
			if !ok {
				r.events = nil
			} else if filepath.Base(e.Name) != filepath.Base(r.path) {
				continue // another file in the directory
			}
		case <-timer.C:
		case <-r.ctx.Done():
		}
		return
	}
}

// Close implements [io.Closer].
func (r *Reader) Close() error {
	var errs []error
	if r.watcher != nil {
		errs = append(errs, r.watcher.Close())
	}
	if r.file != nil {
		errs = append(errs, r.file.Close())
	}
	return errors.Join(errs...)
}
