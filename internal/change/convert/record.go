package convert

import (
	"bytes"
	"errors"
	"slices"

	"github.com/lmclint/lmclint/internal/model/assemble"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// object is a record that is being rewritten: its members in order, as JSON.
type object []member

// member is a member of an object. Its name is JSON, too, so that a name with invalid
// UTF-8 remains unchanged.
type member struct {
	name  string
	value string
}

// newObject returns an object with members: names, and values as JSON, in turn.
func newObject(members ...string) (o object) {
	for i := 0; i < len(members); i += 2 {
		o = append(o, member{quoted(members[i]), members[i+1]})
	}
	return o
}

// objectOf returns the members of a record. It fails if they cannot be written
// as JSON.
func objectOf(r *source.Record) (o object, err error) {
	w := newTextWriter(r.Data, r.Python, false)
	for i := range r.Root.Children {
		n := &r.Root.Children[i]
		o = append(o, member{string(w.Name(nil, n)), string(w.Append(nil, n))})
	}
	return o, w.err
}

// with returns the object with another member at its end.
func (o object) with(name, json string) object {
	return append(o[:len(o):len(o)], member{quoted(name), json})
}

// find returns the index of the first member with a name, or -1.
func (o object) find(name string) int {
	return slices.IndexFunc(o, func(m member) bool { return m.name == quoted(name) })
}

// without returns the object without the members of some names, only the one without
// the others.
func (o object) without(names ...string) object { return o.filtered(names, false) }
func (o object) only(names ...string) object    { return o.filtered(names, true) }

func (o object) filtered(names []string, keep bool) object {
	return slices.DeleteFunc(slices.Clone(o), func(m member) bool {
		return keep != slices.ContainsFunc(names, func(name string) bool { return m.name == quoted(name) })
	})
}

// json returns the object as JSON.
func (o object) json() []byte {
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(append(append(b, m.name...), ": "...), m.value...)
	}
	return append(b, '}')
}

// quoted returns a text as a JSON string.
func quoted(text string) string { return string(assemble.AppendASCII(nil, []byte(text))) }

// derive returns a record with other members at the place of a record. It stays
// valid. It fails if a record cannot be like that: if it has too many values, say.
func derive(from *source.Record, o object) (*source.Record, error) {
	data := o.json()
	scan := value.Scanner{MaxDepth: value.MaxDepth}
	v := scan.Scan(data, true)
	if v.Stop != nil {
		return nil, errors.New(v.Stop.Detail)
	}
	root := &value.Node{}
	v.Root.CloneTo(root, data)
	frame := from.Frame
	frame.Time = bytes.Clone(frame.Time)
	return &source.Record{
		Index: from.Index, Conversation: from.Conversation, Pointer: from.Pointer, Data: data, Root: root,
		Start: from.Start, Frame: frame,
	}, nil
}

// derive passes a record with other members, at the place of a record, to add, or
// reports that there is none.
func (c *conversion) derive(from *source.Record, o object, add func(*source.Record)) {
	made, err := derive(from, o)
	if err != nil {
		c.leaveOut(from, err)
		return
	}
	add(made)
}
