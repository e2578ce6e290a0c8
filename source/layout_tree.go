package source

import "bytes"

// layoutTree finds the layout of a text by going along what the layouts fix:
// they share their beginnings, so that no byte is looked at twice, however
// many there are. It is a node of the tree.
type layoutTree[T any] struct {
	fixed []byte         // what comes first
	next  []fork[T]      // what may come then, by its first byte
	open  *Layout        // or a value that such a layout leaves open
	tail  *layoutTree[T] // and what comes behind it

	ends  bool // a layout ends here, with its value
	value T
}

type fork[T any] struct {
	first byte // of to.fixed
	to    *layoutTree[T]
}

// add adds a layout.
func (t *layoutTree[T]) add(layout *Layout, value T) {
	end := t.reach(layout.head)
	if layout.open != 0 {
		if end.open == nil {
			end.open, end.tail = layout, &layoutTree[T]{}
		}
		end = end.tail.reach(layout.tail)
	}
	end.ends, end.value = true, value
}

// reach returns the node at which a text ends, and makes it if there is none.
func (t *layoutTree[T]) reach(text []byte) *layoutTree[T] {
	same := 0
	for same < min(len(text), len(t.fixed)) && text[same] == t.fixed[same] {
		same++
	}
	if same < len(t.fixed) {
		rest := *t
		rest.fixed = t.fixed[same:]
		*t = layoutTree[T]{fixed: t.fixed[:same], next: []fork[T]{{t.fixed[same], &rest}}}
	}
	if same == len(text) {
		return t
	}
	for _, next := range t.next {
		if next.first == text[same] {
			return next.to.reach(text[same:])
		}
	}
	end := &layoutTree[T]{fixed: text[same:]}
	t.next = append(t.next, fork[T]{text[same], end})
	return end
}

// find returns the value of the layout of the record that text begins with, and
// the size of the record. That is 0 if there is none.
func (t *layoutTree[T]) find(text []byte) (value T, hole Hole, size int) {
	for at := 0; bytes.HasPrefix(text[at:], t.fixed); {
		at += len(t.fixed)
		if t.ends {
			return t.value, hole, at
		}
		if next := t.fork(text[at:]); next != nil {
			t = next
			continue
		}
		if t.open == nil {
			break
		}
		var ok bool
		if hole, ok = t.open.fill(text, at); !ok {
			break
		}
		t, at = t.tail, hole.To
	}
	return value, hole, 0
}

// fork returns the node that goes on as text does, as far as one byte tells.
func (t *layoutTree[T]) fork(text []byte) *layoutTree[T] {
	if len(text) > 0 {
		for i := range t.next {
			if t.next[i].first == text[0] {
				return t.next[i].to
			}
		}
	}
	return nil
}
