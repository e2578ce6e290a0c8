package job

import (
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// serveStores starts servers of both stores, which the clients use as any user
// can tell them: by variables of the environment. It returns their objects.
func serveStores(t *testing.T) map[string]*buckets {
	t.Helper()
	s3, gs := newBuckets(), newBuckets()
	address := func(handler http.Handler) string {
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		return server.URL
	}
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL": address(s3.s3()), "AWS_REGION": "eu-central-1", "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "key",
		"AWS_CONFIG_FILE": os.DevNull, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull, "AWS_PROFILE": "",
		"AWS_RESPONSE_CHECKSUM_VALIDATION": "when_required", // the server has none
		"STORAGE_EMULATOR_HOST":            strings.TrimPrefix(address(gs.gs()), "http://"),
	} {
		t.Setenv(name, value)
	}
	return map[string]*buckets{"s3": s3, "gs": gs}
}

// TestStores checks that a job on the objects of a store finds what a job on
// files finds.
func TestStores(t *testing.T) {
	servers := serveStores(t)
	good := read(t, filepath.Join("..", "..", "testdata", "recorded", "v0.4.2", "close_mid_code.chunks.jsonl"))
	files := map[string][]byte{
		"large.jsonl":          archive(t, 120_000, 1),
		"a/b/c/deep.jsonl":     good,
		"a/1 + 1?#%41 é.jsonl": good,
		"a/packed.jsonl.gz":    gzipped(t, good),
		"a/packed.jsonl.zst":   zstded(t, good),
		"a/cut.jsonl.gz":       gzipped(t, good)[:60],
		"a/empty.jsonl":        {},
		"table.parquet":        parquetOf(t, rowsOfTable(t), &parquet.Snappy),
		"table.avro":           avroOf(t, rowsOfTable(t)),
	}
	t.Chdir(t.TempDir())
	for name, text := range files {
		path := filepath.Join("in", name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, text, 0o600))
	}
	local := options(t, "in/**")
	local.Column = "chat"
	want := run(t, local)
	require.Greater(t, len(want.findings), 100)
	require.Greater(t, len(want.refused), 3)
	want.refused["in/a/gone.jsonl"] = "not compared"

	for scheme, server := range servers {
		t.Run(scheme, func(t *testing.T) {
			for name, text := range files {
				server.put("in/"+name, text)
			}
			server.put("in/a/gone.jsonl", good)
			server.put("in/a/", nil) // as consoles make folders
			o := local
			o.Inputs, o.Output, o.Lanes = []string{scheme + "://in/**"}, scheme+"://out/a folder", 2
			require.NoError(t, try(o))
			dir := t.TempDir()
			for _, path := range server.names() {
				if name, ok := strings.CutPrefix(path, "out/a folder/"); ok {
					text, _ := server.get(path)
					text = []byte(strings.ReplaceAll(string(text), scheme+"://in/", "in/"))
					require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
				}
			}
			copied := o
			copied.Output = dir
			got := written(t, copied)
			assert.Equal(t, want.findings, got.findings)
			assert.Equal(t, slices.Sorted(maps.Keys(want.refused)), slices.Sorted(maps.Keys(got.refused)))
			assert.Equal(t, want.summary.Records, got.summary.Records)
			for path, failure := range want.refused {
				if !strings.Contains(path, "gone") {
					assert.Equal(t, failure, got.refused[path], path)
				}
			}

			summary, err := ReadSummary(t.Context(), o.Output)
			require.NoError(t, err)
			assert.Equal(t, got.summary, summary.Summary)
			require.ErrorContains(t, Clear(t.Context(), o.Output, false), "--overwrite")
			require.NoError(t, Clear(t.Context(), o.Output, true))
			require.NoError(t, Clear(t.Context(), o.Output, false))
			assert.Len(t, server.names(), len(files)+2)
		})
	}
}

// TestStoreGlobs checks what globs of stores match.
func TestStoreGlobs(t *testing.T) {
	for scheme, server := range serveStores(t) {
		for _, name := range []string{"a/1.jsonl", "a/2.jsonl", "a/b/3.jsonl", "a/b/[x].jsonl", "a/b/x.jsonl", "c/4.jsonl"} {
			server.put("in/"+name, nil)
		}
		for glob, want := range map[string]string{
			"in/a/*.jsonl":       "a/1.jsonl a/2.jsonl",
			"in/**/[1-3].jsonl":  "a/1.jsonl a/2.jsonl a/b/3.jsonl",
			"in/?/{1,4}.jsonl":   "a/1.jsonl c/4.jsonl",
			"in/a/b/[x].jsonl":   "a/b/[x].jsonl a/b/x.jsonl",
			`in/a/b/\[x\].jsonl`: "a/b/[x].jsonl",
			"in/a/nothing*":      "",
			"in/a/nothing":       "a/nothing",
			"none/*":             "",
		} {
			paths, err := list(t.Context(), scheme+"://"+glob)
			require.NoError(t, err, glob)
			assert.Equal(t, want, strings.ReplaceAll(strings.Join(paths, " "), scheme+"://in/", ""), glob)
		}
		for glob, want := range map[string]string{"in/[": "not a valid glob", "i*/x": "name of a bucket", "*": "name of a bucket"} {
			_, err := list(t.Context(), scheme+"://"+glob)
			assert.ErrorContains(t, err, want, glob)
		}
	}
}

// TestStoreObjects checks that an object that is written in several requests is
// complete, that it is read at an offset, and that one whose writer fails does
// not appear.
func TestStoreObjects(t *testing.T) {
	text := make([]byte, 40<<20)
	_, _ = rand.NewChaCha8([32]byte{}).Read(text)
	for scheme, server := range serveStores(t) {
		path := scheme + "://out/large"
		require.NoError(t, writeFile(t.Context(), path, func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		}))
		got, _ := server.get("out/large")
		require.Equal(t, len(text), len(got))
		require.True(t, string(text) == string(got), scheme)
		bytes, err := size(t.Context(), path)
		require.NoError(t, err)
		require.EqualValues(t, len(text), bytes)
		file, err := open(t.Context(), path, 39<<20)
		require.NoError(t, err)
		rest, err := io.ReadAll(file)
		require.NoError(t, errors.Join(err, file.Close()))
		require.True(t, string(text[39<<20:]) == string(rest), scheme)

		failed := errors.New("failed")
		require.ErrorIs(t, writeFile(t.Context(), scheme+"://out/small", func(w io.Writer) error {
			_, err := w.Write(text[:100])
			return errors.Join(err, failed)
		}), failed)
		require.ErrorIs(t, writeFile(t.Context(), scheme+"://out/half", func(w io.Writer) error {
			_, err := w.Write(text)
			return errors.Join(err, failed)
		}), failed)
		require.ErrorContains(t, writeFile(t.Context(), scheme+"://out/panic", func(w io.Writer) error {
			_, _ = w.Write(text[:100])
			panic("a worker fails")
		}), "a worker fails")
		assert.Equal(t, []string{"out/large"}, server.names())
	}
}
