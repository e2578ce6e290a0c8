package source

import (
	"github.com/lmclint/lmclint/internal/source/value"
)

// unclosed reports that the stretch ends inside the array.
func (a *array) unclosed() (*Record, error) {
	if err := a.r.in.failure(); err != nil {
		return nil, err
	}
	a.done = true
	if a.quiet {
		return nil, nil // the bracket may be what was found wrong
	}
	stop := value.Fault{Kind: value.InvalidJSON, Detail: "the line ends before the array is closed"}
	if a.r.in.blankBehind(0) {
		stop = value.Fault{Kind: TruncatedRecord, Detail: "the input ends before the array is closed"}
	}
	return a.r.newBetween(nil, a.last, stop), nil
}

// separator reads a comma or a bracket, and returns what is wrong with it.
func (a *array) separator(c byte) (*Record, error) {
	at := a.r.in.pos
	a.r.in.skip(1)
	a.last, a.inGarbage = a.r.in.pos, false
	switch {
	case c == ',' && a.afterValue:
		a.afterValue, a.afterComma, a.comma = false, true, at
		return nil, nil
	case c == ']':
		a.done, a.closed = true, true
		if a.afterComma && !a.r.scan.Python {
			return a.wrong(",", a.comma, "found a trailing comma before `]`"), nil
		}
		return nil, nil
	case a.afterValue:
		return a.wrong(string(c), at, "found `"+string(c)+"`, expected a comma or `]`"), nil
	}
	return a.wrong(string(c), at, "found `"+string(c)+"`, expected a value"), nil
}

// wrong reports a separator, unless the one before it was wrong as well.
func (a *array) wrong(text string, at value.Position, detail string) *Record {
	if a.quiet {
		return nil
	}
	a.quiet = true
	return a.r.newBetween([]byte(text), at, value.Fault{Kind: value.InvalidJSON, End: len(text), Detail: detail})
}

// missingComma reports a value that no comma parts from the one before. What
// cannot be a value is passed over.
func (a *array) missingComma(c byte) *Record {
	end, found := value.Describe(a.r.in.load(settledBytes), 0)
	data := a.r.in.rest()[:end:end]
	rec := a.r.newBetween(data, a.r.in.pos, value.Fault{
		Kind: value.InvalidJSON, End: end, Detail: "found " + found + ", expected a comma or `]`",
	})
	if value.IsClosed(c) {
		a.afterValue = false
		end = 0
	}
	return a.passOver(rec, end)
}

// passOver skips n bytes that were reported, unless something before them was
// so already.
func (a *array) passOver(rec *Record, n int) *Record {
	if n > 0 {
		a.r.in.skip(n)
		a.last = a.r.in.pos
	}
	if a.quiet {
		return nil
	}
	a.quiet = true
	return rec
}

// garbage passes over bytes that are no value and stand where one is due.
func (a *array) garbage(p rawValue) *Record {
	a.inGarbage = true
	end := p.Stop.End
	return a.passOver(a.r.newBetween(a.r.in.rest()[:end:end], a.r.in.pos, *p.Stop), end)
}

// nameOutside is the fault of a name, ending at end, that stands where a
// record should begin.
func (r *Reader) nameOutside(end int) *value.Fault {
	return &value.Fault{
		Kind: value.InvalidJSON, Start: 0, End: end,
		Detail: "found the name " + value.Quote(r.in.rest()[:end]) + " outside an object, expected `{` before it",
	}
}
