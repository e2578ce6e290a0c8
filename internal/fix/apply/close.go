package apply

import (
	"bytes"
	"slices"

	"github.com/lmclint/lmclint/internal/source"
)

// closeInput returns the change that ends the text before a truncated record at an
// offset, and closes the arrays and objects around it. It returns false if no record
// would be left, or if what is around is something else.
func (l *layout) closeInput(at int64) (change, bool) {
	if len(l.spans) == 0 || l.spans[0].Start >= at {
		return change{}, false
	}
	from, to := int64(0), int64(len(l.text))
	line := int64(bytes.LastIndexByte(l.text[:at], '\n') + 1)
	switch l.form {
	case source.FormJSON, source.FormPython:
	case source.FormJSONL:
		from = line
	case source.FormSSE:
		from, _ = l.event(line, to)
		return change{start: from, end: to}, bytes.HasPrefix(l.text[line:], []byte("data"))
	default:
		return change{}, false
	}
	closers, ok := closersOf(l.text[from:at])
	if !ok {
		return change{}, false
	}
	if closers == "" {
		return change{start: at, end: to}, true
	}
	kept := bytes.TrimRight(l.text[:at], blanks)
	kept = bytes.TrimRight(bytes.TrimSuffix(kept, []byte{','}), blanks)
	if bytes.HasSuffix(l.text, []byte{'\n'}) || l.form == source.FormJSONL {
		closers += l.lineEnd()
	}
	return change{start: int64(len(kept)), end: to, text: closers}, !bytes.HasSuffix(kept, []byte{':'})
}

// closersOf returns the brackets that close those that are open at the end of a
// text. It returns false if the text ends in a string, or its brackets do not match.
func closersOf(text []byte) (closers string, ok bool) {
	pairs := map[byte]byte{'{': '}', '[': ']'}
	var open []byte // what closes them
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"', '\'':
			for i++; i < len(text) && text[i] != c; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			if i >= len(text) {
				return "", false
			}
		case '{', '[':
			open = append(open, pairs[c])
		case '}', ']':
			if len(open) == 0 || open[len(open)-1] != c {
				return "", false
			}
			open = open[:len(open)-1]
		}
	}
	slices.Reverse(open)
	return string(open), true
}
