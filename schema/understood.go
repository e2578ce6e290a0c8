package schema

import (
	"reflect"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

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
