package apply

import (
	"bytes"
	"slices"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
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
		from, _ = eventAround(l.text, line, to)
		return change{start: from, end: to}, bytes.HasPrefix(l.text[line:], []byte("data"))
	default:
		return change{}, false
	}
	around := value.BracketMatcher{Python: true} // both quotes
	around.StartInsideObject()                   // there may be several values, or none
	isBroken := around.Feed(l.text[from:at])
	due, ok := around.Due()
	switch {
	case isBroken || !ok:
		return change{}, false
	case len(due) == 1:
		return change{start: at, end: to}, true
	}
	slices.Reverse(due)
	closers := string(due[:len(due)-1])
	kept := bytes.TrimRight(l.text[:at], blanks)
	kept = bytes.TrimRight(bytes.TrimSuffix(kept, []byte{','}), blanks)
	if bytes.HasSuffix(l.text, []byte{'\n'}) || l.form == source.FormJSONL {
		closers += l.end
	}
	return change{start: int64(len(kept)), end: to, text: closers}, !bytes.HasSuffix(kept, []byte{':'})
}
