package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/base/atomicfile"
	"github.com/lmclint/lmclint/internal/change/convert"
	"github.com/lmclint/lmclint/report"
)

// targetExtensions are the extensions of converted files in a directory.
var targetExtensions = map[convert.Target]string{
	convert.JSONL: ".jsonl", convert.JSON: ".json", convert.SSE: ".sse", convert.Python: ".txt",
	convert.Messages: ".json", convert.Chunks: ".jsonl",
}

// inputs returns the inputs that the operands name, and the links that are not followed.
// Directories are searched as check searches them, but for the output directory.
func (o *convertFlags) inputs(c *Command, operands []string) (_ []walk.Input, links report.Unread, err error) {
	p, inputs, err := c.planInputs(o.checkFlags, operands, nil)
	inputs = slices.DeleteFunc(inputs, func(in walk.Input) bool {
		if in.IsLink {
			links.Add(in.Path)
		}
		return in.IsLink
	})
	if err != nil || o.output == "" {
		return inputs, links, err
	}
	const separator = string(filepath.Separator)
	within := strings.TrimSuffix(p.absolute(o.output), separator) + separator
	outside := slices.DeleteFunc(slices.Clone(inputs), func(in walk.Input) bool {
		return !in.Named && strings.HasPrefix(p.absolute(in.Path), within)
	})
	if len(outside) == 0 && len(inputs) > 0 {
		return nil, links, fmt.Errorf("all inputs are in the output directory %s, which is not searched", o.output)
	}
	return outside, links, nil
}

// outputPaths returns where each input is written: "" is standard output. Nothing
// may be written twice, or over an input.
func (o *convertFlags) outputPaths(inputs []walk.Input) ([]string, error) {
	info, err := os.Stat(o.output)
	into := len(inputs) > 1 // a directory: it is one, or its name ends like that of one
	switch {
	case o.output == "":
		into = false
	case err == nil:
		into = info.IsDir()
	case os.IsPathSeparator(o.output[len(o.output)-1]):
		into = true
	}
	if !into {
		if len(inputs) > 1 {
			return nil, usagef("several inputs need a directory: pass -o DIRECTORY/")
		}
		paths := []string{o.output}
		return paths, replacesNone(pathsOf(inputs), paths)
	}
	paths := make([]string, len(inputs))
	origin := map[string]string{}
	for i, in := range inputs {
		paths[i] = walk.Join(o.output, o.outputName(in))
		if other, taken := origin[paths[i]]; taken {
			return nil, fmt.Errorf("%s and %s would both be written to %s", other, in.Path, paths[i])
		}
		origin[paths[i]] = in.Path
	}
	return paths, replacesNone(pathsOf(inputs), paths)
}

// outputName returns the name of a converted file in the output directory, which
// has the directories of the searched one. A compressed file is compressed again.
func (o *convertFlags) outputName(in walk.Input) string {
	name := filepath.Base(in.Path)
	switch {
	case in.Path == walk.Stdin:
		name = strings.Trim(filepath.Base(o.stdinFilename), "<>")
	case in.Root != "":
		if inside, err := filepath.Rel(in.Root, in.Path); err == nil {
			name = inside
		}
	}
	extension, ok := targetExtensions[convert.Target(o.to.value)]
	if !ok {
		return name // the form stays
	}
	packed := compressionOf(name)
	name = strings.TrimSuffix(name, packed)
	if old := filepath.Ext(name); slices.Contains(walk.Extensions(), strings.ToLower(old)) {
		name = strings.TrimSuffix(name, old)
	}
	return name + extension + packed
}

// compressionOf returns the extension of a compressed file, or "".
func compressionOf(name string) string {
	for _, extension := range []string{".gz", ".zst"} {
		if strings.HasSuffix(strings.ToLower(name), extension) {
			return name[len(name)-len(extension):]
		}
	}
	return ""
}

// openConverted opens the output at a path, with its directory. Its extension says
// whether it is compressed. Only with overwrite it replaces a file that differs.
func (c *Command) openConverted(path string, overwrite bool) (*destination, error) {
	if path != "" {
		if dir, _ := filepath.Split(path); dir != "" {
			if err := os.MkdirAll(dir, 0o777); err != nil {
				return nil, &outputError{path, err}
			}
		}
	}
	to, err := c.openDestination(path)
	if err != nil {
		return nil, err
	}
	if file, ok := to.file.(*atomicfile.File); ok && !overwrite {
		to.file = keeping{file}
	}
	var packer io.WriteCloser
	switch strings.ToLower(compressionOf(path)) {
	case ".gz":
		packer = gzip.NewWriter(to.file)
	case ".zst":
		if packer, err = zstd.NewWriter(to.file, zstd.WithEncoderConcurrency(1)); err != nil {
			return nil, errors.Join(to.word(err), to.discard())
		}
	default:
		return to, nil
	}
	to.Writer, to.file = packer, packed{to.file, packer}
	return to, nil
}

// keeping is a file that replaces only one that is empty or equal to it: any other may be a recording of which there is no
// other copy.
type keeping struct{ *atomicfile.File }

// Commit implements [sink].
func (k keeping) Commit() error {
	differs, err := k.Differs()
	if err == nil && differs {
		err = errors.New("it exists already and differs: pass --overwrite to replace it")
	}
	if err != nil {
		return errors.Join(err, k.Discard())
	}
	return k.File.Commit()
}

// packed is a file that is written compressed.
type packed struct {
	sink
	packer io.Closer
}

// Commit implements [sink].
func (p packed) Commit() error {
	if err := p.packer.Close(); err != nil {
		return errors.Join(err, p.Discard())
	}
	return p.sink.Commit()
}
