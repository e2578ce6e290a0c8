package validate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lmclint/lmclint/internal/source/value"
	"github.com/lmclint/lmclint/internal/spelling"
	"github.com/lmclint/lmclint/schema"
)

// ConfigProblem is one thing that is wrong with a configuration.
type ConfigProblem struct {
	Path    []string // names of members and indexes of elements, from the root
	AtKey   bool     // the key at Path is wrong, not its value
	Message string   // one line without a final period
	NoRule  bool     // a string has the form of a rule selector and matches no rule

	missing, meant string // the key that is missing, or that an unknown key was meant to be
}

// ConfigChecker validates configurations by their published schema. It is safe
// for concurrent use.
type ConfigChecker struct{ schema *document }

// NewConfigChecker returns a checker, which compiles the schema when it is first
// used.
func NewConfigChecker() *ConfigChecker {
	return &ConfigChecker{newDocument(func() ([]byte, error) { return schema.Config(), nil })}
}

// Check returns what is wrong with a configuration, sorted by path. The
// configuration is a value as encoding/json decodes it.
func (c *ConfigChecker) Check(configuration any) ([]ConfigProblem, error) {
	leaves, err := c.schema.validate("", configuration)
	if err != nil {
		return nil, err
	}
	var problems []ConfigProblem
	for i := range leaves {
		problems = append(problems, leaves[i].problems(configuration)...)
	}
	problems = withoutMeantKeys(problems)
	slices.SortStableFunc(problems, func(a, b ConfigProblem) int { return slices.Compare(a.Path, b.Path) })
	return problems, nil
}

// withoutMeantKeys removes the missing keys that are misspelled.
func withoutMeantKeys(problems []ConfigProblem) []ConfigProblem {
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

// problems describes a leaf.
func (l *leaf) problems(configuration any) []ConfigProblem {
	v := lookup(configuration, l.at)
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
		Path: l.at, AtKey: l.ofName, Message: l.message(v),
		NoRule: isWord && l.keyword == "anyOf" && len(l.enumerated()) > 0,
	}}
}

func (l *leaf) unknownKeys(v any) (problems []ConfigProblem) {
	known := l.properties
	members, _ := v.(map[string]any)
	for _, name := range sortedNames(members) {
		if slices.Contains(known, name) {
			continue
		}
		message := "unknown key " + value.Quoted(name)
		nearest, ok := spelling.Nearest(name, known)
		if ok {
			message += "; did you mean " + nearest + "?"
		} else {
			message += "; known keys: " + strings.Join(known, ", ")
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
			problems = append(problems, ConfigProblem{Path: l.at, Message: "missing key " + name, missing: name})
		}
	}
	return problems
}

// message says what a value is and what was expected.
func (l *leaf) message(v any) string {
	found := describeValue(v)
	known := l.enumerated()
	title, _ := lookup(l.scope, []string{"title"}).(string)
	word, isWord := v.(string)
	switch {
	case l.keyword == "anyOf" && len(known) > 0 && isWord:
		return "unknown " + strings.TrimPrefix(title, "a ") + " " + value.Quoted(word) + spelling.DidYouMean(word, known)
	case len(known) > 0 && l.keyword == "enum":
		return found + ", expected " + spelling.AnyOf(known) + spelling.DidYouMean(word, known)
	case l.keyword == "minimum", l.keyword == "minLength", l.keyword == "minItems":
		return found + ", expected at least " + scalar(l.wanted) + map[string]string{"minLength": " character", "minItems": " element"}[l.keyword]
	case l.keyword == "maxLength":
		return found + ", expected at most " + scalar(l.wanted) + " characters"
	case title != "" && l.wanted != "object":
		return found + ", expected " + title
	}
	return found + ", expected " + typeWords(l.wanted)
}

// enumerated returns the strings of the leaf's enum, or of the enum in one of
// its branches.
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

// typeWords describes the value of the keyword type in the terms of YAML.
func typeWords(wanted any) string {
	switch wanted {
	case "object":
		return "a mapping"
	case "array":
		return "a list"
	case "boolean":
		return "true or false"
	case "integer":
		return "an integer"
	case "string":
		return "a string"
	}
	return scalar(wanted)
}

// describeValue describes a value in the terms of YAML.
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
		return "a mapping"
	}
	return fmt.Sprint(v)
}

// scalar formats a value as JSON, without escaping <, > and &.
func scalar(value any) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return "null" // not reached: schemas are JSON
	}
	return strings.TrimSpace(text.String())
}
