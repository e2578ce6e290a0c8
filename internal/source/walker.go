package source

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source/value"
)

// walker moves through a JSON text value by value, and holds no more of it than
// the value that somebody takes. What is passed over is only followed by its
// brackets and strings.
type walker struct {
	r     *Reader
	open  []level
	after bool    // a value was passed: a comma or a bracket must follow
	stop  *Record // what ended the walk, or was passed over
	err   error
}

// level is an object or a list that is being walked through.
type level struct {
	name string // of the member that it is, "" in a list
	list bool
}

// enter moves into the object or list that comes next. It reports false if
// there is none of that kind.
func (w *walker) enter(name string, list bool) bool {
	opening := byte('{')
	if list {
		opening = '['
	}
	if c, ok := w.r.in.peek(); !ok || c != opening {
		return false
	}
	w.r.in.skip(1)
	w.open = append(w.open, level{name, list})
	w.after = false
	return true
}

// next moves to the next value of the innermost object or list, and returns
// its name in an object. It reports false where that is closed, or where
// reading ends, which done tells.
func (w *walker) next() (name string, ok bool) {
	c, ok := w.r.in.peek()
	if ok && c == ',' && w.after {
		w.r.in.skip(1)
		w.after = false
		c, ok = w.r.in.peek()
	}
	in := w.open[len(w.open)-1]
	switch {
	case !ok:
		return "", w.ended()
	case c == closingOf(in):
		w.r.in.skip(1)
		w.open = w.open[:len(w.open)-1]
		w.after = true
		return "", false
	case w.after:
		return "", w.unexpected("a comma or `" + string(closingOf(in)) + "`")
	case in.list:
		return "", true
	}
	return w.member()
}

func closingOf(l level) byte {
	if l.list {
		return ']'
	}
	return '}'
}

// member moves over a name and its colon.
func (w *walker) member() (name string, ok bool) {
	if c, _ := w.r.in.peek(); c != '"' {
		return "", w.unexpected("a name in double quotes")
	}
	p, ok := w.take()
	if !ok {
		return "", false
	}
	name = p.Root.Text()
	w.r.in.skip(p.End)
	w.after = false
	if c, ok := w.r.in.peek(); !ok {
		return "", w.ended()
	} else if c != ':' {
		return "", w.unexpected("a colon after the name")
	}
	w.r.in.skip(1)
	if _, ok := w.r.in.peek(); !ok {
		return "", w.ended()
	}
	return name, true
}

// take reads the value that comes next. It is good until the input is moved.
func (w *walker) take() (p rawValue, ok bool) {
	p = w.r.cut()
	switch {
	case p.tooLarge:
		return p, w.passLarge()
	case p.Stop == nil:
		return p, true
	case p.Stop.Truncated:
		return p, w.ended()
	}
	return p, w.wrong(p.Stop)
}

// pass moves over the value that comes next.
func (w *walker) pass() bool {
	w.after = true
	b := value.BracketMatcher{}
	if c, ok := w.r.in.peek(); ok && !value.IsClosed(c) && !value.IsWordByte(c) {
		return w.unexpected("a value")
	}
	if w.r.in.skipBalanced(&b) {
		return true
	}
	if b.Broken {
		return w.unexpected("a value")
	}
	w.r.in.discard()
	return w.ended()
}

// passLarge moves over the value that comes next, which is too large to be taken,
// and tells of it.
func (w *walker) passLarge() bool {
	size := int(min(prefixBytes, w.r.options.MaxRecordBytes))
	head := bytes.Clone(w.r.in.load(size))
	head = head[:max(1, value.RuneStart(head, len(head)-1))]
	at := w.r.in.pos
	if w.pass() {
		w.stop = w.r.newBetween(head, at, w.r.tooLarge())
	}
	return false
}

// passTaken moves over a value of so many bytes that was taken.
func (w *walker) passTaken(size int) {
	w.r.in.skip(size)
	w.after = true
}

// path is where the value of that name stands, without numbers: a list adds an
// empty name for its elements.
func (w *walker) path(name string) (path string) {
	for _, l := range w.open[1:] {
		path += l.name + "/"
	}
	return path + name
}

// ended ends the walk where the input does.
func (w *walker) ended() bool {
	if w.err = w.r.in.failure(); w.err == nil {
		w.stop = w.r.newBetween(nil, w.r.in.pos, value.Fault{Kind: TruncatedRecord, Detail: "the input ends before the JSON text is closed"})
	}
	return w.end()
}

// unexpected ends the walk at a byte that cannot stand there.
func (w *walker) unexpected(want string) bool {
	end, found := value.Describe(w.r.in.load(settledBytes), 0)
	return w.wrong(&value.Fault{Kind: value.InvalidJSON, End: end, Detail: "found " + found + ", expected " + want})
}

// wrong ends the walk at a fault.
func (w *walker) wrong(stop *value.Fault) bool {
	stop.Detail += "; the rest of the input is not read"
	w.stop = w.r.newBetween(w.r.in.load(stop.End)[:stop.End:stop.End], w.r.in.pos, *stop)
	return w.end()
}

func (w *walker) end() bool {
	w.open = nil
	return false
}

// told returns what is to be told, once.
func (w *walker) told() (rec *Record) {
	rec, w.stop = w.stop, nil
	return rec
}

// done reports whether the walk has ended, for good or at a fault.
func (w *walker) done() bool { return len(w.open) == 0 }

// finish ends the reading.
func (w *walker) finish() (*Record, error) {
	if w.err != nil {
		return nil, w.err
	}
	return nil, w.r.in.end()
}
