package embedded

import (
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// wraps finds the values that continue on indented lines. It looks at each line
// once: a value that begins on a line that was part of another candidate, which
// was not valid, is not found.
type wraps struct {
	scanned int64 // offset in the input up to which the last candidate was scanned
}

// record returns the offsets of the record that begins with the last brace of a
// line, which starts at an offset of the unread text, and continues on the next
// lines; 0 if there is none. It reads, so that earlier results of Unread are not
// valid.
func (w *wraps) record(cur *source.Cursor, from int) (start, end int) {
	line := value.TrimRight(cur.LineAt(from))
	if len(line) == 0 || len(line) > maxLogPrefix || line[len(line)-1] != '{' || !endsPrefix(line[:len(line)-1]) {
		return 0, 0
	}
	start = from + len(line) - 1
	defer func() { cur.Scan.Python = false }()
	size := w.size(cur, start, source.Indent(line))
	if size == 0 || !isRecordValue(cur.Scan.Scan(cur.In.Unread()[start:start+size], true).Root) {
		return 0, 0
	}
	return start, start + size
}

// size returns the size of the value at an offset of the unread text, on a line with
// an indent, as [source.Cursor.WrappedSize] does for JSON or a Python literal. It sets
// the language of the scanner.
func (w *wraps) size(cur *source.Cursor, from, indent int) int {
	offset := cur.In.Pos.Offset + int64(from)
	if offset < w.scanned {
		return 0
	}
	if next := from + len(cur.LineAt(from)) + 1; next <= len(cur.In.Unread()) {
		cur.LineAt(next) // the first key may be on the next line
	}
	cur.Scan.Python = opensPython(cur.In.Unread()[from:])
	size, scanned := cur.WrappedSize(from, indent)
	if size == 0 {
		w.scanned = offset + int64(scanned)
	}
	return size
}
