package job

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/lmclint/lmclint/internal/base/atomicfile"
)

func init() {
	beam.RegisterDoFn(&writeFn{})
	beam.RegisterDoFn(&shardsFn{})
}

// shardsFn emits an element without text for each shard, so that each has a file.
type shardsFn struct{}

// ProcessElement emits the shards of a number.
func (shardsFn) ProcessElement(shards int, emit func(int, []byte)) {
	for shard := range shards {
		emit(shard, nil)
	}
}

// writeFn writes the texts of a shard to a file. An attempt that fails leaves no
// file, and one that is repeated replaces it: the file is complete or missing.
type writeFn struct {
	Folder string
	Name   string
	Shards int // 0: the name is that of the only file
}

// ProcessElement writes a file.
func (fn *writeFn) ProcessElement(ctx context.Context, shard int, texts func(*[]byte) bool) error {
	name := fn.Name
	if fn.Shards > 0 {
		name = shardName(fn.Name, shard, fn.Shards)
	}
	return writeFile(ctx, join(fn.Folder, name), func(w io.Writer) error {
		for text := []byte(nil); texts(&text); {
			if _, err := w.Write(text); err != nil {
				return err
			}
		}
		return nil
	})
}

// shardName returns the name of the file of a shard, as in
// findings-00000-of-00004.jsonl.
func shardName(name string, shard, shards int) string {
	extension := filepath.Ext(name)
	return fmt.Sprintf("%s-%05d-of-%05d%s", strings.TrimSuffix(name, extension), shard, shards, extension)
}

// join returns the path of a file in a folder, which may be in a store.
func join(folder, name string) string { return strings.TrimSuffix(folder, "/") + "/" + name }

// writeFile writes a file that appears when it is complete. An object of a store
// appears when it is closed, and does not if the context is canceled before.
func writeFile(ctx context.Context, path string, write func(io.Writer) error) error {
	if isLocal(path) {
		return writeLocal(path, write)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return within(ctx, path, func(fs filesystem.Interface) error {
		file, err := fs.OpenWrite(ctx, address(path))
		if err != nil {
			return err
		}
		if err := write(file); err != nil {
			cancel()
			return errors.Join(err, file.Close())
		}
		return file.Close()
	})
}

func writeLocal(path string, write func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	if err := write(file); err != nil {
		return errors.Join(err, file.Discard())
	}
	return file.Commit()
}
