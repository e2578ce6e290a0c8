package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"
)

// dataFolder returns a directory that depends on the build of the generator, so
// that data is never older than its generator.
func (w *workspace) dataFolder() (string, error) {
	program, err := os.ReadFile(w.program("generate"))
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(program)
	return filepath.Join(w.cache, "data-"+hex.EncodeToString(sum[:6])), nil
}

// clean removes the data of other builds.
func (w *workspace) clean() error {
	mine, err := w.dataFolder()
	if err != nil {
		return err
	}
	folders, err := filepath.Glob(filepath.Join(w.cache, "data-*"))
	if err != nil {
		return err
	}
	for _, folder := range folders {
		if folder != mine {
			err = errors.Join(err, os.RemoveAll(folder))
		}
	}
	return errors.Join(err, os.MkdirAll(mine, 0o755))
}

// data generates a file or directory unless it exists, and returns its path.
// The arguments are those of the generator.
func (w *workspace) data(ctx context.Context, name string, args ...string) (string, error) {
	folder, err := w.dataFolder()
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, name)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	log.Printf("data: %s", name)
	unfinished := filepath.Join(folder, "unfinished-"+name)
	if err := os.RemoveAll(unfinished); err != nil {
		return "", err
	}
	if _, err := output(ctx, w.program("generate"), append(args, "--out", unfinished)...); err != nil {
		return "", err
	}
	return path, os.Rename(unfinished, path)
}

// stream generates a stream of a number of chunks. Extra flags are part of the
// name of the file.
func (w *workspace) stream(ctx context.Context, chunks int, flags ...string) (string, error) {
	name := fmt.Sprintf("stream-%d%s.jsonl", chunks, strings.ReplaceAll(strings.Join(flags, ""), "--", "-"))
	return w.data(ctx, name, append([]string{"--kind", "stream", "--chunks", fmt.Sprint(chunks)}, flags...)...)
}

// sizeOf returns the size of a file, or of all files in a directory.
func sizeOf(path string) (total int64, err error) {
	err = filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	return total, err
}
