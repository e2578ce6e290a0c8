package source

import (
	"github.com/lmclint/lmclint/internal/source/value"
)

// unclosed reports that the stretch ends inside the array.
func (a *array) unclosed() (*Record, error) {
	if err := a.r.In.Failure(); err != nil {
		return nil, err
	}
	a.done = true
	if a.quiet {
		return nil, nil // the bracket may be what was found wrong
	}
	stop := value.Fault{Kind: value.InvalidJSON, Detail: "the line ends before the array is closed"}
	if a.r.In.BlankBehind(0) {
		stop = value.Fault{Kind: TruncatedRecord, Detail: "the input ends before the array is closed"}
	}
	return a.r.NewGap(nil, a.last, stop), nil
}

// separator reads a comma or a bracket, and returns what is wrong with it.
func (a *array) separator(c byte) (*Record, error) {
	at := a.r.In.Pos
	a.r.In.Skip(1)
	a.last, a.inGarbage = a.r.In.Pos, false
	switch {
	case c == ',' && a.afterValue:
		a.afterValue, a.afterComma, a.comma = false, true, at
		return nil, nil
	case c == ']':
		a.done, a.closed = true, true
		if a.afterComma && !a.r.Scan.Python {
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
	return a.r.NewGap([]byte(text), at, value.Fault{Kind: value.InvalidJSON, End: len(text), Detail: detail})
}

// missingComma reports a value that no comma parts from the one before. What
// cannot be a value is passed over.
func (a *array) missingComma(c byte) *Record {
	end, found := value.Describe(a.r.In.Load(SettledBytes), 0)
	data := a.r.In.Rest()[:end:end]
	rec := a.r.NewGap(data, a.r.In.Pos, value.Fault{
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
		a.r.In.Skip(n)
		a.last = a.r.In.Pos
	}
	if a.quiet {
		return nil
	}
	a.quiet = true
	return rec
}

// garbage passes over bytes that are no value and stand where one is due.
func (a *array) garbage(p RawValue) *Record {
	a.inGarbage = true
	end := p.Stop.End
	return a.passOver(a.r.NewGap(a.r.In.Rest()[:end:end], a.r.In.Pos, *p.Stop), end)
}

// nameOutside is the fault of a name, ending at end, that stands where a
// record should begin.
func (r *Cursor) nameOutside(end int) *value.Fault {
	return &value.Fault{
		Kind: value.InvalidJSON, Start: 0, End: end,
		Detail: "found the name " + value.Quote(r.In.Rest()[:end]) + " outside an object, expected `{` before it",
	}
}
