package validate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/lmclint/lmclint/internal/source/value"

	"github.com/lmclint/lmclint/internal/spelling"
	"github.com/lmclint/lmclint/schema"
)

// ConfigProblem is one thing that is wrong with a configuration.
type ConfigProblem struct {
	Path    []string // names of members and numbers of elements, from the root
	AtKey   bool     // the key at Path is wrong, and not its value
	Message string   // one line, no full stop
	NoRule  bool     // a word names no rule, and has the shape of one

	missing, meant string // the key that is missing, or that an unknown one meant
}

// ConfigChecker judges configurations by their published schema. It is safe
// for concurrent use.
type ConfigChecker struct {
	compiled func() *compiled
}

// NewConfigChecker makes a checker. It compiles the schema when it is used for
// the first time.
func NewConfigChecker() *ConfigChecker {
	return &ConfigChecker{sync.OnceValue(func() *compiled {
		return newCompiled(schema.Config)
	})}
}

// Check returns what is wrong with a configuration, sorted by path. It is a
// value as encoding/json makes them.
func (c *ConfigChecker) Check(document any) ([]ConfigProblem, error) {
	failed, err := c.compiled().validate("", document)
	if err != nil || failed == nil {
		return nil, err
	}
	leaves, err := c.compiled().leaves(failed)
	if err != nil {
		return nil, err
	}
	var problems []ConfigProblem
	for i := range leaves {
		problems = append(problems, leaves[i].problems(document)...)
	}
	problems = meantKeys(problems)
	slices.SortStableFunc(problems, func(a, b ConfigProblem) int { return slices.Compare(a.Path, b.Path) })
	return problems, nil
}

// meantKeys leaves out the keys that are missing because they are misspelled.
func meantKeys(problems []ConfigProblem) []ConfigProblem {
	meant := map[string]bool{}
	place := func(path []string, key string) string { return strings.Join(append(slices.Clip(path), key), "\x00") }
	for _, p := range problems {
		if p.meant != "" {
			meant[place(p.Path[:len(p.Path)-1], p.meant)] = true
		}
	}
	return slices.DeleteFunc(problems, func(p ConfigProblem) bool {
		return p.missing != "" && meant[place(p.Path, p.missing)]
	})
}

// problems says for people what a leaf of a configuration is about.
func (l *leaf) problems(document any) []ConfigProblem {
	v := lookup(document, l.at)
	switch l.keyword {
	case "additionalProperties":
		return l.unknownKeys(v)
	case "required":
		return l.missingKeys(v)
	}
	if l.ofName {
		v = l.at[len(l.at)-1]
	}
	_, isWord := v.(string)
	return []ConfigProblem{{
		Path: l.at, AtKey: l.ofName, Message: l.complaint(v),
		NoRule: isWord && l.keyword == "anyOf" && len(l.enumerated()) > 0,
	}}
}

func (l *leaf) unknownKeys(v any) (problems []ConfigProblem) {
	properties, _ := lookup(l.scope, []string{"properties"}).(map[string]any)
	known := sortedNames(properties)
	members, _ := v.(map[string]any)
	for _, name := range sortedNames(members) {
		if _, ok := properties[name]; ok {
			continue
		}
		message := "unknown key " + value.Quoted(name)
		nearest, ok := spelling.Nearest(name, known)
		if ok {
			message += "; did you mean " + nearest + "?"
		} else {
			message += "; known are " + strings.Join(known, ", ")
		}
		problems = append(problems, ConfigProblem{
			Path: append(slices.Clip(l.at), name), AtKey: true, Message: message, meant: nearest,
		})
	}
	return problems
}

func (l *leaf) missingKeys(v any) (problems []ConfigProblem) {
	members, _ := v.(map[string]any)
	for _, name := range l.names() {
		if _, ok := members[name]; !ok {
			problems = append(problems, ConfigProblem{Path: l.at, Message: "the key " + name + " is missing", missing: name})
		}
	}
	return problems
}

// complaint says what a value is and what was expected.
func (l *leaf) complaint(v any) string {
	found := describeValue(v)
	known := l.enumerated()
	title, _ := lookup(l.scope, []string{"title"}).(string)
	word, isWord := v.(string)
	switch {
	case l.keyword == "anyOf" && len(known) > 0 && isWord:
		return "unknown " + strings.TrimPrefix(title, "a ") + " " + value.Quoted(word) + spelling.DidYouMean(word, known)
	case len(known) > 0 && l.keyword == "enum":
		return found + ", want " + spelling.AnyOf(known) + spelling.DidYouMean(word, known)
	case l.keyword == "minimum", l.keyword == "minLength", l.keyword == "minItems":
		return found + ", want at least " + scalar(l.wanted) + map[string]string{"minLength": " character", "minItems": " element"}[l.keyword]
	case l.keyword == "maxLength":
		return found + ", want at most " + scalar(l.wanted) + " characters"
	case title != "" && l.wanted != "object":
		return found + ", want " + title
	}
	return found + ", want " + typeWords(l.wanted)
}

// enumerated returns the words of the leaf's enum, or of one among its
// branches.
func (l *leaf) enumerated() []string {
	if l.keyword == "enum" {
		return l.names()
	}
	branches, _ := l.wanted.([]any)
	for _, branch := range branches {
		if words, ok := lookup(branch, []string{"enum"}).([]any); ok {
			list := leaf{wanted: words}
			return list.names()
		}
	}
	return nil
}

// typeWords says what the keyword type asks for, in the words of YAML.
func typeWords(wanted any) string {
	switch wanted {
	case "object":
		return "keys and values"
	case "array":
		return "a list"
	case "boolean":
		return "true or false"
	case "integer":
		return "a whole number"
	case "string":
		return "a text"
	}
	return scalar(wanted)
}

// describeValue calls a value for people, in the words of YAML.
func describeValue(v any) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case string:
		return value.Quoted(v)
	case bool:
		return strconv.FormatBool(v)
	case []any:
		return "a list"
	case map[string]any:
		return "keys and values"
	}
	return fmt.Sprint(v)
}

func sortedNames(members map[string]any) []string {
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// scalar writes a string, number, boolean or null as JSON, with <, > and & as
// they are.
func scalar(value any) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return "null" // no schema holds a value that JSON cannot write
	}
	return strings.TrimSpace(text.String())
}
