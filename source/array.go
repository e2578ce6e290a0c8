package source

import "strconv"

// array reads the elements of an array one by one, from behind its opening
// bracket.
type array struct {
	r      *Reader
	prefix string // of the elements' pointers

	afterValue bool // a comma or the end is due
	afterComma bool // a value is due
	comma      Position
	quiet      bool     // a separator was found wrong; the next one need not be told of
	last       Position // behind the last thing that was read
	lost       bool     // look for the next element
	done       bool
	closed     bool // the closing bracket was there
}

func newArray(r *Reader, prefix string) *array {
	return &array{r: r, prefix: prefix, last: r.in.pos}
}

// next returns nil at the end of the array.
func (a *array) next() (*Record, error) {
	for !a.done {
		if a.lost && !a.find() {
			a.done = true
			return nil, a.r.in.failure()
		}
		c, ok := a.r.in.peek()
		if !ok {
			return a.unclosed()
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

// unclosed reports that the stretch ends inside the array.
func (a *array) unclosed() (*Record, error) {
	if err := a.r.in.failure(); err != nil {
		return nil, err
	}
	a.done = true
	stop := fault{kind: InvalidJSON, detail: "the line ends before the array is closed"}
	if a.r.in.blankBehind(0) {
		stop = fault{kind: TruncatedRecord, detail: "the input ends before the array is closed"}
	}
	return a.r.newBetween(nil, a.last, stop), nil
}

// separator reads a comma or a bracket, and returns what is wrong with it.
func (a *array) separator(c byte) (*Record, error) {
	at := a.r.in.pos
	a.r.in.skip(1)
	a.last = a.r.in.pos
	switch {
	case c == ',' && a.afterValue:
		a.afterValue, a.afterComma, a.comma = false, true, at
		return nil, nil
	case c == ']':
		a.done, a.closed = true, true
		if a.afterComma {
			return a.wrong(",", a.comma, "found a trailing comma before `]`"), nil
		}
		return nil, nil
	case a.afterValue:
		return a.wrong(string(c), at, "found `"+string(c)+"`, expected a comma or `]`"), nil
	}
	return a.wrong(string(c), at, "found `"+string(c)+"`, expected a value"), nil
}

// wrong reports a separator, unless the one before it was wrong as well.
func (a *array) wrong(text string, at Position, detail string) *Record {
	if a.quiet {
		return nil
	}
	a.quiet = true
	return a.r.newBetween([]byte(text), at, fault{kind: InvalidJSON, end: len(text), detail: detail})
}

// value reads an element, or what stands in its place.
func (a *array) value(c byte) (*Record, error) {
	if a.afterValue {
		return a.missingComma(c), nil
	}
	p := a.r.cut()
	if p.stop != nil && !p.stop.cutOff && !isClosed(c) && !a.standsAlone(p.stop.end) {
		rec := a.r.newBetween(a.r.in.rest()[:p.stop.end:p.stop.end], a.r.in.pos, *p.stop)
		return a.passOver(rec, p.stop.end), nil
	}
	if p.root != nil && c == '"' && a.isName(p.end) {
		p = piece{verdict: verdict{stop: a.r.nameOutside(p.end)}}
	}
	a.afterValue, a.afterComma, a.quiet = true, false, false
	rec, err := a.element(p)
	a.last = a.r.in.pos
	return rec, err
}

func (a *array) element(p piece) (*Record, error) {
	r := a.r
	pointer := a.prefix + "/" + strconv.Itoa(r.index)
	switch {
	case p.tooLarge:
		return a.large(p, pointer, r.tooLarge()), nil
	case p.stop == nil:
		rec := r.newRecord(r.in.rest()[:p.end:p.end], pointer, p.verdict)
		r.in.skip(p.end)
		return rec, nil
	case p.stop.passable():
		return a.large(p, pointer, *p.stop), nil
	case p.stop.cutOff:
		a.done = true
		return r.cutOffRecord(p, pointer)
	}
	return a.faulty(p, pointer), nil
}

func (a *array) large(p piece, pointer string, stop fault) *Record {
	rec, closed := a.r.largeRecord(p, pointer, stop)
	a.lost = !closed
	return rec
}

// missingComma reports a value that no comma parts from the one before. What
// cannot be a value is passed over.
func (a *array) missingComma(c byte) *Record {
	end, found := describe(a.r.in.load(settledBytes), 0)
	data := a.r.in.rest()[:end:end]
	rec := a.r.newBetween(data, a.r.in.pos, fault{
		kind: InvalidJSON, end: end, detail: "found " + found + ", expected a comma or `]`",
	})
	if isClosed(c) {
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

// isName reports whether the string that ends at i is a name: its object has
// no opening bracket.
func (a *array) isName(i int) bool {
	c, _ := a.r.in.following(i)
	return c == ':'
}

// standsAlone reports whether a separator, or the end, follows behind i.
func (a *array) standsAlone(i int) bool {
	c, ok := a.r.in.following(i)
	return !ok || c == ',' || c == ']'
}
