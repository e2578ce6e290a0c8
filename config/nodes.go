package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/Masterminds/semver/v3"
	"go.yaml.in/yaml/v3"

	"github.com/lmclint/lmclint/internal/base/spelling"
	"github.com/lmclint/lmclint/internal/source/value"
)

// What reads a YAML node of a kind, or reports that it is of another one.

// words returns what reads a list of words.
func (d *decoding) words(to *[]string) func(string, *yaml.Node) {
	return func(key string, n *yaml.Node) {
		for _, element := range d.list(key, n, "a list of words") {
			*to = append(*to, d.word(key, element, "a string"))
		}
	}
}

func (d *decoding) word(key string, n *yaml.Node, expected string) string {
	word := d.text(key, n, expected)
	if utf8.RuneCountInString(word) > maxWord {
		d.wrong(key, n, "at most "+strconv.Itoa(maxWord)+" characters")
	}
	return word
}

// text reads a string that is not empty. It returns "" for any other value.
func (d *decoding) text(key string, n *yaml.Node, expected string) string {
	switch {
	case !isText(n):
		d.wrong(key, n, expected)
		return ""
	case n.Value == "":
		d.wrong(key, n, "at least 1 character")
	}
	return n.Value
}

// matches reports whether a key has the form of a name.
func (d *decoding) matches(key *yaml.Node, pattern, expected string) bool {
	ok := regexp.MustCompile(pattern).MatchString(key.Value)
	if !ok {
		d.faults.add(d.at(key), "%s, expected %s", value.Quoted(key.Value), expected)
	}
	return ok
}

// members are what reads the value of each key of a mapping.
type members map[string]func(key string, n *yaml.Node)

// members reads a mapping whose keys are known, with all that are required.
func (d *decoding) members(at string, n *yaml.Node, known members, required ...string) {
	meant := map[string]bool{} // the keys that it has, also misspelled
	names := slices.Sorted(maps.Keys(known))
	isMapping := d.mapping(at, n, func(key, n *yaml.Node) {
		if read := known[key.Value]; read != nil {
			meant[key.Value] = true
			read(key.Value, n)
			return
		}
		hint := "; known keys: " + strings.Join(names, ", ")
		if nearest, ok := spelling.Nearest(key.Value, names); ok {
			meant[nearest] = true
			hint = "; did you mean " + nearest + "?"
		}
		d.faults.add(d.at(key), "unknown key %s%s", value.Quoted(key.Value), hint)
	})
	for _, name := range required {
		if isMapping && !meant[name] {
			d.faults.add(d.at(n), "%s: missing key %s", at, name)
		}
	}
}

// mapping reads each key of a mapping with its value. It returns false if there is none.
func (d *decoding) mapping(at string, n *yaml.Node, read func(key, n *yaml.Node)) bool {
	if n.Kind != yaml.MappingNode {
		d.wrong(at, n, "a mapping")
		return false
	}
	first := map[string]*yaml.Node{}
	content := d.within(n)
	for i := 0; i+1 < len(content); i += 2 {
		switch key := content[i]; {
		case key.Kind != yaml.ScalarNode:
			d.faults.add(d.at(key), "key is not a string")
		case first[key.Value] != nil:
			d.faults.add(d.at(key), "duplicate key %q, first in line %d", key.Value, first[key.Value].Line)
		default:
			first[key.Value] = key
			read(key, content[i+1])
		}
	}
	return true
}

// list returns the elements of a list.
func (d *decoding) list(key string, n *yaml.Node, expected string) []*yaml.Node {
	if n.Kind != yaml.SequenceNode {
		d.wrong(key, n, expected)
		return nil
	}
	return d.within(n)
}

// within returns the nodes in a list or a mapping. It returns none once too many were
// read: with aliases, a short file has any number of them.
func (d *decoding) within(n *yaml.Node) []*yaml.Node {
	before := d.values
	if d.values += len(n.Content); d.values > maxValues {
		if before <= maxValues {
			d.faults.add(d.at(n), "more than %d values", maxValues)
		}
		return nil
	}
	nodes := make([]*yaml.Node, len(n.Content))
	for i, each := range n.Content {
		nodes[i] = resolved(each)
	}
	return nodes
}

// resolved follows an alias.
func resolved(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

func (d *decoding) at(n *yaml.Node) Origin {
	return Origin{File: d.name, Line: n.Line, Column: n.Column}
}

// wrong reports a value, by its key and in the words of YAML.
func (d *decoding) wrong(key string, n *yaml.Node, expected string) {
	found := n.Value
	switch {
	case n.Kind == yaml.MappingNode:
		found = "a mapping"
	case n.Kind == yaml.SequenceNode:
		found = "a list"
	case n.ShortTag() == "!!null":
		found = "nothing"
	case isText(n):
		found = value.Quoted(n.Value)
	}
	if key != "" {
		key += ": "
	}
	d.faults.add(d.at(n), "%s%s, expected %s", key, found, expected)
}

// isText reports whether a node is a string, rather than a number, true, false or null.
func isText(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && !slices.Contains([]string{"!!null", "!!bool", "!!int", "!!float"}, n.ShortTag())
}

// readValue reads a value of [ValueKeys], nil if it is wrong.
type readValue func(d *decoding, key string, n *yaml.Node) any

func readBool(d *decoding, key string, n *yaml.Node) any {
	if n.ShortTag() != "!!bool" {
		d.wrong(key, n, "true or false")
		return nil
	}
	return strings.EqualFold(n.Value, "true")
}

func readBytes(d *decoding, key string, n *yaml.Node) any {
	var number float64 // such as 1e6
	isNumber := slices.Contains([]string{"!!int", "!!float"}, n.ShortTag()) && n.Decode(&number) == nil
	switch {
	case !isNumber || number != math.Trunc(number) || math.Abs(number) >= 1<<53:
		d.wrong(key, n, "an integer")
		return nil
	case number < 1:
		d.wrong(key, n, "at least 1")
		return nil
	}
	return int64(number)
}

func readPath(d *decoding, key string, n *yaml.Node) any {
	path := d.text(key, n, "a string")
	switch {
	case path == "":
		return nil
	case filepath.IsAbs(path):
		return path
	}
	dir := filepath.Dir(d.file)
	if info, err := os.Stat(d.file); err == nil && !info.Mode().IsRegular() {
		dir = d.dir // a pipe of a shell is in no directory of files
	}
	return filepath.Join(dir, path)
}

func readDialect(d *decoding, key string, n *yaml.Node) any {
	if !isText(n) || !regexp.MustCompile(namePattern).MatchString(n.Value) {
		d.wrong(key, n, "the name of a dialect")
		return nil
	}
	return n.Value
}

// readVersion reads the releases of lmclint that a file supports; 0.10 is not the number
// 0.1. With another release, nothing else of the file is read: what looks wrong may be right
// for that release.
func readVersion(d *decoding, key string, n *yaml.Node) any {
	constraint, err := semver.NewConstraint(n.Value)
	version, released := releaseOf(d.Version)
	switch {
	case n.Kind != yaml.ScalarNode:
		d.wrong(key, n, "conditions, with commas between them: >=, <, or the beginning of a version")
	case err != nil:
		d.faults.add(d.at(n), `%s: %q, expected conditions such as ">=0.2, <0.4"`, key, n.Value)
	case released && !constraint.Check(version):
		d.faults.add(d.at(n), "lmclint %s does not satisfy required-version %s", strings.TrimPrefix(d.Version, "v"), n.Value)
	default:
		return n.Value
	}
	d.refused = d.faults[len(d.faults)-1:]
	return nil
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

// readWord returns what reads one of some words.
func readWord(words ...string) readValue {
	return func(d *decoding, key string, n *yaml.Node) any {
		expected := spelling.AnyOf(words)
		switch {
		case isText(n) && slices.Contains(words, n.Value):
			return n.Value
		case isText(n):
			expected += spelling.DidYouMean(n.Value, words)
		}
		d.wrong(key, n, expected)
		return nil
	}
}

// Origin is the place of a value in a configuration.
type Origin struct {
	File         string // relative to the working directory, or a flag; "" for a default
	Line, Column int    // from 1; 0 for a flag
}

// String returns file:line:column.
func (o Origin) String() string {
	switch {
	case o.File == "":
		return "default"
	case o.Line == 0:
		return o.File
	}
	return fmt.Sprintf("%s:%d:%d", o.File, o.Line, o.Column)
}

// Fault is one error in a configuration.
type Fault struct { //nolint:errname // an error of the user, not of the program
	Origin
	Message string // one line without a final period
}

// Error implements the interface error.
func (f *Fault) Error() string { return f.String() + ": " + f.Message }

// Faults are the errors in a configuration, by place.
type Faults []*Fault //nolint:errname // as above

// Error has a line for each fault.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, fault := range f {
		lines[i] = fault.Error()
	}
	return strings.Join(lines, "\n")
}

// Add adds the faults of an error. It returns an error that is not of faults.
func (f *Faults) Add(err error) error {
	var more Faults
	if err == nil || !errors.As(err, &more) {
		return err
	}
	*f = append(*f, more...)
	return nil
}

// Err returns the faults as an error, by place; nil if there are none.
func (f Faults) Err() error {
	if len(f) == 0 {
		return nil
	}
	slices.SortStableFunc(f, func(a, b *Fault) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return f
}

func (f *Faults) add(at Origin, format string, values ...any) {
	*f = append(*f, &Fault{at, fmt.Sprintf(format, values...)})
}
