package config

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"
	"go.yaml.in/yaml/v3"

	"github.com/lmclint/lmclint/internal/spelling"
	"github.com/lmclint/lmclint/internal/validate"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

// maxFiles is the maximum number of files of one configuration.
const maxFiles = 32

// loader reads configurations. It reports all that is wrong with one, as
// [Faults].
type loader struct {
	Options
	checker *validate.ConfigChecker
}

func newLoader(o Options) (*loader, error) {
	if o.Dir == "" {
		dir, err := os.Getwd()
		if err != nil {
			return nil, err
		}
		o.Dir = dir
	}
	if o.Rules == nil {
		o.Rules = defaultRules()
	}
	return &loader{Options: o, checker: validate.NewConfigChecker()}, nil
}

func (l *loader) absolute(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(l.Dir, path)
}

// relative returns a path from the working directory, for messages.
func (l *loader) relative(path string) string {
	if below, err := filepath.Rel(l.Dir, path); err == nil {
		return below
	}
	return path
}

// loading is the reading of one configuration.
type loading struct {
	*loader
	config *Config
	within []string // the files that are being read; each extends the next
	faults Faults
}

// load reads the configuration in a file, with its globs relative to a
// directory, "" for that of the file. It returns a configuration, without what is wrong, even if it fails.
func (l *loader) load(path, dir string) (*Config, error) {
	r := &loading{loader: l, config: &Config{
		Dir: cmp.Or(dir, filepath.Dir(path)), Values: map[string]Value{},
		catalog: *l.Rules, settings: map[string]*Settings{}, absolute: l.absolute, readFile: l.ReadFile,
	}}
	if path != "" {
		r.config.Path = l.relative(path)
		r.file(path, dir, Origin{})
	}
	r.verify()
	return r.config, r.faults.Err()
}

// file reads a file after those that it extends. Its globs are relative to a
// directory, "" for its own.
func (r *loading) file(path, dir string, from Origin) {
	name := r.relative(path)
	if from.File == "" {
		from.File = name
	}
	switch {
	case slices.Contains(r.within, path):
		r.faults.add(from, "extends itself: %s", r.chain(path))
		return
	case len(r.config.Files) >= maxFiles:
		r.faults.add(from, "made of more than %d files", maxFiles)
		return
	}
	// Only a file that the user named may be a pipe, such as that of a shell.
	text, err := r.read(path, dir != "")
	if err != nil {
		r.faults.add(from, "%s", unreadable(name, from, err))
		return
	}
	if dir == "" {
		dir = filepath.Dir(path)
	}
	d, value, err := parse(name, text)
	if err == nil {
		r.within = append(r.within, path)
		r.extend(d, path)
		r.within = r.within[:len(r.within)-1]
	}
	r.config.Files = append(r.config.Files, name)
	r.document(d, value, err, dir)
}

// read reads a file as the options say.
func (l *loader) read(path string, anyKind bool) ([]byte, error) {
	if l.ReadFile != nil {
		return l.ReadFile(path)
	}
	return readFile(path, anyKind)
}

// readFile reads a file, or as much of it as shows that it is too large. It
// refuses a device or a pipe, which may have no end, unless that is allowed.
func readFile(path string, anyKind bool) ([]byte, error) {
	open := openRegular
	if anyKind {
		open = os.Open
	}
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return io.ReadAll(io.LimitReader(file, maxFile+1))
}

// openRegular opens a file that is not a device or a pipe: opening one may wait,
// and reading one may not end.
func openRegular(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("not a regular file")}
	}
	return os.Open(path)
}

// unreadable returns why a file cannot be read, with its name unless it is that
// of the message.
func unreadable(name string, from Origin, err error) string {
	reason := err.Error()
	if pathError, ok := errors.AsType[*fs.PathError](err); ok {
		reason = pathError.Err.Error()
	}
	if from.File == name {
		return reason
	}
	return name + ": " + reason
}

// chain returns the files through which a file extends itself.
func (r *loading) chain(path string) string {
	var names []string
	for _, file := range append(r.within[slices.Index(r.within, path):], path) {
		names = append(names, r.relative(file))
	}
	return strings.Join(names, " -> ")
}

// extend reads the files that a document extends.
func (r *loading) extend(d *document, path string) {
	list := d.find([]string{"extends"}, false)
	if list == resolved(d.root) {
		return
	}
	targets := list.Content
	if list.Value != "" {
		targets = append(targets, list)
	}
	for _, target := range targets {
		if target = resolved(target); target.Value == "" {
			continue
		}
		base := filepath.FromSlash(target.Value)
		if !filepath.IsAbs(base) {
			base = filepath.Join(filepath.Dir(path), base)
		}
		r.file(base, "", d.at(target))
	}
}

// document validates what was read against the schema, and adds it to the
// configuration.
func (r *loading) document(d *document, value any, err error, dir string) {
	var faults Faults
	if errors.As(err, &faults) {
		r.faults = append(r.faults, faults...)
		return
	}
	if r.refuses(d) {
		return
	}
	problems, err := r.checker.Check(value)
	if err != nil {
		r.faults.add(Origin{File: d.name}, "%v", err)
		return
	}
	// Unknown rules are reported by verify, unless the document is not used.
	wrong := slices.ContainsFunc(problems, func(p validate.ConfigProblem) bool { return !p.NoRule })
	for _, p := range problems {
		at := d.find(p.Path, p.AtKey)
		switch {
		case !p.NoRule:
			r.faults.add(d.at(at), "%s", where(p)+p.Message)
		case wrong:
			r.verifyRule(at.Value, d.at(at))
		}
	}
	if wrong {
		return
	}
	decoding := decoding{d, dir}
	decoding.config(r.config)
	r.faults = append(r.faults, d.faults...)
}

// where returns the key that a problem is about. The message for an unknown key
// has it already.
func where(p validate.ConfigProblem) string {
	for i := len(p.Path) - 1; i >= 0 && !p.AtKey; i-- {
		if strings.Trim(p.Path[i], "0123456789") != "" {
			return p.Path[i] + ": "
		}
	}
	return ""
}

// verify checks what a schema cannot: that rules and dialects exist.
func (r *loading) verify() {
	for _, layer := range r.config.layers {
		r.verifyRules(layer)
	}
	for i := range r.config.Overrides {
		r.verifyRules(r.config.Overrides[i].layer)
	}
	dialects, err := vocabularyOf(r.config.Dialects)
	if wrong, ok := errors.AsType[*schema.ExtensionError](err); ok {
		r.faults.add(r.config.Dialects[wrong.Index].Origin, "%s", wrong.Message)
		return
	}
	r.config.vocabulary = dialects
	known := append([]string{auto}, dialects.Names()...)
	r.verifyDialect(r.config.Values["dialect"], known)
	for i := range r.config.Overrides {
		r.verifyDialect(r.config.Overrides[i].Values["dialect"], known)
	}
}

func (r *loading) verifyRules(layer lint.Layer) {
	selectors := slices.Concat(layer.Select, layer.ExtendSelect, layer.Ignore)
	for _, level := range layer.Levels {
		selectors = append(selectors, level.Selector)
	}
	for _, s := range selectors {
		r.verifyRule(s.Text, originOf(s.Origin))
	}
}

func (r *loading) verifyRule(word string, at Origin) {
	if len(r.Rules.Select(word)) == 0 {
		r.faults.add(at, "unknown rule %q%s", word, spelling.DidYouMean(word, r.Rules.Words()))
	}
}

func (r *loading) verifyDialect(v Value, known []string) {
	if name, ok := v.Value.(string); ok && !slices.Contains(known, name) {
		r.faults.add(v.Origin, "unknown dialect %q, expected %s%s", name, spelling.AnyOf(known), spelling.DidYouMean(name, known))
	}
}

// vocabularyOf returns the dialects that may be used with a configuration, nil
// if it adds none. The error is a [*schema.ExtensionError].
func vocabularyOf(added []Dialect) (*schema.Dialects, error) {
	if len(added) == 0 {
		return nil, nil
	}
	extensions := make([]schema.Extension, len(added))
	for i := range added {
		extensions[i] = added[i].Extension
	}
	return schema.NewDialects(extensions...)
}

// refuses reports whether a document requires another release of lmclint. It is
// checked first: what else looks wrong may be right for that release.
func (r *loading) refuses(d *document) bool {
	var wanted *yaml.Node
	if d.root.Kind == yaml.MappingNode {
		each(d.root, func(key, value *yaml.Node) {
			if key.Value == "required-version" && value.Kind == yaml.ScalarNode {
				wanted = value
			}
		})
	}
	if wanted == nil {
		return false
	}
	constraint, err := semver.NewConstraint(wanted.Value)
	if err != nil {
		r.faults.add(d.at(wanted), `required-version: %q, expected conditions such as ">=0.2, <0.4"`, wanted.Value)
		return true
	}
	version, released := releaseOf(r.Version)
	if !released || constraint.Check(version) {
		return false
	}
	r.faults.add(d.at(wanted), "lmclint %s does not satisfy required-version %s", strings.TrimPrefix(r.Version, "v"), wanted.Value)
	return true
}

// releaseOf parses the version of a release. A release candidate counts as its
// release. The version of a checkout is not one of a release.
func releaseOf(text string) (*semver.Version, bool) {
	version, err := semver.NewVersion(text)
	if err != nil || version.Prerelease() != "" && !strings.HasPrefix(version.Prerelease(), "rc") {
		return nil, false
	}
	release, err := version.SetPrerelease("")
	return &release, err == nil
}
