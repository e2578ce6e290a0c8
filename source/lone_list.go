package source

import "bytes"

// isLoneList reports whether the input is certainly a single array on a single
// line, as most saved conversations are. It tells that by its brackets alone,
// and waits for no more of the input than detection has to.
func (r *Reader) isLoneList() bool {
	if c, ok := r.in.peek(); !ok || c != '[' {
		return false
	}
	line := r.line(0)
	if len(line) == sniffWindow {
		return false
	}
	line = trimRight(line)
	if line[len(line)-1] != ']' || hasAnother(line) {
		return false
	}
	_, goesOn := r.in.behind(len(line))
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
		if c, _, found := nextByte(line); found && beginsValue(c) {
			return true
		}
	}
}

// opensInJSON reports whether a single line does not begin as Python's literals
// do, within the bytes in which it must.
func (r *Reader) opensInJSON() bool {
	text := r.in.load(openingBytes)
	if !mayBePython(text) {
		return true
	}
	v := r.scan.check(text)
	return v.stop == nil || v.stop.cutOff
}

// mayBePython reports whether a text holds anything that can tell Python's
// literals from JSON.
func mayBePython(text []byte) bool {
	for _, word := range []string{"'", "True", "False", "None"} {
		if bytes.Contains(text, []byte(word)) {
			return true
		}
	}
	return false
}
