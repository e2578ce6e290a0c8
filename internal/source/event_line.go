package source

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source/input"
)

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

// eventUnits are the units of a value that is spread over the data lines of an
// event: the text of the lines, and what stands between them for a line feed.
func eventUnits(raw []byte) (written, decoded int) {
	if i := input.EndOfLine(raw); i != 0 {
		if i < 0 {
			i = len(raw)
		}
		return i, i
	}
	for at := input.SizeOfEnd(raw); at < len(raw); {
		f, value := fieldOf(raw[at:min(len(raw), at+input.LineSize(raw[at:]))])
		if f == dataField {
			return at + value, 1
		}
		at += input.LineSize(raw[at:])
		at += input.SizeOfEnd(raw[min(at, len(raw)):])
	}
	return len(raw), 1
}
