package source

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source/value"
)

// detectEvents recognises a stream of server-sent events by its first lines,
// of which one must be data, and none anything but a field, a comment or empty.
func (d *detector) detectEvents(c byte) RecordReader {
	switch {
	case d.Options.Form == FormSSE:
	case d.Options.Form != FormAuto || BeginsValue(c):
		return nil
	default:
		if _, found := d.nextData(0); !found {
			return nil
		}
	}
	d.Scan.Python = d.dataIsPython()
	return newEvents(d.Cursor)
}

// nextData returns where the next value of a data line begins, if the unread
// line that begins at i is one, or no line before one is anything but a field.
// At the beginning of the input, the head of an HTTP response may stand before.
func (d *detector) nextData(i int) (value int, found bool) {
	in := &d.In
	for head := false; i < SniffWindow; {
		line := in.LineHead(i, longestField)
		if head = head && len(line) > 0 || i == 0 && bytes.HasPrefix(line, []byte(httpHead)); !head {
			switch f, value := fieldOf(line); {
			case f == dataField && len(line) > len("data"):
				return i + value, true
			case f == otherField:
				return 0, false
			}
		}
		_, next, ok := in.LineFrom(i, SniffWindow)
		if !ok || next == i {
			return 0, false
		}
		i = next
	}
	return 0, false
}

// dataIsPython finds out whether the records of a stream are Python literals:
// the first one that shows its language is, and not the only one so.
func (d *detector) dataIsPython() bool {
	shown := eitherLanguage
	for i, seen := 0, 0; seen < sniffedLines; seen++ {
		from, found := d.nextData(i)
		if !found {
			break
		}
		end, next, ok := d.In.LineFrom(from, SniffWindow)
		if !ok {
			end, next = from+OpeningBytes, SniffWindow
		}
		text := d.In.Unread()[from:min(end, from+OpeningBytes)]
		switch language, _ := d.LanguageOf(text); {
		case len(text) == 0 || language == eitherLanguage || string(value.TrimRight(text)) == "{}":
		case shown == IsPython:
			return language == IsPython
		case language == isJSON:
			return false
		default:
			shown = IsPython
		}
		i = next
	}
	return shown == IsPython
}
