package source

// pythonLayouts are layouts of Python literals, which are few: a text is tried
// with one after another.
type pythonLayouts[T any] []knownLayout[T]

func (l pythonLayouts[T]) get(layout *Template) (value T, ok bool) {
	for i := range l {
		if l[i].layout.Equal(layout) {
			return l[i].value, true
		}
	}
	return value, false
}

func (l pythonLayouts[T]) find(text []byte) (value T, hole Placeholder, size int) {
	for i := range l {
		if hole, size, _ = l[i].layout.MatchAnyOrder(text); size > 0 {
			return l[i].value, hole, size
		}
	}
	return value, hole, 0
}
