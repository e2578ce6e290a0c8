// Package changes waits until something changes under directories.
package changes

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Times of a wait: a program that writes several files has quiet time between
// them, and one that never stops writing must not delay a check forever.
const (
	quiet   = 100 * time.Millisecond
	longest = time.Second
)

// pollInterval is how often Wait returns where events are not available.
const pollInterval = 2 * time.Second

// Watcher waits for changes. It is not safe for concurrent use.
type Watcher struct {
	watcher *fsnotify.Watcher // nil if events are not available
	named   map[string]bool   // directories in which each change counts, and files elsewhere
}

// New returns a watcher of nothing. If the system has no events, or too few of
// them for a directory, the watcher polls; err says why.
func New() (w *Watcher, err error) {
	w = &Watcher{named: map[string]bool{}}
	w.watcher, err = fsnotify.NewWatcher()
	return w, err
}

// Add watches a directory with its subdirectories, but for hidden ones, or a file,
// which need not exist. A symbolic link is watched, and what it names. What cannot
// be read is skipped. What was added before is watched again if it was replaced. The
// error says why the watcher polls from now on.
func (w *Watcher) Add(path string) error {
	if w.watcher == nil {
		return nil
	}
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	if resolved, err := filepath.EvalSymlinks(path); err == nil && resolved != path {
		if err := w.addFile(path); err != nil {
			return err
		}
		path = resolved
	}
	return filepath.WalkDir(path, func(at string, entry fs.DirEntry, err error) error {
		switch {
		case at == path && (err != nil || !entry.IsDir()):
			return w.addFile(path)
		case err != nil || !entry.IsDir():
			return nil //nolint:nilerr // what cannot be read is not watched
		case at != path && entry.Name()[0] == '.':
			return fs.SkipDir
		}
		return w.add(at, at)
	})
}

// addFile watches a file, by its directory: it may be replaced, or created.
func (w *Watcher) addFile(path string) error {
	dir, name := filepath.Split(path)
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved // a directory is watched by one name
	}
	return w.add(filepath.Clean(dir), filepath.Join(dir, name))
}

// add watches a directory for a change of what is named.
func (w *Watcher) add(dir, named string) error {
	w.named[named] = true
	err := w.watcher.Add(dir)
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	err = errors.Join(err, w.watcher.Close())
	w.watcher = nil
	return err
}

// Wait waits for a change, and until no other follows soon. Without events it
// waits for a while. It returns the cause of the context when that is canceled.
func (w *Watcher) Wait(ctx context.Context) error {
	var calm, end <-chan time.Time
	var events chan fsnotify.Event
	var lost chan error
	if w.watcher == nil {
		calm = time.After(pollInterval)
	} else {
		events, lost = w.watcher.Events, w.watcher.Errors
	}
	for {
		select {
		case e := <-events:
			counts := e.Op != fsnotify.Chmod && (w.named[e.Name] || w.named[filepath.Dir(e.Name)])
			if !counts && end == nil {
				continue
			}
		case <-lost: //nolint:errcheck // events were lost: each is one
		case <-calm:
			return nil
		case <-end:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		calm = time.After(quiet)
		if end == nil {
			end = time.After(longest)
		}
	}
}

// Close releases the resources of the watcher.
func (w *Watcher) Close() error {
	if w.watcher == nil {
		return nil
	}
	return w.watcher.Close()
}
