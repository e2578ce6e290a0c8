package config

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// Limits of one file, far above what is written by hand.
const (
	maxFile   = 1 << 20 // bytes
	maxValues = 100_000 // values, with those of an alias each time
	maxDepth  = 64      // nested lists and maps
)

// document is a parsed file: values with their places.
type document struct {
	name   string // of the file, for messages
	root   *yaml.Node
	count  int
	faults Faults
}

// parse parses YAML. An empty file is an empty configuration.
func parse(name string, text []byte) (*document, any, error) {
	d := &document{name: name}
	if len(text) > maxFile {
		d.faults.add(Origin{File: name}, "larger than %d bytes", maxFile)
		return nil, nil, d.faults.Err()
	}
	var all yaml.Node
	decoder := yaml.NewDecoder(strings.NewReader(string(text)))
	err := decoder.Decode(&all)
	if err != nil && !errors.Is(err, io.EOF) {
		d.syntax(err)
		return nil, nil, d.faults.Err()
	}
	if err == nil {
		var more yaml.Node
		if err := decoder.Decode(&more); err == nil {
			d.faults.add(d.at(&more), "unexpected second YAML document")
		}
		d.root = all.Content[0]
	}
	if d.root == nil || d.root.Kind == yaml.ScalarNode && d.root.Tag == "!!null" {
		d.root = &yaml.Node{Kind: yaml.MappingNode, Line: 1, Column: 1}
	}
	value := d.value(d.root, 0)
	return d, value, d.faults.Err()
}

var yamlLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^line (\d+): `)
})

// syntax reports an error of the YAML parser at its line.
func (d *document) syntax(err error) {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	at := Origin{File: d.name, Line: 1, Column: 1} // the parser omits the number of the first line
	if found := yamlLine().FindStringSubmatch(message); found != nil {
		at.Line, _ = strconv.Atoi(found[1])
		message = message[len(found[0]):]
	}
	if strings.Contains(message, "cannot start any token") { // a tab, @, ` or %
		message += "; indent with spaces, and quote text that starts with a special character"
	}
	d.faults.add(at, "invalid YAML: %s", strings.ReplaceAll(message, "\n", "; "))
}

func (d *document) at(n *yaml.Node) Origin {
	return Origin{File: d.name, Line: n.Line, Column: n.Column}
}

// value converts a node to the value that encoding/json would decode.
func (d *document) value(n *yaml.Node, depth int) any {
	d.count++
	switch {
	case d.count > maxValues:
		if d.count == maxValues+1 {
			d.faults.add(d.at(n), "more than %d values", maxValues)
		}
		return nil
	case depth > maxDepth:
		d.faults.add(d.at(n), "nested more than %d levels deep", maxDepth)
		return nil
	}
	switch n.Kind {
	case yaml.AliasNode:
		return d.value(n.Alias, depth+1)
	case yaml.MappingNode:
		return d.object(n, depth)
	case yaml.SequenceNode:
		list := []any{}
		for _, element := range n.Content {
			list = append(list, d.value(element, depth+1))
		}
		return list
	}
	return d.scalar(n)
}

func (d *document) object(n *yaml.Node, depth int) any {
	members := map[string]any{}
	first := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode {
			d.faults.add(d.at(key), "key is not a string")
			continue
		}
		if before := first[key.Value]; before != nil {
			d.faults.add(d.at(key), "duplicate key %q, first in line %d", key.Value, before.Line)
			continue
		}
		first[key.Value] = key
		members[key.Value] = d.value(n.Content[i+1], depth+1)
	}
	return members
}

// scalar converts a scalar to a JSON value. A number keeps its digits.
func (d *document) scalar(n *yaml.Node) any {
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		return n.Value == "true" || n.Value == "True" || n.Value == "TRUE"
	case "!!int", "!!float":
		var number any
		if err := n.Decode(&number); err != nil {
			break
		}
		if text, err := json.Marshal(number); err == nil {
			return json.Number(text)
		}
	}
	return n.Value
}

// find returns the node at a path, or its key. Without one it returns the
// last node on the way.
func (d *document) find(path []string, key bool) *yaml.Node {
	n := resolved(d.root)
	for i, name := range path {
		next := n
		switch n.Kind {
		case yaml.MappingNode:
			for j := 0; j+1 < len(n.Content); j += 2 {
				if n.Content[j].Value != name {
					continue
				}
				if key && i == len(path)-1 {
					return n.Content[j]
				}
				next = n.Content[j+1]
				break
			}
		case yaml.SequenceNode:
			if j, err := strconv.Atoi(name); err == nil && j >= 0 && j < len(n.Content) {
				next = n.Content[j]
			}
		}
		n = resolved(next)
	}
	return n
}

// resolved follows aliases.
func resolved(n *yaml.Node) *yaml.Node {
	for depth := 0; n.Kind == yaml.AliasNode && depth < maxDepth; depth++ {
		n = n.Alias
	}
	return n
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

var writtenOrigin = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(.*):(\d+):(\d+)$`)
})

// originOf parses the result of Origin.String.
func originOf(text string) Origin {
	found := writtenOrigin().FindStringSubmatch(text)
	if found == nil {
		return Origin{File: text}
	}
	line, _ := strconv.Atoi(found[2])
	column, _ := strconv.Atoi(found[3])
	return Origin{found[1], line, column}
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
