package job

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fakeStore is a file system whose files vanish, break and make workers panic, by
// their names. It is registered once, and a test fills it.
type fakeStore struct {
	mu     sync.Mutex
	files  map[string][]byte
	panics int // how many writers panic
}

var theStore = &fakeStore{}

func init() {
	filesystem.Register("store", func(context.Context) filesystem.Interface { return theStore })
}

func (s *fakeStore) fill(files map[string][]byte, panics int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files, s.panics = files, panics
}

// content returns the files: a job that failed may still write.
func (s *fakeStore) content() map[string][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.files)
}

// Close implements [filesystem.Interface].
func (s *fakeStore) Close() error { return nil }

// List implements [filesystem.Interface].
func (s *fakeStore) List(_ context.Context, glob string) (names []string, _ error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.files {
		if ok, _ := path.Match(glob, name); ok {
			names = append(names, name)
		}
	}
	return names, nil
}

// Size implements [filesystem.Interface].
func (s *fakeStore) Size(_ context.Context, name string) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return int64(len(s.files[name])), nil
}

// OpenRead implements [filesystem.Interface].
func (s *fakeStore) OpenRead(_ context.Context, name string) (io.ReadCloser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, ok := s.files[name]
	switch {
	case !ok, strings.Contains(name, "gone"):
		return nil, fs.ErrNotExist
	case strings.Contains(name, "panic-open"):
		panic("no credentials")
	}
	// A reader that cannot seek, as that of a store.
	return io.NopCloser(io.MultiReader(bytes.NewReader(text), &ending{name})), nil
}

// ending is what follows the bytes of a file.
type ending struct{ name string }

// Read implements [io.Reader].
func (e *ending) Read([]byte) (int, error) {
	switch {
	case strings.Contains(e.name, "panic-read"):
		panic("a bug in a reader")
	case strings.Contains(e.name, "breaks"):
		return 0, errors.New("connection reset")
	}
	return 0, io.EOF
}

// Remove implements [filesystem.Remover].
func (s *fakeStore) Remove(_ context.Context, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.files, name)
	return nil
}

// OpenWrite implements [filesystem.Interface].
func (s *fakeStore) OpenWrite(ctx context.Context, name string) (io.WriteCloser, error) {
	return &fakeObject{store: s, ctx: ctx, name: name}, nil
}

// fakeObject appears in the store when it is closed.
type fakeObject struct {
	bytes.Buffer
	store *fakeStore
	ctx   context.Context
	name  string
}

// Write implements [io.Writer].
func (o *fakeObject) Write(p []byte) (int, error) {
	o.store.mu.Lock()
	panics := o.store.panics > 0 && strings.Contains(o.name, "findings")
	if panics {
		o.store.panics--
	}
	o.store.mu.Unlock()
	n, err := o.Buffer.Write(p)
	if panics {
		panic("a worker fails")
	}
	return n, err
}

// Close implements [io.Closer].
func (o *fakeObject) Close() error {
	if err := o.ctx.Err(); err != nil {
		return err
	}
	o.store.mu.Lock()
	defer o.store.mu.Unlock()
	o.store.files[o.name] = bytes.Clone(o.Bytes())
	return nil
}

// TestUnreadable checks that inputs that vanish, break or make a worker panic do
// not fail the job, and that everything else is checked.
func TestUnreadable(t *testing.T) {
	text := archive(t, 60_000, 1)
	small := text[:bytes.LastIndexByte(text[:5000], '\n')+1]
	files := map[string][]byte{}
	for _, name := range []string{"good", "gone", "panic-open", "panic-read", "breaks"} {
		files["store://in/"+name+"-large.jsonl"] = text
		files["store://in/"+name+"-small.jsonl"] = small
	}
	theStore.fill(files, 0)
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string][]byte{"large": text, "small": small} {
		require.NoError(t, os.WriteFile("good-"+name+".jsonl", text, 0o600))
	}
	want := onOneMachine(t, "--isolated", "good-large.jsonl", "good-small.jsonl")
	o := options(t, "store://in/*")
	o.Lanes = 2
	got := run(t, o)

	var good, before []string
	for _, line := range got.findings {
		if strings.Contains(line, "/good-") {
			good = append(good, strings.ReplaceAll(line, "store://in/", ""))
		}
		if strings.Contains(line, "/breaks-small") {
			before = append(before, strings.ReplaceAll(line, "store://in/breaks", "good"))
		}
	}
	assert.Equal(t, want.findings, good)
	assert.NotEmpty(t, before)
	assert.Subset(t, want.findings, before)
	assert.Len(t, got.refused, 8)
	for name, failure := range got.refused {
		switch {
		case strings.Contains(name, "gone"):
			assert.Contains(t, failure, "does not exist", name)
		case strings.Contains(name, "panic"):
			assert.Contains(t, failure, "internal error of the file system", name)
		default:
			assert.Contains(t, failure, "connection reset", name)
		}
	}
}

// TestWorkerPanics checks that a worker that panics while it writes leaves no
// partial file, and that a job that is run again writes each finding once.
func TestWorkerPanics(t *testing.T) {
	text := archive(t, 60_000, 2)
	dir := t.TempDir()
	t.Chdir(dir)
	require.NoError(t, os.WriteFile("a.jsonl", text, 0o600))
	want := onOneMachine(t, "--isolated", "a.jsonl")
	theStore.fill(map[string][]byte{}, 1)
	o := options(t, "a.jsonl")
	o.Output = "store://out"
	require.ErrorContains(t, try(o), "a worker fails")

	require.NoError(t, Clear(t.Context(), o.Output, true))
	require.NoError(t, try(o))
	var got []string
	for name, text := range theStore.content() {
		if strings.Contains(name, "findings") {
			got = slices.AppendSeq(got, strings.Lines(string(text)))
		}
	}
	slices.Sort(got)
	assert.Equal(t, want.findings, got)
	summary, err := ReadSummary(t.Context(), o.Output)
	require.NoError(t, err)
	assert.Equal(t, want.summary, summary.Summary)
}

// TestWriteLocal checks that a file is complete or missing.
func TestWriteLocal(t *testing.T) {
	name := filepath.Join(t.TempDir(), "folder", "file")
	failed := errors.New("failed")
	require.ErrorIs(t, writeFile(t.Context(), name, func(w io.Writer) error {
		_, err := w.Write([]byte("part"))
		return errors.Join(err, failed)
	}), failed)
	left, err := os.ReadDir(filepath.Dir(name))
	require.NoError(t, err)
	require.Empty(t, left)
	for _, text := range []string{"one", "two"} {
		require.NoError(t, writeFile(t.Context(), name, func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		}))
		require.Equal(t, text, string(read(t, name)))
	}
}
