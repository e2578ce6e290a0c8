package config

import (
	"go.yaml.in/yaml/v3"

	"github.com/lmclint/lmclint/schema"
)

// Dialect is what a configuration adds to a dialect.
type Dialect struct {
	Origin
	schema.Extension
}

func (d *decoding) dialect(name, n *yaml.Node) Dialect {
	e := Dialect{Origin: d.at(name)}
	e.Name = name.Value
	each(n, func(key, value *yaml.Node) {
		switch key.Value {
		case "extends":
			e.Extends = value.Value
		case "roles":
			e.Roles = words(value)
		case "keys":
			e.Keys = words(value)
		case "languages":
			for _, element := range value.Content {
				e.Languages = append(e.Languages, language(resolved(element)))
			}
		case "types":
			each(value, func(key, value *yaml.Node) { e.Types = append(e.Types, newType(key, value)) })
		}
	})
	return e
}

func language(n *yaml.Node) schema.Language {
	if n.Kind == yaml.ScalarNode {
		return schema.Language{Name: n.Value}
	}
	var l schema.Language
	each(n, func(key, value *yaml.Node) {
		switch key.Value {
		case "name":
			l.Name = value.Value
		case "aliases":
			l.Aliases = words(value)
		}
	})
	return l
}

func newType(name, n *yaml.Node) schema.ExtensionType {
	t := schema.ExtensionType{Name: name.Value, Transcript: true, Stream: true}
	each(n, func(key, value *yaml.Node) {
		truth := value.Value == "true"
		switch key.Value {
		case "summary":
			t.Summary = value.Value
		case "formats":
			t.Formats = words(value)
		case "format-optional":
			t.FormatOptional = truth
		case "roles":
			t.Roles = words(value)
		case "transcript":
			t.Transcript = truth
		case "stream":
			t.Stream = truth
		}
	})
	return t
}
