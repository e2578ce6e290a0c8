package source

import "bytes"

// maxEventName is how many bytes of the name of a server-sent event are kept.
const maxEventName = 256

// field is what a line of an event stream is.
type field int

const (
	otherField field = iota // unknown to browsers, which pass over it
	noField                 // an empty line, which ends an event
	comment
	dataField
	eventField
	ownField // id and retry, which say nothing about records
)

// fieldNames are the fields that an event has.
var fieldNames = []struct {
	name  string
	field field
}{{"data", dataField}, {"event", eventField}, {"id", ownField}, {"retry", ownField}}

// longestField is the size of the longest name of a field with its colon and
// the space behind it.
const longestField = len("event: ")

// fieldOf says what a line of an event stream is by its beginning, which has
// longestField bytes or is the whole line, and where its value begins.
func fieldOf(line []byte) (f field, value int) {
	if len(line) == 0 {
		return noField, 0
	}
	if line[0] == ':' {
		return comment, 0
	}
	for _, known := range fieldNames {
		if rest, ok := bytes.CutPrefix(line, []byte(known.name)); ok {
			switch {
			case len(rest) == 0:
				return known.field, len(line)
			case len(rest) > 1 && rest[0] == ':' && rest[1] == ' ':
				return known.field, len(known.name) + 2
			case rest[0] == ':':
				return known.field, len(known.name) + 1
			}
		}
	}
	return otherField, 0
}

// lineFrom returns where the unread line that begins at i ends, and where the
// next one begins; both are as far as the input goes for a line that the input
// ends with. It reports false for a line of more than limit bytes.
func (in *Input) LineFrom(i, limit int) (end, next int, ok bool) {
	for searched := i; ; {
		unread := in.Unread()
		j := EndOfLine(unread[searched:])
		end = searched + max(j, 0)
		switch {
		case j < 0:
			end = len(unread)
		case unread[end] == '\n':
			return end, end + 1, end-i <= limit
		case end+1 < len(unread):
			return end, end + SizeOfEnd(unread[end:]), end-i <= limit
		}
		searched = end
		if end-i > limit {
			return end, end, false
		}
		if !in.Fetch() {
			return end, len(unread), true
		}
	}
}

// endOfLine returns the index of the first line feed or carriage return, or -1.
func EndOfLine(text []byte) int {
	i := bytes.IndexByte(text, '\n')
	if i >= 0 {
		text = text[:i]
	}
	if j := bytes.IndexByte(text, '\r'); j >= 0 {
		return j
	}
	return i
}

// sizeOfEnd returns how many bytes end the line that text stands behind.
func SizeOfEnd(text []byte) int {
	if len(text) > 1 && text[0] == '\r' && text[1] == '\n' {
		return 2
	}
	return 1
}

// eventUnits are the units of a value that is spread over the data lines of an
// event: the text of the lines, and what stands between them for a line feed.
func eventUnits(raw []byte) (written, decoded int) {
	if i := EndOfLine(raw); i != 0 {
		if i < 0 {
			i = len(raw)
		}
		return i, i
	}
	for at := SizeOfEnd(raw); at < len(raw); {
		f, value := fieldOf(raw[at:min(len(raw), at+LineSize(raw[at:]))])
		if f == dataField {
			return at + value, 1
		}
		at += LineSize(raw[at:])
		at += SizeOfEnd(raw[min(at, len(raw)):])
	}
	return len(raw), 1
}

// lineSize is the size of the line that text begins with, without its end.
func LineSize(text []byte) int {
	if i := EndOfLine(text); i >= 0 {
		return i
	}
	return len(text)
}
