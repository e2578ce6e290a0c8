package validate

import (
	"math/big"
	"reflect"
	"regexp"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/lmclint/lmclint/schema"
)

// relevanceNode says what a verdict can depend on at one place of a value,
// besides the kind of the value there. At a nil node nothing else matters.
type relevanceNode struct {
	Opaque   bool             `json:"opaque,omitempty"`   // anything: such a value has no shape
	Exact    bool             `json:"exact,omitempty"`    // which number or boolean it is
	Texts    []string         `json:"texts,omitempty"`    // which of these a string is, if any
	Integer  bool             `json:"integer,omitempty"`  // whether a number is an integer
	Bounds   []int64          `json:"bounds,omitempty"`   // how a number compares with each of these
	Patterns []*regexp.Regexp `json:"patterns,omitempty"` // which of these a string matches

	Members map[string]*relevanceNode `json:"members,omitzero"` // the members of an object, if not nil
	Near    []string                  `json:"near,omitempty"`   // which of these any other key is nearest to; if nil, the key itself
	Items   *relevanceNode            `json:"items,omitempty"`  // the elements of an array, if not nil
}

// member returns the node of an object's member, and makes the object's keys
// matter.
func (l *relevanceNode) member(name string) *relevanceNode {
	if l.Members == nil {
		l.Members = map[string]*relevanceNode{}
	}
	if l.Members[name] == nil {
		l.Members[name] = &relevanceNode{}
	}
	return l.Members[name]
}

// relevanceOf returns what a verdict by a definition can depend on: what the
// schema looks at, and what the translation into violations looks at.
func (p *partValidator) relevanceOf(name string, t *schema.Type) *relevanceNode {
	known := p.dialect.KnownKeys(p.part)
	at := &relevanceNode{}
	p.analyze(at, name)
	at.compareKeys(slices.Concat(known, []string{"start", p.dialect.EndKey}), known)
	if name == defOther && p.part == schema.Chunk && p.dialect.ServerFrames {
		at.member("role").addText("user") // whose flags need no type
	}
	if t != nil && !t.AnyCode && p.part == schema.Chunk {
		for _, word := range flagWords() {
			at.member("format").addText(word) // explains that the flag is missing
		}
	}
	if t == nil || len(t.Formats) == 0 {
		return at
	}
	for i := range t.Formats {
		at.member("format").addText(t.Formats[i].Name) // decides what the content should be
	}
	if slices.ContainsFunc(t.Formats, func(f schema.Format) bool { return f.Content == schema.ContentConfirmation }) {
		content := at.member("content")
		p.analyze(content, defConfirmation)
		p.analyze(content, defLegacy)
		keys := confirmedKeys()
		if slices.ContainsFunc(t.Formats, func(f schema.Format) bool { return f.Content == schema.ContentEdit }) {
			p.analyze(content, defEdit)
			keys = append(keys, editKeys()...)
		}
		content.compareKeys(keys, keys)
	}
	return at
}

// compareKeys says that the translation looks up some keys, and needs to know
// of any other key only which known one it is nearest to.
func (l *relevanceNode) compareKeys(lookedUp, known []string) {
	for _, key := range lookedUp {
		l.member(key)
	}
	l.Near = known
}

func (p *partValidator) analyze(at *relevanceNode, name string) {
	definition, err := p.schemas.definition(name)
	if err != nil {
		at.Opaque = true
		return
	}
	analyze(at, definition)
}

// maxSubschemas is the number of subschemas that an analysis visits.
const maxSubschemas = 10_000

// analysis visits the subschemas of a compiled schema as jsonschema/v5 does.
type analysis struct {
	path  []*jsonschema.Schema // from the schema to the visited subschema
	count int
}

// analyze adds to a node what the verdict of a schema depends on there.
func analyze(at *relevanceNode, schema *jsonschema.Schema) { new(analysis).add(at, schema) }

func (a *analysis) add(at *relevanceNode, schema *jsonschema.Schema) {
	if schema == nil || at.Opaque {
		return
	}
	a.count++
	if a.count > maxSubschemas || slices.Contains(a.path, schema) || !isSupported(schema) {
		at.Opaque = true
		return
	}
	a.path = append(a.path, schema)
	at.addScalar(schema)
	a.addObject(at, schema)
	a.addInPlace(at, schema)
	a.addItems(at, schema)
	a.path = a.path[:len(a.path)-1]
}

// addScalar adds the keywords about strings, numbers, booleans and null.
func (l *relevanceNode) addScalar(schema *jsonschema.Schema) {
	l.Integer = l.Integer || slices.Contains(schema.Types, "integer")
	for _, value := range append(slices.Clip(schema.Enum), schema.Constant...) {
		switch value := value.(type) {
		case string:
			l.addText(value)
		case map[string]any, []any:
			l.Opaque = true
		default:
			l.Exact = true
		}
	}
	for _, bound := range []*big.Rat{schema.Minimum, schema.ExclusiveMinimum, schema.Maximum, schema.ExclusiveMaximum} {
		l.addBound(bound)
	}
	if schema.Pattern != nil {
		l.Patterns = append(l.Patterns, schema.Pattern)
	}
}

// addText makes it matter whether a string is that text.
func (l *relevanceNode) addText(text string) {
	if !slices.Contains(l.Texts, text) {
		l.Texts = append(l.Texts, text)
	}
}

func (l *relevanceNode) addBound(bound *big.Rat) {
	switch {
	case bound == nil:
	case !bound.IsInt():
		l.Opaque = true
	case !bound.Num().IsInt64():
		l.Integer = true // no plain integer reaches it; other numbers count verbatim
	case !slices.Contains(l.Bounds, bound.Num().Int64()):
		l.Bounds = append(l.Bounds, bound.Num().Int64())
	}
}

// addObject adds the keywords about keys, and the schemas of members.
func (a *analysis) addObject(at *relevanceNode, schema *jsonschema.Schema) {
	keys := schema.Required
	for key := range schema.DependentSchemas {
		keys = append(slices.Clip(keys), key)
	}
	for _, key := range keys {
		at.member(key)
	}
	if schema.AdditionalProperties != nil && at.Members == nil {
		at.Members = map[string]*relevanceNode{}
	}
	for name, property := range schema.Properties {
		a.add(at.member(name), property)
	}
}

// addItems adds the schema of an array's elements.
func (a *analysis) addItems(at *relevanceNode, schema *jsonschema.Schema) {
	if schema.Items2020 == nil {
		return
	}
	if at.Items == nil {
		at.Items = &relevanceNode{}
	}
	a.add(at.Items, schema.Items2020)
}

// addInPlace adds the schemas of the same value.
func (a *analysis) addInPlace(at *relevanceNode, schema *jsonschema.Schema) {
	for _, one := range []*jsonschema.Schema{schema.Ref, schema.Not, schema.If, schema.Then, schema.Else} {
		a.add(at, one)
	}
	for _, list := range [][]*jsonschema.Schema{schema.AllOf, schema.AnyOf, schema.OneOf} {
		for _, one := range list {
			a.add(at, one)
		}
	}
	for _, one := range schema.DependentSchemas {
		a.add(at, one)
	}
}

// isSupported reports whether the analysis covers every keyword of a compiled
// schema. It lists the supported fields, so a field that a new version of
// jsonschema/v5 adds is not supported.
func isSupported(schema *jsonschema.Schema) bool {
	if _, isSchema := schema.AdditionalProperties.(*jsonschema.Schema); isSchema {
		return false
	}
	fields := reflect.ValueOf(schema).Elem()
	for i := range fields.NumField() {
		if name := fields.Type().Field(i).Name; !isAnalyzed(name) && !isAbsent(name, fields.Field(i)) {
			return false
		}
	}
	return true
}

// isAnalyzed reports whether the analysis follows a field of a compiled schema,
// or a verdict cannot depend on the field.
func isAnalyzed(field string) bool {
	switch field {
	case "Always", "Types", "Constant", "Enum", "Minimum", "ExclusiveMinimum", "Maximum", "ExclusiveMaximum", "Pattern":
		return true
	case "Required", "Properties", "AdditionalProperties", "DependentSchemas", "Items2020":
		return true
	case "Ref", "Not", "If", "Then", "Else", "AllOf", "AnyOf", "OneOf":
		return true
	case "Location", "Draft", "meta", "vocab", "enumError":
		return true // about the compilation
	case "ContainsEval":
		return true // about contains, which is not supported
	case "Title", "Description", "Default", "Comment", "ReadOnly", "WriteOnly", "Examples", "Deprecated":
		return true
	}
	return false
}

// isAbsent reports whether a field has the value that it has without a keyword.
func isAbsent(name string, field reflect.Value) bool {
	switch name {
	case "MinProperties", "MaxProperties", "MinItems", "MaxItems", "MaxContains", "MinLength", "MaxLength":
		return field.Int() == -1
	case "MinContains":
		return field.Int() == 1
	}
	return field.IsZero()
}
