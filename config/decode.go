package config

import (
	_ "embed"
	"encoding/json"
	"path/filepath"

	"go.yaml.in/yaml/v3"

	"github.com/lmclint/lmclint/internal/gitignore"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

// decoding converts a valid document to a configuration.
type decoding struct {
	*document
	dir string // absolute: what globs and paths are relative to
}

// each calls a function for each key of a map with its value, in order.
func each(n *yaml.Node, do func(key, value *yaml.Node)) {
	n = resolved(n)
	for i := 0; i+1 < len(n.Content); i += 2 {
		do(n.Content[i], resolved(n.Content[i+1]))
	}
}

// config adds the document to a configuration.
func (d *decoding) config(c *Config) {
	layer := lint.Layer{}
	each(d.root, func(key, value *yaml.Node) {
		switch key.Value {
		case "extends":
		case "exclude":
			c.Exclude = append(c.Exclude, d.scope(value))
		case "overrides":
			for _, element := range value.Content {
				c.Overrides = append(c.Overrides, d.override(resolved(element)))
			}
		case "dialects":
			each(value, func(key, value *yaml.Node) { c.Dialects = append(c.Dialects, d.dialect(key, value)) })
		default:
			if !d.rules(&layer, key, value) {
				c.Values[key.Value] = d.setting(key, value)
			}
		}
	})
	c.layers = append(c.layers, layer)
}

// rules adds a key about rules to a layer, and reports whether it is one.
func (d *decoding) rules(layer *lint.Layer, key, value *yaml.Node) bool {
	switch key.Value {
	case "select":
		layer.Select = d.selectors(value)
	case "extend-select":
		layer.ExtendSelect = d.selectors(value)
	case "ignore":
		layer.Ignore = d.selectors(value)
	case "severity":
		each(value, func(key, value *yaml.Node) {
			level := lint.SeverityOverride{Selector: d.selector(key)}
			if value.Value != "off" {
				level.Severity, _ = lint.ParseSeverity(value.Value)
			}
			layer.Levels = append(layer.Levels, level)
		})
	default:
		return false
	}
	return true
}

func (d *decoding) selectors(list *yaml.Node) []lint.Selector {
	var selectors []lint.Selector
	for _, element := range list.Content {
		selectors = append(selectors, d.selector(resolved(element)))
	}
	return selectors
}

func (d *decoding) selector(n *yaml.Node) lint.Selector {
	return lint.Selector{Text: n.Value, Origin: d.at(n).String()}
}

// setting reads a scalar. A path is made absolute.
func (d *decoding) setting(key, value *yaml.Node) Value {
	v := Value{Origin: d.at(value)}
	if key.Value == "required-version" { // 0.10 is not the number 0.1
		v.Value = value.Value
		return v
	}
	switch scalar := d.scalar(value).(type) {
	case json.Number:
		v.Value, _ = scalar.Int64()
	case string:
		v.Value = scalar
		if key.Value == "baseline" && !filepath.IsAbs(scalar) {
			v.Value = filepath.Join(d.dir, scalar)
		}
	default:
		v.Value = scalar
	}
	return v
}

func (d *decoding) scope(list *yaml.Node) Scope {
	s := Scope{Dir: d.dir}
	for _, element := range list.Content {
		element = resolved(element)
		p, err := gitignore.ParseGlob(element.Value, d.at(element).String())
		if err != nil {
			d.faults.add(d.at(element), "invalid glob: %q", element.Value)
			continue
		}
		s.Patterns = append(s.Patterns, p)
	}
	return s
}

func (d *decoding) override(n *yaml.Node) Override {
	o := Override{Origin: d.at(n), Values: map[string]Value{}}
	each(n, func(key, value *yaml.Node) {
		switch key.Value {
		case "paths":
			o.Scope = d.scope(value)
		case "reason":
			o.Reason = value.Value
		default:
			if !d.rules(&o.layer, key, value) {
				o.Values[key.Value] = d.setting(key, value)
			}
		}
	})
	return o
}

// Dialect is a dialect that a configuration adds or extends.
type Dialect struct {
	Origin
	schema.Extension
}

// The schema has made sure that each value is of the type that it is read as.

func (d *decoding) dialect(name, n *yaml.Node) Dialect {
	e := Dialect{Origin: d.at(name)}
	each(n, func(key, value *yaml.Node) {
		switch key.Value {
		case "extends":
			e.Extends = value.Value
		case "roles":
			_ = value.Decode(&e.Roles)
		case "keys":
			_ = value.Decode(&e.Keys)
		case "languages":
			for _, element := range value.Content {
				e.Languages = append(e.Languages, language(resolved(element)))
			}
		case "types":
			each(value, func(key, value *yaml.Node) {
				t := schema.ExtensionType{Transcript: true, Stream: true}
				_ = value.Decode(&t)
				t.Name = key.Value
				e.Types = append(e.Types, t)
			})
		}
	})
	e.Name = name.Value
	return e
}

func language(n *yaml.Node) (l schema.Language) {
	if n.Kind == yaml.ScalarNode {
		return schema.Language{Name: n.Value}
	}
	_ = n.Decode(&l)
	return l
}

// ValueKey is a key whose value is a word, a number, or true or false.
type ValueKey struct {
	Name    string
	Default any // nil: none
}

// ValueKeys returns those keys, in the order of the schema.
func ValueKeys() []ValueKey {
	return []ValueKey{
		{"required-version", nil},
		{"fail-on", "error"},
		{"dialect", "auto"},
		{"protocol", "auto"},
		{"kind", "auto"},
		{"form", "auto"},
		{"auto-run", false},
		{"partial", false},
		{"allow-empty", false},
		{"max-record-bytes", int64(source.DefaultMaxRecordBytes)},
		{"force-exclude", false},
		{"gitignore", true},
		{"baseline", nil},
	}
}

//go:embed starter.yaml
var starter string

// Starter returns a configuration to start from. All its keys are commented out.
func Starter() string { return starter }
