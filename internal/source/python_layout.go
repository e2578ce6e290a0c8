package source

import (
	"bytes"
	"unicode/utf8"
)

// skipPythonText finds the closing quote of a Python string from behind its
// opening one. Like skipText it reports false for a string that is not sound,
// or that holds characters that a terminal may obey; and for one with escapes
// other than those of quotes, the backslash and white space.
func skipPythonText(text []byte, from int, quote byte) (end int, escaped, ok bool) {
	wide := false
	for i := from; i < len(text); i++ {
		switch c := text[i]; {
		case c == quote:
			return i, escaped, !wide || utf8.Valid(text[from:i]) && !hasC1(text[from:i])
		case c == '\\':
			if i++; i == len(text) || bytes.IndexByte([]byte(`\'"nrt`), text[i]) < 0 {
				return 0, false, false
			}
			escaped = true
		case c < ' ' || c == 0x7F:
			return 0, false, false
		default:
			wide = wide || c >= utf8.RuneSelf
		}
	}
	return 0, false, false
}

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
