package source

import (
	"bytes"
	"strings"

	"github.com/lmclint/lmclint/internal/source/value"
)

// isLoneList reports whether the input is certainly a single array on a single
// line, as most saved conversations are. It tells that by its brackets alone,
// and waits for no more of the input than detection has to.
func (d *detector) isLoneList() bool {
	if c, ok := d.In.Peek(); !ok || c != '[' {
		return false
	}
	line := d.LineAt(0)
	if len(line) == SniffWindow {
		return false
	}
	line = value.TrimRight(line)
	if line[len(line)-1] != ']' || hasAnother(line) {
		return false
	}
	_, goesOn := d.In.Behind(len(line))
	return !goesOn
}

// hasAnother reports whether another value may begin behind an array. Some
// brackets may stand in strings, where they mean nothing.
func hasAnother(line []byte) bool {
	for {
		i := bytes.IndexByte(line, ']')
		if i < 0 {
			return false
		}
		line = line[i+1:]
		if c, _, found := nextByte(line); found && BeginsValue(c) {
			return true
		}
	}
}

// opensInJSON reports whether the first record of a single line is not written
// as Python's literals are, within the bytes in which it must show that.
func (d *detector) opensInJSON() bool {
	text := d.In.Load(OpeningBytes)
	if !mayBePython(text) {
		return true
	}
	v := d.Scan.Check(text[1+value.SpaceSize(text[1:]):])
	return v.Stop == nil && v.End > len("{}") || v.Stop != nil && v.Stop.Truncated
}

// mayBePython reports whether a text holds anything that can tell Python's
// literals from JSON: a word or a quote that JSON does not have, where a value
// or a name may stand.
func mayBePython(text []byte) bool {
	for _, word := range [][]byte{{'\''}, []byte("True"), []byte("False"), []byte("None")} {
		for rest := text; ; {
			i := bytes.Index(rest, word)
			if i < 0 {
				break
			}
			if before := value.TrimRight(rest[:i]); len(before) == 0 || strings.IndexByte(`[{(,:"`, before[len(before)-1]) >= 0 {
				return true
			}
			rest = rest[i+len(word):]
		}
	}
	return false
}
