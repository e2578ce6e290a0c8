package config

import (
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/lmclint/lmclint/internal/base/gitignore"
	"github.com/lmclint/lmclint/internal/base/spelling"
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
	Options
	name    string // of the file, for messages
	file    string // its path, absolute
	dir     string // absolute: what globs are relative to
	config  *Config
	extends []*yaml.Node // the paths of the files that it extends
	values  int          // values that were read
	faults  Faults
	refused Faults // why nothing of the file is read, or nil

	isExtended bool // by another file, which may be from anywhere: nothing is shown of a file that is no configuration
	isOther    bool // it is extended, and no configuration
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
	if root := resolved(all.Content[0]); d.isExtended && root.ShortTag() != "!!null" && !d.hasKey(root) {
		d.isOther = true
		return
	}
	var more yaml.Node
	if err := decoder.Decode(&more); err == nil {
		d.faults.add(d.at(&more), "unexpected second YAML document")
	}
	if root := resolved(all.Content[0]); root.ShortTag() != "!!null" {
		d.document(root)
	}
	if d.refused != nil {
		d.config, d.extends, d.faults = &Config{Values: map[string]Value{}}, nil, d.refused
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
	if d.isExtended {
		message = "the file is extended, so no part of it is shown"
	}
	d.faults.add(at, "invalid YAML: %s", strings.ReplaceAll(message, "\n", "; "))
}

// hasKey reports whether a node is a mapping with a key of configurations.
func (d *decoding) hasKey(root *yaml.Node) bool {
	known := d.keys(&lint.Layer{})
	for i := 0; root.Kind == yaml.MappingNode && i < len(root.Content); i += 2 {
		if known[root.Content[i].Value] != nil {
			return true
		}
	}
	return false
}

// document reads the mapping of a file.
func (d *decoding) document(root *yaml.Node) {
	layer := lint.Layer{}
	d.members("", root, d.keys(&layer))
	d.config.layers = append(d.config.layers, layer)
}

// keys returns the keys of a file.
func (d *decoding) keys(layer *lint.Layer) members {
	keys := d.ruleKeys(layer)
	keys["select"] = d.selectors(&layer.Select)
	keys["extend-select"] = d.selectors(&layer.ExtendSelect)
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
	d.addValueKeys(keys, d.config.Values, true)
	return keys
}

// ruleKeys returns the keys about rules that a file and an override have.
func (d *decoding) ruleKeys(layer *lint.Layer) members {
	severity := readWord("off", "note", "warning", "error")
	return members{
		"ignore": d.selectors(&layer.Ignore),
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

// addValueKeys adds [ValueKeys], all or those that overrides may have.
func (d *decoding) addValueKeys(keys members, to map[string]Value, all bool) {
	for _, k := range ValueKeys() {
		if all || k.inOverrides {
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
	d.addValueKeys(keys, o.Values, false)
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

// selectors returns what reads a list of rules.
func (d *decoding) selectors(to *[]lint.Selector) func(string, *yaml.Node) {
	return func(key string, n *yaml.Node) {
		for _, element := range d.list(key, n, "a list of rules") {
			if !isText(element) {
				d.wrong(key, element, "a rule")
				continue
			}
			*to = append(*to, d.selector(element))
		}
	}
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
