package schema

import (
	"math/big"
	"regexp"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// location says what a verdict can depend on in the value at one place of a
// record, beside its kind. A nil location is one where nothing else matters.
type location struct {
	opaque   bool             // anything: ask the authority
	exact    bool             // which string, number or boolean it is
	integer  bool             // whether a number is an integer
	bounds   []int64          // how a number compares with these
	patterns []*regexp.Regexp // which of these a string matches

	members map[string]*location // what an object holds, unless it is nil
	items   *location            // what each element of an array is, unless it is nil
}

// member returns the location of an object's member. It makes the object's
// keys matter.
func (l *location) member(name string) *location {
	if l.members == nil {
		l.members = map[string]*location{}
	}
	if l.members[name] == nil {
		l.members[name] = &location{}
	}
	return l.members[name]
}

// relevanceOf returns what a verdict by a definition can depend on, with what
// the translation into violations asks of a record.
func (a *authority) relevanceOf(by *definition) *location {
	at := &location{}
	a.analyse(at, by.name)
	if by == a.other && a.part == Chunk && a.dialect.ServerFrames {
		at.member("role").exact = true // it says whether the type may be missing
	}
	if by.typ == nil || len(by.typ.Formats) == 0 {
		return at
	}
	at.member("format").exact = true // it says what kind the content should have been of
	if by.typ.hasContent(ContentConfirmation) {
		a.analyse(at.member("content"), defConfirmation)
		a.analyse(at.member("content"), defLegacy)
	}
	return at
}

func (a *authority) analyse(at *location, name string) {
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
func analyse(at *location, schema *jsonschema.Schema) { new(analysis).add(at, schema) }

func (a *analysis) add(at *location, schema *jsonschema.Schema) {
	if schema == nil || at.opaque {
		return
	}
	a.count++
	if a.count > maxSubschemas || slices.Contains(a.within, schema) || !understood(schema) {
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
func (l *location) addScalar(schema *jsonschema.Schema) {
	l.integer = l.integer || slices.Contains(schema.Types, "integer")
	for _, value := range append(slices.Clip(schema.Enum), schema.Constant...) {
		switch value.(type) {
		case map[string]any, []any:
			l.opaque = true
		}
		l.exact = true
	}
	for _, bound := range []*big.Rat{schema.Minimum, schema.ExclusiveMinimum, schema.Maximum, schema.ExclusiveMaximum} {
		l.addBound(bound)
	}
	if schema.Pattern != nil {
		l.patterns = append(l.patterns, schema.Pattern)
	}
}

func (l *location) addBound(bound *big.Rat) {
	switch {
	case bound == nil:
	case !bound.IsInt() || !bound.Num().IsInt64():
		l.opaque = true
	case !slices.Contains(l.bounds, bound.Num().Int64()):
		l.bounds = append(l.bounds, bound.Num().Int64())
	}
}

// addObject adds the keywords about keys, and the schemas of members.
func (a *analysis) addObject(at *location, schema *jsonschema.Schema) {
	keys := schema.Required
	for key := range schema.DependentSchemas {
		keys = append(slices.Clip(keys), key)
	}
	for _, key := range keys {
		at.member(key)
	}
	if schema.AdditionalProperties != nil && at.members == nil {
		at.members = map[string]*location{}
	}
	for name, property := range schema.Properties {
		a.add(at.member(name), property)
	}
}

// addItems adds the schema of an array's elements.
func (a *analysis) addItems(at *location, schema *jsonschema.Schema) {
	if schema.Items2020 == nil {
		return
	}
	if at.items == nil {
		at.items = &location{}
	}
	a.add(at.items, schema.Items2020)
}

// addInPlace adds the schemas that judge the same value.
func (a *analysis) addInPlace(at *location, schema *jsonschema.Schema) {
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
