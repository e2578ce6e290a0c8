package config

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/lmclint/lmclint/internal/spelling"
	"github.com/lmclint/lmclint/internal/validate"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

// maxFiles is how many files one configuration may be made of.
const maxFiles = 32

// Loader reads configurations. It reports everything that is wrong with one at
// once, as [Faults].
type Loader struct {
	Dir         string        // absolute: the working directory, for names that are shown
	Catalogue   lint.Catalog  // the rules that there are
	Assignments []string      // of the command line, key=value: they stand above every file
	Version     func() string // of the program, for the key required-version; "" fits any

	checker *validate.ConfigChecker
}

// NewLoader makes a loader.
func NewLoader(dir string, catalogue lint.Catalog, assignments []string) *Loader {
	return &Loader{Dir: dir, Catalogue: catalogue, Assignments: assignments, Version: func() string { return "" }, checker: validate.NewConfigChecker()}
}

// loading is the reading of one configuration.
type loading struct {
	*Loader
	config *Config
	within []string // the files that are being read, each extends the next
	faults Faults
}

// Load reads the configuration in a file, with its globs relative to a
// directory. Without a file it has what the command line sets.
func (l *Loader) Load(path, dir string) (*Config, error) {
	r := &loading{Loader: l, config: &Config{Dir: cmp.Or(dir, filepath.Dir(path)), Values: map[string]Value{}}}
	if path != "" {
		r.config.Path = l.shown(path)
		r.file(path, dir, Origin{})
	}
	for _, assignment := range l.Assignments {
		d, value, err := parseAssignment(assignment)
		r.document(d, value, err, l.Dir)
	}
	r.verify()
	return r.config, r.faults.or()
}

// shown is how a path is shown to people: from the working directory.
func (l *Loader) shown(path string) string {
	if below, err := filepath.Rel(l.Dir, path); err == nil {
		return below
	}
	return path
}

// file reads a file and before it those that it extends. A directory of ""
// stands for its own.
func (r *loading) file(path, dir string, from Origin) {
	name := r.shown(path)
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
	text, err := os.ReadFile(path)
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

// unreadable says why a file cannot be read, and which where that is not clear.
func unreadable(name string, from Origin, err error) string {
	reason := err.Error()
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		reason = pathError.Err.Error()
	}
	if from.File == name {
		return reason
	}
	return name + ": " + reason
}

// chain shows how a file comes to extend itself.
func (r *loading) chain(path string) string {
	var names []string
	for _, file := range append(r.within[slices.Index(r.within, path):], path) {
		names = append(names, r.shown(file))
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

// document checks what was read by the schema, and takes it over.
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
	// Whether rules are there is asked of all at once, in verify, if it comes to
	// that.
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

// where names the key that a problem is about. That of an unknown key says it
// itself.
func where(p validate.ConfigProblem) string {
	for i := len(p.Path) - 1; i >= 0 && !p.AtKey; i-- {
		if strings.Trim(p.Path[i], "0123456789") != "" {
			return p.Path[i] + ": "
		}
	}
	return ""
}

// verify checks what no schema can: whether rules and dialects are there.
func (r *loading) verify() {
	for _, layer := range r.config.Layers {
		r.verifyRules(layer)
	}
	for i := range r.config.Overrides {
		r.verifyRules(r.config.Overrides[i].Layer)
	}
	dialects, err := r.config.Vocabulary()
	var wrong *schema.ExtensionError
	if errors.As(err, &wrong) {
		r.faults.add(r.config.Dialects[wrong.Index].Origin, "%s", wrong.Message)
		return
	}
	known := append([]string{"auto"}, dialects.Names()...)
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
	if found, _ := r.Catalogue.Select(word); len(found) == 0 {
		r.faults.add(at, "unknown rule %q%s", word, spelling.DidYouMean(word, r.Catalogue.Words()))
	}
}

func (r *loading) verifyDialect(v Value, known []string) {
	if name, ok := v.Value.(string); ok && !slices.Contains(known, name) {
		r.faults.add(v.Origin, "unknown dialect %q; known are %s%s", name, strings.Join(known, ", "), spelling.DidYouMean(name, known))
	}
}

// Vocabulary returns the dialects that there are under the configuration, nil
// if it adds none. The error is a [*schema.ExtensionError].
func (c *Config) Vocabulary() (*schema.Dialects, error) {
	if len(c.Dialects) == 0 {
		return nil, nil
	}
	extensions := make([]schema.Extension, len(c.Dialects))
	for i := range c.Dialects {
		extensions[i] = c.Dialects[i].Extension
	}
	return schema.NewDialects(extensions...)
}

// release is a version that was released. Others, such as those of a checkout,
// are held to nothing.
var release = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^v?(\d+\.\d+\.\d+)(-rc\.?\d+)?$`)
})

// condition is a part of the key required-version.
var condition = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(>=|<)? *v?(\d+(?:\.\d+){0,2})$`)
})

// refuses reports whether a document is for other releases of the program. It
// is asked first: what else is wrong may be right for those.
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
	version := r.Version()
	fits, understood := satisfies(version, wanted.Value)
	switch {
	case !understood:
		r.faults.add(d.at(wanted), `required-version: %q, want conditions such as ">=0.2, <0.4"`, wanted.Value)
	case !fits:
		r.faults.add(d.at(wanted), "this is lmclint %s, and %s is required", strings.TrimPrefix(version, "v"), wanted.Value)
	}
	return !understood || !fits
}

// satisfies reports whether a version fits all conditions, and whether they
// are any. A condition without a sign means the releases that begin so.
func satisfies(version, conditions string) (fits, understood bool) {
	released := release().FindStringSubmatch(version)
	fits = true
	for part := range strings.SplitSeq(conditions, ",") {
		c := condition().FindStringSubmatch(strings.TrimSpace(part))
		if c == nil {
			return false, false
		}
		if released != nil {
			fits = fits && holds(numbers(released[1]), c[1], numbers(c[2]))
		}
	}
	return fits, true
}

func holds(version []int, sign string, wanted []int) bool {
	switch order := slices.Compare(version[:len(wanted)], wanted); sign {
	case ">=":
		return order >= 0
	case "<":
		return order < 0
	default:
		return order == 0
	}
}

// numbers are the parts of a version, the largest there is for one beyond it.
func numbers(version string) []int {
	var parts []int
	for part := range strings.SplitSeq(version, ".") {
		n, _ := strconv.Atoi(part)
		parts = append(parts, n)
	}
	return parts
}
