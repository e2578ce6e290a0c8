package source

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source/value"
)

// detectEvents recognises a stream of server-sent events by its first lines,
// of which one must be data, and none anything but a field, a comment or empty.
func (r *Reader) detectEvents(c byte) recordReader {
	switch {
	case r.options.Form == FormSSE:
	case r.options.Form != FormAuto || beginsValue(c):
		return nil
	default:
		if _, found := r.nextData(0); !found {
			return nil
		}
	}
	r.scan.Python = r.dataIsPython()
	return newEvents(r)
}

// nextData returns where the next value of a data line begins, if the unread
// line that begins at i is one, or no line before one is anything but a field.
// At the beginning of the input, the head of an HTTP response may stand before.
func (r *Reader) nextData(i int) (value int, found bool) {
	in := &r.in
	for head := false; i < sniffWindow; {
		line := in.lineHead(i)
		if head = head && len(line) > 0 || i == 0 && bytes.HasPrefix(line, []byte(httpHead)); !head {
			switch f, value := fieldOf(line); {
			case f == dataField && len(line) > len("data"):
				return i + value, true
			case f == otherField:
				return 0, false
			}
		}
		_, next, ok := in.lineFrom(i, sniffWindow)
		if !ok || next == i {
			return 0, false
		}
		i = next
	}
	return 0, false
}

// lineHead returns the first longestField bytes of the unread line that begins
// at i, or all of it if it is shorter.
func (in *input) lineHead(i int) []byte {
	for {
		line := in.unread()[i:]
		line = line[:min(len(line), longestField)]
		if size := lineSize(line); size < longestField && size < len(line) || len(line) == longestField || !in.fetch() {
			return line[:size]
		}
	}
}

// dataIsPython finds out whether the records of a stream are Python literals:
// the first one that shows its language is, and not the only one so.
func (r *Reader) dataIsPython() bool {
	shown := eitherLanguage
	for i, seen := 0, 0; seen < sniffedLines; seen++ {
		from, found := r.nextData(i)
		if !found {
			break
		}
		end, next, ok := r.in.lineFrom(from, sniffWindow)
		if !ok {
			end, next = from+openingBytes, sniffWindow
		}
		text := r.in.unread()[from:min(end, from+openingBytes)]
		switch language, _ := r.languageOf(text); {
		case len(text) == 0 || language == eitherLanguage || string(value.TrimRight(text)) == "{}":
		case shown == isPython:
			return language == isPython
		case language == isJSON:
			return false
		default:
			shown = isPython
		}
		i = next
	}
	return shown == isPython
}
