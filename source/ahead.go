package source

import (
	"bytes"
	"unicode/utf8"
)

// Lines returns complete lines that are to be read next: from the start of a
// line to behind a line feed, valid UTF-8, and as many as have arrived. It
// waits for the first one. It returns nothing where the input is no JSON
// Lines, where no complete line is left, and where Next has to look at what
// comes next. What it returns is valid until the next call of any method.
//
// Lines and Pass let a caller who knows a record by its bytes alone pass over
// it without Next.
func (r *Reader) Lines() []byte {
	l, ok := r.mode.(*lines)
	if !ok || l.midLine || r.err != nil {
		return nil
	}
	for r.in.lineEnd() < 0 {
		if !r.in.fetch() {
			return nil
		}
	}
	return r.in.validLines()
}

// Pass moves over the first n bytes of what Lines returned, which must be so
// many whole lines of one record each.
func (r *Reader) Pass(n, records int) {
	if n == 0 {
		return
	}
	r.in.r += n
	r.in.searched = 0
	r.in.valid -= n
	r.in.pos = Position{Offset: r.in.pos.Offset + int64(n), Line: r.in.pos.Line + records, Column: 1}
	r.index += records
}

// Here is where the next record will be looked for, and its number.
func (r *Reader) Here() (Position, int) { return r.in.pos, r.index }

// validLines returns the complete lines that have arrived, up to the first
// that is not valid UTF-8. What it has validated it remembers, so that asking
// often costs nothing.
func (in *input) validLines() []byte {
	unread := in.unread()
	if in.valid <= 0 {
		end := bytes.LastIndexByte(unread, '\n') + 1
		in.valid = validUpTo(unread[:end])
	}
	return unread[:in.valid:in.valid]
}

// validUpTo returns how many bytes of whole lines are valid UTF-8.
func validUpTo(lines []byte) int {
	if utf8.Valid(lines) {
		return len(lines)
	}
	valid := 0
	for line := range bytes.Lines(lines) {
		if !utf8.Valid(line) {
			return valid
		}
		valid += len(line)
	}
	return valid
}
