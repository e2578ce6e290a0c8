package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/lmclint/lmclint/config"
	"github.com/lmclint/lmclint/internal/dev/generated"
)

const configDocs = "../../docs/configuration.md"

// property is a part of the schema of configurations, as the documents show it.
type property struct {
	Ref         string            `json:"$ref"`
	Title       string            `json:"title"`
	Description string            `json:"description"`
	Type        string            `json:"type"`
	Enum        []string          `json:"enum"`
	Default     json.RawMessage   `json:"default"`
	Examples    []json.RawMessage `json:"examples"`
	Properties  orderedProperties `json:"properties"`
}

type namedProperty struct {
	name string
	property
}

// orderedProperties keeps the order of the schema.
type orderedProperties []namedProperty

func (o *orderedProperties) UnmarshalJSON(text []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if _, err := decoder.Token(); err != nil {
		return err
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return err
		}
		p := namedProperty{name: name.(string)}
		if err := decoder.Decode(&p.property); err != nil {
			return err
		}
		*o = append(*o, p)
	}
	return nil
}

type schemaDocument struct {
	property
	Defs map[string]property `json:"$defs"`
}

// resolved is a property with what it refers to.
func (d *schemaDocument) resolved(p property) property {
	target, ok := d.Defs[strings.TrimPrefix(p.Ref, "#/$defs/")]
	if !ok {
		return p
	}
	if p.Title == "" {
		p.Title = target.Title
	}
	if p.Type == "" {
		p.Type, p.Enum = target.Type, target.Enum
	}
	return p
}

// kind says for people what a value is.
func (p *property) kind() string {
	switch {
	case len(p.Enum) > 0:
		return "one of " + strings.Join(p.Enum, ", ")
	case p.Title != "":
		return p.Title
	case p.Type == "boolean":
		return "true or false"
	case p.Type == "integer":
		return "a whole number"
	case p.Type == "array":
		return "a list"
	case p.Type == "object":
		return "a mapping"
	}
	return "a string"
}

// The keys and the starter file in docs/configuration.md match the schema of
// configurations. The name of the test sorts after TestGeneratedConfigSchema,
// which refreshes that schema.
func TestGeneratedConfigurationDocs(t *testing.T) {
	published, err := os.ReadFile(configSchemaFile) // as it may just have been refreshed
	require.NoError(t, err)
	var document schemaDocument
	require.NoError(t, json.Unmarshal(published, &document))
	generated.Section(t, configDocs, "<!-- keys:begin -->\n", "<!-- keys:end -->", document.keys(t))
	generated.Section(t, configDocs, "<!-- starter:begin -->\n", "<!-- starter:end -->", "```yaml\n"+config.Starter()+"```\n")
}

func (d *schemaDocument) keys(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, p := range d.Properties {
		full := d.resolved(p.property)
		fmt.Fprintf(&b, "### `%s`\n\n%s\n\nValue: %s.", p.name, p.Description, full.kind())
		if len(p.Default) > 0 {
			fmt.Fprintf(&b, " Default: `%s`.", strings.Trim(string(p.Default), `"`))
		}
		b.WriteString("\n")
		switch p.name {
		case "overrides":
			b.WriteString("\n" + d.table("override"))
		case "dialects":
			b.WriteString("\n" + d.table("dialect") + "\nKeys of a type:\n\n" + d.table("type"))
		}
		if len(p.Examples) > 0 {
			b.WriteString("\n```yaml\n")
			for i, example := range p.Examples {
				if i > 0 {
					b.WriteString("# or\n")
				}
				b.WriteString(asYAML(t, p.name, example))
			}
			b.WriteString("```\n")
		}
		b.WriteString("\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func (d *schemaDocument) table(name string) string {
	var b strings.Builder
	b.WriteString("| key | value | |\n| --- | --- | --- |\n")
	for _, p := range d.Defs[name].Properties {
		full := d.resolved(p.property)
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", p.name, full.kind(), p.Description)
	}
	return b.String()
}

// asYAML writes a key and its value in the style of a hand-written file.
func asYAML(t *testing.T, key string, value json.RawMessage) string {
	t.Helper()
	var node yaml.Node
	require.NoError(t, yaml.Unmarshal(value, &node))
	plainStyle(&node)
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	require.NoError(t, encoder.Encode(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{
		{Kind: yaml.ScalarNode, Value: key}, node.Content[0],
	}}))
	return b.String()
}

// plainStyle takes the quotes and braces of JSON away where they are not
// needed. Lists of words stay on one line.
func plainStyle(n *yaml.Node) {
	if n.Kind != yaml.SequenceNode || len(n.Content) > 0 && n.Content[0].Kind != yaml.ScalarNode {
		n.Style = 0
	}
	for _, child := range n.Content {
		plainStyle(child)
	}
}

// Every configuration that the documents show is right.
func TestConfigDocsAreRight(t *testing.T) {
	of := regexp.MustCompile(`\.pre-commit|uses:|repos:|script:`) // other programs
	checked := 0
	for _, file := range manuals(t) {
		for _, block := range fencedBlocks(t, file, "yaml", "yml") {
			if !of.MatchString(block) {
				checkConfig(t, block)
				checked++
			}
		}
	}
	assert.Greater(t, checked, 5)
}

// checkConfig checks each of the configurations of a block. What they name need
// not be there.
func checkConfig(t *testing.T, block string) {
	t.Helper()
	for part := range strings.SplitSeq(block, "# or\n") {
		path := t.TempDir() + "/c.yaml"
		require.NoError(t, os.WriteFile(path, []byte(part), 0o600))
		_, err := config.Load(path, config.Options{})
		if err != nil && !strings.HasPrefix(part, "extends:") {
			require.NoError(t, err, part)
		}
		if err != nil {
			assert.Equal(t, strings.Count(err.Error(), "\n")+1, strings.Count(err.Error(), "no such file or directory"), err)
		}
	}
}
