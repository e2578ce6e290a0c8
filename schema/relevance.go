package schema

import (
	"math/big"
	"regexp"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// location says what a verdict can depend on in the value at one place of a
// record, beside its kind. A nil location is one where nothing else matters.
type relevanceNode struct {
	opaque   bool             // anything: ask the authority
	exact    bool             // which number or boolean it is
	texts    []string         // which of these a string is; what it is else does not matter
	integer  bool             // whether a number is an integer
	bounds   []int64          // how a number compares with these
	patterns []*regexp.Regexp // which of these a string matches

	members map[string]*relevanceNode // what an object holds, unless it is nil
	near    []string                  // of a key beside the members, which of these it is nearest to; all of it, if this is nil
	items   *relevanceNode            // what each element of an array is, unless it is nil
}

// member returns the location of an object's member. It makes the object's
// keys matter.
func (l *relevanceNode) member(name string) *relevanceNode {
	if l.members == nil {
		l.members = map[string]*relevanceNode{}
	}
	if l.members[name] == nil {
		l.members[name] = &relevanceNode{}
	}
	return l.members[name]
}

// relevanceOf returns what a verdict by a definition can depend on, with what
// the translation into violations asks of a record.
func (a *recordValidator) relevanceOf(by *definition) *relevanceNode {
	at := &relevanceNode{}
	a.analyse(at, by.name)
	at.resembles(append(a.dialect.KnownKeys(a.part), "start", a.dialect.EndKey), a.dialect.KnownKeys(a.part))
	if by == a.other && a.part == Chunk && a.dialect.ServerFrames {
		at.member("role").addText("user") // who may leave the type out
	}
	if by.typ == nil || len(by.typ.Formats) == 0 {
		return at
	}
	for i := range by.typ.Formats {
		at.member("format").addText(by.typ.Formats[i].Name) // it says what kind the content should have been of
	}
	if by.typ.hasContent(ContentConfirmation) {
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
	l.near = known
}

func (a *recordValidator) analyse(at *relevanceNode, name string) {
	schema, err := a.schemas.definition(name)
	if err != nil {
		at.opaque = true
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
	if schema == nil || at.opaque {
		return
	}
	a.count++
	if a.count > maxSubschemas || slices.Contains(a.within, schema) || !isSupported(schema) {
		at.opaque = true
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
	l.integer = l.integer || slices.Contains(schema.Types, "integer")
	for _, value := range append(slices.Clip(schema.Enum), schema.Constant...) {
		switch value := value.(type) {
		case string:
			l.addText(value)
		case map[string]any, []any:
			l.opaque = true
		default:
			l.exact = true
		}
	}
	for _, bound := range []*big.Rat{schema.Minimum, schema.ExclusiveMinimum, schema.Maximum, schema.ExclusiveMaximum} {
		l.addBound(bound)
	}
	if schema.Pattern != nil {
		l.patterns = append(l.patterns, schema.Pattern)
	}
}

// addText makes it matter whether a string is that one.
func (l *relevanceNode) addText(text string) {
	if !slices.Contains(l.texts, text) {
		l.texts = append(l.texts, text)
	}
}

func (l *relevanceNode) addBound(bound *big.Rat) {
	switch {
	case bound == nil:
	case !bound.IsInt() || !bound.Num().IsInt64():
		l.opaque = true
	case !slices.Contains(l.bounds, bound.Num().Int64()):
		l.bounds = append(l.bounds, bound.Num().Int64())
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
	if schema.AdditionalProperties != nil && at.members == nil {
		at.members = map[string]*relevanceNode{}
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
	if at.items == nil {
		at.items = &relevanceNode{}
	}
	a.add(at.items, schema.Items2020)
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
