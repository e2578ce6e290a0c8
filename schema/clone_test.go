package schema

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A copy shares no list and no map with the dialect that it was made from.
func TestCloneIsDeep(t *testing.T) {
	for _, name := range Names() {
		d, _ := Lookup(name)
		c := d.clone()
		assert.Equal(t, d, c)
		seen := map[uintptr]string{}
		shared := func(place string, v reflect.Value) { seen[v.Pointer()] = place }
		walk(reflect.ValueOf(d).Elem(), name, shared)
		walk(reflect.ValueOf(c).Elem(), name, func(place string, v reflect.Value) {
			assert.NotContains(t, seen, v.Pointer(), place)
		})
	}
}

// walk visits the lists and maps in a value that are not empty.
func walk(v reflect.Value, place string, visit func(string, reflect.Value)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			walk(v.Field(i), place+"."+v.Type().Field(i).Name, visit)
		}
	case reflect.Slice:
		if v.Len() > 0 {
			visit(place, v)
		}
		for i := range v.Len() {
			walk(v.Index(i), place+"[]", visit)
		}
	case reflect.Map:
		if v.Len() > 0 {
			visit(place, v)
		}
		for _, key := range v.MapKeys() {
			walk(v.MapIndex(key), place+"["+key.String()+"]", visit)
		}
	}
}
