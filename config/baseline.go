package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/base/atomicfile"
	"github.com/lmclint/lmclint/lint"
)

// Baseline is a baseline in a file. It names inputs by their paths from the
// file's directory.
type Baseline struct {
	*lint.Baseline
	Path string // absolute

	text []byte // of the file when it was read
}

// ReadBaseline reads the baseline at an absolute path, as the options say.
func ReadBaseline(path string, o Options) (*Baseline, error) {
	text, err := o.read(path, math.MaxInt, false)
	if err != nil {
		return nil, err
	}
	baseline, err := lint.ReadBaseline(bytes.NewReader(text))
	return &Baseline{baseline, path, text}, err
}

// NameOf returns the name of an input in the baseline: the path from the
// baseline's directory, with slashes. It is the same for all paths of the directory. JSON has no bytes that are
// not UTF-8: they are written as \xff, and a backslash before an x as \x5c.
func (b *Baseline) NameOf(absolute string) string {
	name := relative(filepath.Dir(b.Path), absolute)
	if !filepath.IsLocal(name) {
		name = relative(b.dir(), realPath(absolute))
	}
	name = filepath.ToSlash(name)
	if utf8.ValidString(name) && !strings.Contains(name, `\x`) {
		return name
	}
	var safe strings.Builder
	for i := 0; i < len(name); {
		r, size := utf8.DecodeRuneInString(name[i:])
		if r == utf8.RuneError && size == 1 || strings.HasPrefix(name[i:], `\x`) {
			fmt.Fprintf(&safe, `\x%02x`, name[i])
		} else {
			safe.WriteString(name[i : i+size])
		}
		i += size
	}
	return safe.String()
}

// escapedByte is a byte as NameOf writes it.
var escapedByte = regexp.MustCompile(`\\x[0-9a-f]{2}`)

// pathOf returns the path of the input with that name.
func (b *Baseline) pathOf(name string) string {
	name = escapedByte.ReplaceAllStringFunc(name, func(escape string) string {
		value, _ := strconv.ParseUint(escape[len(`\x`):], 16, 8) // the expression has the digits
		return string([]byte{byte(value)})
	})
	return filepath.Join(b.dir(), filepath.FromSlash(name))
}

// dir returns the directory that names are relative to.
func (b *Baseline) dir() string { return filepath.Dir(realPath(b.Path)) }

// Missing returns the entries of files that do not exist any more. Standard
// input, whose name ends with >, is not a file.
func (b *Baseline) Missing() (missing []lint.BaselineEntry) {
	exists := func(name string) bool {
		_, err := os.Lstat(b.pathOf(name))
		return !errors.Is(err, fs.ErrNotExist)
	}
	path, gone := "", false
	for _, entry := range b.Entries() { // by path
		if entry.Path != path {
			path = entry.Path
			archive, _, inside := strings.Cut(path, "!")
			gone = !strings.HasSuffix(path, ">") && !exists(path) && (!inside || !exists(archive))
		}
		if gone {
			missing = append(missing, entry)
		}
	}
	return missing
}

// Save writes the baseline to its file, atomically, if it changed. Other runs may write it at the same time:
// of the inputs that were not checked in this one, the entries are those that the file has by now.
func (b *Baseline) Save(checked map[string]bool) (err error) {
	if text, err := b.changed(checked); err != nil || text == nil {
		return err
	}
	unlock, err := atomicfile.Lock(b.Path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	text, err := b.changed(checked)
	if err != nil || text == nil {
		return err
	}
	file, err := atomicfile.Create(b.Path)
	if err != nil {
		return err
	}
	if _, err := file.Write(text); err != nil {
		return errors.Join(err, file.Discard())
	}
	b.text = text
	return file.Commit()
}

// changed returns what the file of the baseline must be, or nil if that is what it is.
func (b *Baseline) changed(checked map[string]bool) ([]byte, error) {
	now, err := os.ReadFile(b.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if !bytes.Equal(now, b.text) {
		if err := b.merge(now, checked); err != nil {
			return nil, err
		}
	}
	var text bytes.Buffer
	if _, err := b.WriteTo(&text); err != nil || bytes.Equal(now, text.Bytes()) {
		return nil, err
	}
	return text.Bytes(), nil
}

// errSameInput is the error of two runs that write entries of one input at the same time.
var errSameInput = errors.New("another run has changed entries of the same inputs: run it again")

// merge adds what another run has written since the baseline was read.
func (b *Baseline) merge(now []byte, checked map[string]bool) error {
	var lists [2][]lint.BaselineEntry // when it was read, and now
	for i, text := range [][]byte{b.text, now} {
		if len(text) == 0 {
			continue // there was no file
		}
		read, err := lint.ReadBaseline(bytes.NewReader(text))
		if _, isOther := errors.AsType[*lint.BaselineVersionError](err); isOther {
			continue // it is written anew
		}
		if err != nil {
			return err
		}
		lists[i] = read.Entries()
	}
	isChecked := func(e lint.BaselineEntry) bool { return checked[e.Path] }
	of := func(list []lint.BaselineEntry) []lint.BaselineEntry {
		return slices.DeleteFunc(slices.Clone(list), func(e lint.BaselineEntry) bool { return !isChecked(e) })
	}
	mine, before, after := of(b.Entries()), of(lists[0]), of(lists[1])
	if !slices.Equal(after, before) && !slices.Equal(after, mine) {
		return errSameInput
	}
	b.Baseline, b.text = lint.NewBaseline(append(slices.DeleteFunc(lists[1], isChecked), mine...)), now
	return nil
}
