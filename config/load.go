package config

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/base/spelling"
	"github.com/lmclint/lmclint/rules"
	"github.com/lmclint/lmclint/schema"
)

// maxFiles is the maximum number of files of one configuration.
const maxFiles = 32

// complete sets what the options do not.
func (o *Options) complete() (err error) {
	if o.Dir == "" {
		o.Dir, err = os.Getwd()
	}
	if o.Rules == nil {
		catalog := rules.Catalog()
		o.Rules = &catalog
	}
	return err
}

func (o *Options) absolute(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(o.Dir, path)
}

// relative returns a path from a directory, or unchanged if there is none. A path that is in the directory by
// way of symbolic links is one in the directory.
func relative(dir, path string) string {
	below, err := filepath.Rel(dir, path)
	if err == nil && filepath.IsLocal(below) {
		return below
	}
	if dir, failed := filepath.EvalSymlinks(dir); failed == nil {
		if direct, failed := filepath.Rel(dir, realPath(path)); failed == nil && filepath.IsLocal(direct) {
			return direct
		}
	}
	if err != nil {
		return path
	}
	return below
}

// realPath returns a path without symbolic links in its directory, if that exists. The file itself may be one.
func realPath(path string) string {
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path))
	}
	return path
}

// loading is the reading of one configuration. It reports all that is wrong with it, as
// [Faults].
type loading struct {
	Options
	config *Config
	within []string // the files that are being read; each extends the next
	faults Faults
}

// load reads the configuration in a file, with its globs relative to a
// directory, "" for that of the file. It returns a configuration, without what is wrong, even if it fails.
func (o *Options) load(path, dir string) (*Config, error) {
	r := &loading{Options: *o, config: &Config{
		Dir: cmp.Or(dir, filepath.Dir(path)), options: *o, Values: map[string]Value{}, settings: map[string]*Settings{},
	}}
	if path != "" {
		r.config.Path = relative(r.Dir, path)
		r.file(path, dir, Origin{})
	}
	r.verify()
	return r.config, r.faults.Err()
}

// file reads a file after those that it extends. Its globs are relative to a
// directory, "" for its own. Those of an extended file elsewhere, whose directory has none of the inputs, are
// relative to that of the configuration.
func (r *loading) file(path, dir string, from Origin) {
	name := relative(r.Dir, path)
	if from.File == "" {
		from.File = name
	}
	switch {
	case slices.Contains(r.within, path):
		var chain []string
		for _, file := range append(r.within[slices.Index(r.within, path):], path) {
			chain = append(chain, relative(r.Dir, file))
		}
		r.faults.add(from, "extends itself: %s", strings.Join(chain, " -> "))
		return
	case len(r.config.Files) >= maxFiles:
		r.faults.add(from, "made of more than %d files", maxFiles)
		return
	}
	// Only a file that the user named may be a pipe, such as that of a shell.
	text, err := r.read(path, maxFile+1, dir != "")
	if err != nil {
		reason := err.Error()
		if pathError, ok := errors.AsType[*fs.PathError](err); ok {
			reason = pathError.Err.Error()
		}
		if from.File != name {
			reason = name + ": " + reason
		}
		r.faults.add(from, "%s", reason)
		return
	}
	d := &decoding{Options: r.Options, name: name, file: path, dir: cmp.Or(dir, filepath.Dir(path)), config: &Config{Values: map[string]Value{}}}
	if d.isExtended = len(r.within) > 0; d.isExtended && !filepath.IsLocal(relative(d.dir, r.config.Dir)) {
		d.dir = r.config.Dir
	}
	d.read(text)
	if d.isOther {
		r.faults.add(from, "%s: not a configuration of lmclint", name)
		return
	}
	r.within = append(r.within, path)
	for _, target := range d.extends {
		base := filepath.FromSlash(target.Value)
		if !filepath.IsAbs(base) {
			base = filepath.Join(filepath.Dir(path), base)
		}
		r.file(base, "", d.at(target))
	}
	r.within = r.within[:len(r.within)-1]
	r.faults = append(r.faults, d.faults...)
	r.config.Files = append(r.config.Files, name)
	r.config.add(d.config)
}

// add adds what another file says, which takes precedence.
func (c *Config) add(other *Config) {
	maps.Copy(c.Values, other.Values)
	c.Exclude = append(c.Exclude, other.Exclude...)
	c.Overrides = append(c.Overrides, other.Overrides...)
	c.Dialects = append(c.Dialects, other.Dialects...)
	c.layers = append(c.layers, other.layers...)
}

// read reads a file as the options say, or as much of it as a number of bytes. It refuses
// a device or a pipe, unless that is allowed: opening one may wait, and reading it may not
// end.
func (o *Options) read(path string, most int64, anyKind bool) ([]byte, error) {
	if o.ReadFile != nil {
		return o.ReadFile(path)
	}
	if info, err := os.Stat(path); err == nil && !anyKind && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("not a regular file")}
	}
	file, err := os.Open(path)
	if target, linkErr := os.Readlink(path); linkErr == nil && errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("a link to %s, which does not exist", target)
	} else if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return io.ReadAll(io.LimitReader(file, most))
}

// verify checks that dialects exist, which other files may add.
func (r *loading) verify() {
	if len(r.config.Dialects) > 0 {
		var extensions []schema.Extension
		for _, d := range r.config.Dialects {
			extensions = append(extensions, d.Extension)
		}
		dialects, err := schema.NewDialects(extensions...)
		if wrong, ok := errors.AsType[*schema.ExtensionError](err); ok {
			r.faults.add(r.config.Dialects[wrong.Index].Origin, "%s", wrong.Message)
			return
		}
		r.config.vocabulary = dialects
	}
	known := append([]string{auto}, r.config.vocabulary.Names()...)
	named := []Value{r.config.Values["dialect"]}
	for i := range r.config.Overrides {
		named = append(named, r.config.Overrides[i].Values["dialect"])
	}
	for _, v := range named {
		if name, ok := v.Value.(string); ok && !slices.Contains(known, name) {
			r.faults.add(v.Origin, "unknown dialect %q, expected %s%s", name, spelling.AnyOf(known), spelling.DidYouMean(name, known))
		}
	}
}
