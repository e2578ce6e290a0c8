package validate

import (
	"math/big"
	"reflect"
	"regexp"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/lmclint/lmclint/schema"
)

// location says what a verdict can depend on in the value at one place of a
// record, beside its kind. A nil location is one where nothing else matters.
type relevanceNode struct {
	Opaque   bool             `json:"opaque,omitempty"`   // anything: ask the authority
	Exact    bool             `json:"exact,omitempty"`    // which number or boolean it is
	Texts    []string         `json:"texts,omitempty"`    // which of these a string is; what it is else does not matter
	Integer  bool             `json:"integer,omitempty"`  // whether a number is an integer
	Bounds   []int64          `json:"bounds,omitempty"`   // how a number compares with these
	Patterns []*regexp.Regexp `json:"patterns,omitempty"` // which of these a string matches

	Members map[string]*relevanceNode `json:"members,omitzero"` // what an object holds, unless it is nil
	Near    []string                  `json:"near,omitempty"`   // of a key beside the members, which of these it is nearest to; all of it, if this is nil
	Items   *relevanceNode            `json:"items,omitempty"`  // what each element of an array is, unless it is nil
}

// member returns the location of an object's member. It makes the object's
// keys matter.
func (l *relevanceNode) member(name string) *relevanceNode {
	if l.Members == nil {
		l.Members = map[string]*relevanceNode{}
	}
	if l.Members[name] == nil {
		l.Members[name] = &relevanceNode{}
	}
	return l.Members[name]
}

// relevanceOf returns what a verdict by a definition can depend on, with what
// the translation into violations asks of a record.
func (a *recordValidator) relevanceOf(by *definition) *relevanceNode {
	at := &relevanceNode{}
	a.analyse(at, by.name)
	at.resembles(append(a.dialect.KnownKeys(a.part), "start", a.dialect.EndKey), a.dialect.KnownKeys(a.part))
	if by == a.other && a.part == schema.Chunk && a.dialect.ServerFrames {
		at.member("role").addText("user") // who may leave the type out
	}
	if by.typ == nil || len(by.typ.Formats) == 0 {
		return at
	}
	for i := range by.typ.Formats {
		at.member("format").addText(by.typ.Formats[i].Name) // it says what kind the content should have been of
	}
	if slices.ContainsFunc(by.typ.Formats, func(f schema.Format) bool { return f.Content == schema.ContentConfirmation }) {
		content := at.member("content")
		a.analyse(content, defConfirmation)
		a.analyse(content, defLegacy)
		content.resembles(confirmedKeys(), confirmedKeys())
	}
	return at
}

// resembles notes that the translation looks for some keys by their names, and
// of every key that no schema names only asks which known one it is near to.
func (l *relevanceNode) resembles(sought, known []string) {
	for _, key := range sought {
		l.member(key)
	}
	l.Near = known
}

func (a *recordValidator) analyse(at *relevanceNode, name string) {
	schema, err := a.schemas.definition(name)
	if err != nil {
		at.Opaque = true
		return
	}
	analyse(at, schema)
}

// maxSubschemas bounds an analysis.
const maxSubschemas = 10_000

// analysis walks through a schema as jsonschema/v5 does.
type analysis struct {
	within []*jsonschema.Schema // the subschemas that the walk is in
	count  int
}

// analyse adds to a location what the verdict of a schema depends on there.
func analyse(at *relevanceNode, schema *jsonschema.Schema) { new(analysis).add(at, schema) }

func (a *analysis) add(at *relevanceNode, schema *jsonschema.Schema) {
	if schema == nil || at.Opaque {
		return
	}
	a.count++
	if a.count > maxSubschemas || slices.Contains(a.within, schema) || !isSupported(schema) {
		at.Opaque = true
		return
	}
	a.within = append(a.within, schema)
	at.addScalar(schema)
	a.addObject(at, schema)
	a.addInPlace(at, schema)
	a.addItems(at, schema)
	a.within = a.within[:len(a.within)-1]
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

// addText makes it matter whether a string is that one.
func (l *relevanceNode) addText(text string) {
	if !slices.Contains(l.Texts, text) {
		l.Texts = append(l.Texts, text)
	}
}

func (l *relevanceNode) addBound(bound *big.Rat) {
	switch {
	case bound == nil:
	case !bound.IsInt() || !bound.Num().IsInt64():
		l.Opaque = true
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

// addInPlace adds the schemas that judge the same value.
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

// understood reports whether an analysis knows all that a compiled schema
// says. It lists what is known, so that a keyword that is new or unexpected
// is not.
func isSupported(schema *jsonschema.Schema) bool {
	if _, isSchema := schema.AdditionalProperties.(*jsonschema.Schema); isSchema {
		return false
	}
	fields := reflect.ValueOf(schema).Elem()
	for i := range fields.NumField() {
		if name := fields.Type().Field(i).Name; !analysed(name) && !absent(name, fields.Field(i)) {
			return false
		}
	}
	return true
}

// analysed reports whether an analysis follows a field of compiled schemas,
// or a verdict cannot depend on it.
func analysed(field string) bool {
	switch field {
	case "Always", "Types", "Constant", "Enum", "Minimum", "ExclusiveMinimum", "Maximum", "ExclusiveMaximum", "Pattern":
		return true
	case "Required", "Properties", "AdditionalProperties", "DependentSchemas", "Items2020":
		return true
	case "Ref", "Not", "If", "Then", "Else", "AllOf", "AnyOf", "OneOf":
		return true
	case "Location", "Draft", "meta", "vocab", "enumError":
		return true // how the schema came about
	case "ContainsEval":
		return true // about contains, which is no field that is analysed
	case "Title", "Description", "Default", "Comment", "ReadOnly", "WriteOnly", "Examples", "Deprecated":
		return true
	}
	return false
}

// absent reports whether a field has the value that it has without a keyword.
func absent(name string, field reflect.Value) bool {
	switch name {
	case "MinProperties", "MaxProperties", "MinItems", "MaxItems", "MaxContains", "MinLength", "MaxLength":
		return field.Int() == -1
	case "MinContains":
		return field.Int() == 1
	}
	return field.IsZero()
}
