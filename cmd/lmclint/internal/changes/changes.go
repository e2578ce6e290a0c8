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
	watched map[string]bool
	whole   map[string]bool // directories in which each change counts
	single  map[string]bool // files elsewhere
}

// New returns a watcher of nothing. If the system has no events, or too few of
// them for a directory, the watcher polls; err says why.
func New() (w *Watcher, err error) {
	w = &Watcher{watched: map[string]bool{}, whole: map[string]bool{}, single: map[string]bool{}}
	w.watcher, err = fsnotify.NewWatcher()
	return w, err
}

// Add watches a directory with its subdirectories, but for hidden ones, or a file,
// which need not exist. A symbolic link is watched, and what it names. What cannot
// be read is skipped. The error says why the watcher polls from now on.
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
		w.whole[at] = true
		return w.add(at)
	})
}

// addFile watches a file, by its directory: it may be replaced, or created.
func (w *Watcher) addFile(path string) error {
	dir, name := filepath.Split(path)
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved // a directory is watched by one name
	}
	w.single[filepath.Join(dir, name)] = true
	return w.add(filepath.Clean(dir))
}

// counts reports whether an event is of something that was added.
func (w *Watcher) counts(e fsnotify.Event) bool {
	return e.Op != fsnotify.Chmod && (w.single[e.Name] || w.whole[e.Name] || w.whole[filepath.Dir(e.Name)])
}

func (w *Watcher) add(dir string) error {
	if w.watched[dir] {
		return nil
	}
	err := w.watcher.Add(dir)
	switch {
	case err == nil:
		w.watched[dir] = true
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		return nil
	default:
		err = errors.Join(err, w.watcher.Close())
		w.watcher = nil
	}
	return err
}

// Wait waits for a change, and until no other follows soon. Without events it
// waits for a while. It returns the cause of the context when that is canceled.
func (w *Watcher) Wait(ctx context.Context) error {
	if w.watcher == nil {
		return pause(ctx, pollInterval)
	}
	if err := w.event(ctx); err != nil {
		return err
	}
	end := time.NewTimer(longest)
	defer end.Stop()
	for {
		timer := time.NewTimer(quiet)
		select {
		case <-timer.C:
			w.forget()
			return nil
		case <-end.C:
			timer.Stop()
			w.forget()
			return nil
		case <-w.watcher.Events:
			timer.Stop()
		case <-ctx.Done():
			timer.Stop()
			return context.Cause(ctx)
		}
	}
}

// event waits for the first event.
func (w *Watcher) event(ctx context.Context) error {
	for {
		select {
		case e := <-w.watcher.Events:
			if w.counts(e) {
				return nil
			}
		case _, ok := <-w.watcher.Errors: // events were lost
			if ok {
				return nil
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// forget forgets directories that may be gone, so that Add watches new ones of
// the same name.
func (w *Watcher) forget() {
	have := map[string]bool{}
	for _, dir := range w.watcher.WatchList() {
		have[dir] = true
	}
	w.watched = have
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Close releases the resources of the watcher.
func (w *Watcher) Close() error {
	if w.watcher == nil {
		return nil
	}
	return w.watcher.Close()
}
