package config

import (
	"errors"
	"io"
	"maps"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/lmclint/lmclint/internal/gitignore"
	"github.com/lmclint/lmclint/internal/source/value"
	"github.com/lmclint/lmclint/internal/spelling"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

// Limits of one file, far above what is written by hand.
const (
	maxFile   = 1 << 20 // bytes
	maxValues = 100_000 // values, with those of an alias each time
	maxWord   = 64      // characters of a term of a dialect
)

// decoding reads a configuration from the YAML nodes of one file. It reports what is
// wrong with a value and leaves the value out. schema/config.schema.json describes the
// same keys for editors; a test compares the two.
type decoding struct {
	*loader
	name    string // of the file, for messages
	dir     string // absolute: what globs and paths are relative to
	config  *Config
	extends []*yaml.Node // the paths of the files that it extends
	values  int          // values that were read
	faults  Faults
}

// read reads a file. An empty one is an empty configuration.
func (d *decoding) read(text []byte) {
	if len(text) > maxFile {
		d.faults.add(Origin{File: d.name}, "larger than %d bytes", maxFile)
		return
	}
	var all yaml.Node
	decoder := yaml.NewDecoder(strings.NewReader(string(text)))
	err := decoder.Decode(&all)
	switch {
	case errors.Is(err, io.EOF):
		return
	case err != nil:
		d.syntax(err)
		return
	}
	var more yaml.Node
	if err := decoder.Decode(&more); err == nil {
		d.faults.add(d.at(&more), "unexpected second YAML document")
	}
	if root := resolved(all.Content[0]); root.ShortTag() != "!!null" && !d.refuses(root) {
		d.document(root)
	}
}

// syntax reports an error of the YAML parser at its line.
func (d *decoding) syntax(err error) {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	at := Origin{File: d.name, Line: 1, Column: 1} // the parser omits the number of the first line
	if found := regexp.MustCompile(`^line (\d+): `).FindStringSubmatch(message); found != nil {
		at.Line, _ = strconv.Atoi(found[1])
		message = message[len(found[0]):]
	}
	if strings.Contains(message, "cannot start any token") { // a tab, @, ` or %
		message += "; indent with spaces, and quote text that starts with a special character"
	}
	d.faults.add(at, "invalid YAML: %s", strings.ReplaceAll(message, "\n", "; "))
}

// document reads the mapping of a file.
func (d *decoding) document(root *yaml.Node) {
	layer := lint.Layer{}
	keys := d.ruleKeys(&layer)
	keys["select"] = func(key string, n *yaml.Node) { layer.Select = d.selectors(key, n) }
	keys["extend-select"] = func(key string, n *yaml.Node) { layer.ExtendSelect = d.selectors(key, n) }
	keys["exclude"] = func(key string, n *yaml.Node) { d.config.Exclude = append(d.config.Exclude, d.scope(key, n)) }
	keys["extends"] = func(key string, n *yaml.Node) {
		const expected = "the path of a file, or a list of them"
		d.extends = []*yaml.Node{n}
		if n.Kind == yaml.SequenceNode {
			d.extends = d.list(key, n, expected)
		}
		d.extends = slices.DeleteFunc(d.extends, func(n *yaml.Node) bool { return d.text(key, n, expected) == "" })
	}
	keys["overrides"] = func(key string, n *yaml.Node) {
		for _, element := range d.list(key, n, "a list") {
			d.override(key, element)
		}
	}
	keys["dialects"] = func(key string, n *yaml.Node) { d.mapping(key, n, d.dialect) }
	d.addValueKeys(keys, d.config.Values, func(valueKey) bool { return true })
	d.members("", root, keys)
	d.config.layers = append(d.config.layers, layer)
}

// ruleKeys returns the keys about rules that a file and an override have.
func (d *decoding) ruleKeys(layer *lint.Layer) members {
	severity := readWord("off", "note", "warning", "error")
	return members{
		"ignore": func(key string, n *yaml.Node) { layer.Ignore = d.selectors(key, n) },
		"severity": func(key string, n *yaml.Node) {
			d.mapping(key, n, func(rule, n *yaml.Node) {
				level := lint.SeverityOverride{Selector: d.selector(rule)}
				if word, _ := severity(d, rule.Value, n).(string); word != "off" {
					level.Severity, _ = lint.ParseSeverity(word)
				}
				layer.Levels = append(layer.Levels, level)
			})
		},
	}
}

// addValueKeys adds some of [ValueKeys].
func (d *decoding) addValueKeys(keys members, to map[string]Value, some func(valueKey) bool) {
	for _, k := range valueKeys() {
		if some(k) {
			keys[k.Name] = func(key string, n *yaml.Node) {
				if v := k.read(d, key, n); v != nil {
					to[key] = Value{Value: v, Origin: d.at(n)}
				}
			}
		}
	}
}

func (d *decoding) override(key string, n *yaml.Node) {
	o := Override{Origin: d.at(n), Values: map[string]Value{}}
	keys := d.ruleKeys(&o.layer)
	keys["reason"] = func(key string, n *yaml.Node) { o.Reason = d.text(key, n, "a string") }
	keys["paths"] = func(key string, n *yaml.Node) {
		if o.Scope = d.scope(key, n); n.Kind == yaml.SequenceNode && len(n.Content) == 0 {
			d.wrong(key, n, "at least 1 element")
		}
	}
	d.addValueKeys(keys, o.Values, func(k valueKey) bool { return k.inOverrides })
	d.members(key, n, keys, "paths")
	d.config.Overrides = append(d.config.Overrides, o)
}

// Dialect is a dialect that a configuration adds or extends.
type Dialect struct {
	Origin
	schema.Extension
}

const (
	namePattern     = `^[a-z0-9][a-z0-9.-]*$`
	typeNamePattern = `^[A-Za-z][A-Za-z0-9_-]*$`
)

func (d *decoding) dialect(name, n *yaml.Node) {
	if !d.matches(name, namePattern, "a name of small letters, digits, - and .") {
		return
	}
	e := Dialect{Origin: d.at(name)}
	e.Name = name.Value
	d.members(name.Value, n, members{
		"extends": func(key string, n *yaml.Node) { e.Extends, _ = readDialect(d, key, n).(string) },
		"roles":   d.words(&e.Roles),
		"keys":    d.words(&e.Keys),
		"languages": func(key string, n *yaml.Node) {
			for _, element := range d.list(key, n, "a list of languages") {
				e.Languages = append(e.Languages, d.language(key, element))
			}
		},
		"types": func(key string, n *yaml.Node) {
			d.mapping(key, n, func(name, n *yaml.Node) {
				if d.matches(name, typeNamePattern, "a name of letters, digits, - and _") {
					e.Types = append(e.Types, d.typeOf(name.Value, n))
				}
			})
		},
	})
	d.config.Dialects = append(d.config.Dialects, e)
}

func (d *decoding) language(key string, n *yaml.Node) (l schema.Language) {
	if n.Kind != yaml.MappingNode {
		l.Name = d.word(key, n, "a language: its name, or its name and aliases")
		return l
	}
	d.members(key, n, members{
		"name":    func(key string, n *yaml.Node) { l.Name = d.word(key, n, "a string") },
		"aliases": d.words(&l.Aliases),
	}, "name")
	return l
}

func (d *decoding) typeOf(name string, n *yaml.Node) schema.ExtensionType {
	t := schema.ExtensionType{Name: name, Transcript: true, Stream: true}
	d.members(name, n, members{
		"summary":         func(key string, n *yaml.Node) { t.Summary = d.text(key, n, "a string") },
		"formats":         d.words(&t.Formats),
		"roles":           d.words(&t.Roles),
		"format-optional": func(key string, n *yaml.Node) { t.FormatOptional = readBool(d, key, n) == true },
		"transcript":      func(key string, n *yaml.Node) { t.Transcript = readBool(d, key, n) == true },
		"stream":          func(key string, n *yaml.Node) { t.Stream = readBool(d, key, n) == true },
	})
	return t
}

// selectors reads a list of rules.
func (d *decoding) selectors(key string, n *yaml.Node) []lint.Selector {
	var selectors []lint.Selector
	for _, element := range d.list(key, n, "a list of rules") {
		if !isText(element) {
			d.wrong(key, element, "a rule")
			continue
		}
		selectors = append(selectors, d.selector(element))
	}
	return selectors
}

func (d *decoding) selector(n *yaml.Node) lint.Selector {
	if len(d.Rules.Select(n.Value)) == 0 {
		d.faults.add(d.at(n), "unknown rule %q%s", n.Value, spelling.DidYouMean(n.Value, d.Rules.Words()))
	}
	return lint.Selector{Text: n.Value, Origin: d.at(n).String()}
}

// scope reads a list of globs.
func (d *decoding) scope(key string, n *yaml.Node) Scope {
	s := Scope{Dir: d.dir}
	for _, element := range d.list(key, n, "a list of globs") {
		glob := d.text(key, element, "a string")
		if glob == "" {
			continue
		}
		p, err := gitignore.ParseGlob(glob, d.at(element).String())
		if err != nil {
			d.faults.add(d.at(element), "invalid glob: %q", glob)
			continue
		}
		s.Patterns = append(s.Patterns, p)
	}
	return s
}

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
	var number any
	if err := n.Decode(&number); err != nil {
		number = nil
	}
	if f, ok := number.(float64); ok && f == math.Trunc(f) && math.Abs(f) < 1<<53 { // such as 1e6
		number = int(f)
	}
	switch number, ok := number.(int); {
	case !ok:
		d.wrong(key, n, "an integer")
		return nil
	case number < 1:
		d.wrong(key, n, "at least 1")
		return nil
	default:
		return int64(number)
	}
}

func readPath(d *decoding, key string, n *yaml.Node) any {
	path := d.text(key, n, "a string")
	switch {
	case path == "":
		return nil
	case filepath.IsAbs(path):
		return path
	}
	return filepath.Join(d.dir, path)
}

func readDialect(d *decoding, key string, n *yaml.Node) any {
	if !isText(n) || !regexp.MustCompile(namePattern).MatchString(n.Value) {
		d.wrong(key, n, "the name of a dialect")
		return nil
	}
	return n.Value
}

// readVersion reads conditions, which were checked before: 0.10 is not the number 0.1.
func readVersion(_ *decoding, _ string, n *yaml.Node) any { return n.Value }

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
