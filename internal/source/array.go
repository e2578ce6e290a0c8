package source

import (
	"bytes"
	"strconv"

	"github.com/lmclint/lmclint/internal/source/value"
)

// array reads the elements of a JSON array one by one. It starts after the
// opening bracket.
type array struct {
	cur    *Cursor
	prefix []byte // pointer to the array, with a trailing slash

	inEnvelope bool

	afterValue bool           // a comma or the closing bracket must follow
	afterComma bool           // a value must follow
	comma      value.Position // position of the last comma
	hasComma   bool           // a comma was read
	lacksAll   bool           // no comma was read, and the first is missing: the bracket may be what is wrong
	reported   bool           // a wrong separator was reported; the next one is not
	last       value.Position // position after the last element or separator
	lost       bool           // the position in the array is lost: search for the next element
	inGarbage  bool           // text that cannot start a value was reported, and no comma followed yet
	done       bool
	closed     bool // the closing bracket was read
}

// newArray starts reading an array whose opening bracket was skipped. Prefix is
// the pointer to it. It reuses the memory of the cursor's previous array, which
// must not be used any longer.
func newArray(cur *Cursor, prefix string) *array {
	cur.array = array{cur: cur, prefix: []byte(prefix + "/"), inEnvelope: prefix != "", last: cur.In.Pos}
	return &cur.array
}

// Next returns the next record or gap, and nil, nil after the end of the array.
func (a *array) Next() (*Record, error) {
	for !a.done {
		if a.lost && !a.resync() {
			a.done = true
			return nil, a.cur.In.Failure()
		}
		c, ok := a.cur.In.Peek()
		if !ok {
			return a.unclosed()
		}
		if a.cur.skipsComment() {
			continue
		}
		read := a.value
		if isSeparator(c) {
			read = a.separator
		}
		if rec, err := read(c); rec != nil || err != nil {
			return rec, err
		}
	}
	return nil, nil
}

// value reads an element, or the text that is there instead.
func (a *array) value(c byte) (*Record, error) {
	if a.afterValue {
		return a.missingComma(c), nil
	}
	p := a.cur.ScanValue()
	switch {
	case p.Stop != nil && !p.Stop.Truncated && !value.IsDelimited(c):
		if a.inGarbage {
			return a.garbage(p), nil
		}
		switch a.cur.In.FollowedBy(p.Stop.End) {
		case 0, ',', ']':
		case '"':
			p.lacksBracket = true // the invalid text may be in place of the opening bracket
		default:
			return a.garbage(p), nil
		}
	case p.Root != nil && c == '"' && a.cur.In.FollowedBy(p.End) == ':':
		p = RawValue{Result: value.Result{Stop: a.cur.nameOutsideObject(p.End)}, lacksBracket: true}
	case p.Root != nil && c == '"':
		p.Result = a.cur.Scan.Scan(a.cur.In.Rest()[:p.End], true) // FollowedBy may have moved the buffer
	}
	a.afterValue, a.afterComma = true, false
	rec, err := a.element(p)
	a.last = a.cur.In.Pos
	if rec != nil && !rec.IsGap {
		a.reported = false
	}
	return rec, err
}

func (a *array) element(p RawValue) (*Record, error) {
	r := a.cur
	pointer := a.pointer(r.Index)
	switch {
	case p.TooLarge:
		return a.large(p, pointer, r.TooLarge()), nil
	case p.Stop == nil:
		rec := r.NewRecord(r.In.Rest()[:p.End:p.End], pointer, p.Result)
		r.In.Skip(p.End)
		return rec, nil
	case p.Stop.ExceedsLimit():
		return a.large(p, pointer, *p.Stop), nil
	case p.Stop.Truncated, r.endsInString(p.Stop):
		a.done = true
		return r.truncatedRecord(p, pointer)
	}
	return a.faulty(p, pointer), nil
}

func (a *array) pointer(index int) string {
	a.prefix = strconv.AppendInt(a.prefix, int64(index), 10)
	pointer := string(a.prefix)
	a.prefix = a.prefix[:bytes.LastIndexByte(a.prefix, '/')+1]
	return pointer
}

func (a *array) large(p RawValue, pointer string, stop value.Fault) *Record {
	rec, closed := a.cur.largeRecord(p, pointer, stop)
	a.lost = !closed
	return rec
}

// unclosed reports that the segment ends within the array.
func (a *array) unclosed() (*Record, error) {
	if err := a.cur.In.Failure(); err != nil {
		return nil, err
	}
	a.done = true
	if a.reported || a.lacksAll {
		return nil, nil // the wrong separator that was reported may be the missing bracket
	}
	stop := value.Fault{Kind: value.InvalidJSON, Detail: "the line ends before the array is closed", Cause: value.UnclosedList}
	if a.cur.In.IsBlankAfter(0) {
		stop.Kind, stop.Detail = TruncatedRecord, "the input ends before the array is closed"
	}
	return a.cur.NewGap(nil, a.last, stop), nil
}

// separator reads a comma or a bracket. It returns a gap if it is wrong.
func (a *array) separator(c byte) (*Record, error) {
	at := a.cur.In.Pos
	a.cur.In.Skip(1)
	a.last, a.inGarbage = a.cur.In.Pos, false
	switch {
	case c == ',' && a.afterValue:
		a.afterValue, a.afterComma, a.comma = false, true, at
		a.hasComma, a.lacksAll = true, false
		return nil, nil
	case c == ']':
		a.done, a.closed = true, true
		a.cur.hasEmptyList = a.cur.hasEmptyList || !a.afterValue && !a.afterComma && !a.reported
		if a.afterComma && !a.cur.Scan.Python {
			return a.wrong(",", a.comma, "found a trailing comma before `]`"), nil
		}
		return nil, nil
	case a.afterValue:
		return a.wrong(string(c), at, "found `"+string(c)+"`, expected a comma or `]`"), nil
	}
	return a.wrong(string(c), at, "found `"+string(c)+"`, expected a value"), nil
}

// wrong reports a wrong separator, unless the one before it was wrong, too.
func (a *array) wrong(text string, at value.Position, detail string) *Record {
	if a.reported {
		return nil
	}
	a.reported = true
	return a.cur.NewGap([]byte(text), at, value.Fault{Kind: value.InvalidJSON, End: len(text), Detail: detail})
}

// missingComma reports a value that follows another one without a comma. It
// skips text that cannot be a value.
func (a *array) missingComma(c byte) *Record {
	end, found := value.Describe(a.cur.In.Load(SettledBytes), 0)
	data := a.cur.In.Rest()[:end:end]
	fault := value.Fault{Kind: value.InvalidJSON, End: end, Detail: "found " + found + ", expected a comma or `]`"}
	if c == '{' {
		if fault.Cause = value.MissingComma; !a.hasComma && a.cur.In.Pos.Line > a.last.Line {
			fault.Cause = value.MissingCommas
		}
		if a.lacksAll {
			a.afterValue = false
			return nil // as before the record before it
		}
		a.lacksAll = !a.hasComma
	}
	rec := a.cur.NewGap(data, a.cur.In.Pos, fault)
	if value.IsDelimited(c) {
		a.afterValue = false
		end = 0
	}
	return a.skipReported(rec, end)
}

// skipReported skips the n bytes that rec reports. It returns nil if a
// separator before them was already reported: one finding is enough for one
// mistake.
func (a *array) skipReported(rec *Record, n int) *Record {
	if n > 0 {
		a.cur.In.Skip(n)
		a.last = a.cur.In.Pos
	}
	if a.reported {
		return nil
	}
	a.reported = true
	return rec
}

// garbage reports and skips text that cannot start a value.
func (a *array) garbage(p RawValue) *Record {
	a.inGarbage = true
	end := p.Stop.End
	return a.skipReported(a.cur.NewGap(a.cur.In.Rest()[:end:end], a.cur.In.Pos, *p.Stop), end)
}

// nameOutsideObject returns the fault of a member name, ending at end, at the
// place of a record: the opening brace is missing.
func (cur *Cursor) nameOutsideObject(end int) *value.Fault {
	return &value.Fault{
		Kind: value.InvalidJSON, Start: 0, End: end,
		Detail: "found the name " + value.Quote(cur.In.Rest()[:end]) + " outside an object, expected `{` before it",
	}
}
