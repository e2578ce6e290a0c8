package text

import (
	"bytes"
	"slices"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// walker iterates over the values of a JSON text, and keeps only the current
// one in memory. It follows the brackets and strings of skipped values without
// checking them.
type walker struct {
	cur        *source.Cursor
	begun      bool // the outer object was entered
	open       []level
	afterValue bool           // a comma or a closing bracket must follow
	stop       *source.Record // the report of a fault that ended the walk, or of a skipped value; or nil
	err        error
}

// level is an open object or list.
type level struct {
	name string // of the member that it is, "" in a list
	list bool
}

// walkedReader is a form that is read with a walker.
type walkedReader interface {
	// pending returns the next record of the last value that was read, or nil.
	pending() *source.Record
	// step moves to the next value, and returns its record if it is one.
	step() *source.Record
}

// walk returns the next record of a form that starts with an object.
func (w *walker) walk(form walkedReader) (*source.Record, error) {
	if !w.begun {
		w.begun = true
		w.enter("", false)
	}
	for {
		if rec := form.pending(); rec != nil {
			return rec, nil
		}
		if rec := w.takeStop(); rec != nil {
			return rec, nil
		}
		if w.done() {
			return w.finish()
		}
		if rec := form.step(); rec != nil {
			return rec, nil
		}
	}
}

// enter moves into the next value if it is an object or list, as given by list,
// and reports whether it is.
func (w *walker) enter(name string, list bool) bool {
	opening := byte('{')
	if list {
		opening = '['
	}
	if c, ok := w.cur.In.Peek(); !ok || c != opening {
		return false
	}
	w.cur.In.Skip(1)
	w.open = append(w.open, level{name, list})
	w.afterValue = false
	return true
}

// enterAny moves into the next value if its path is that of one of the objects
// or lists, and reports whether it did.
func (w *walker) enterAny(name string, objects, lists []string) bool {
	path := w.path(name)
	return slices.Contains(objects, path) && w.enter(name, false) || slices.Contains(lists, path) && w.enter(name, true)
}

// next moves to the next value of the innermost object or list, and returns its
// name in an object. It returns false at the closing bracket, and when the walk
// ends (see done).
func (w *walker) next() (name string, ok bool) {
	c, ok := w.cur.In.Peek()
	if ok && c == ',' && w.afterValue {
		w.cur.In.Skip(1)
		w.afterValue = false
		c, ok = w.cur.In.Peek()
	}
	in := w.open[len(w.open)-1]
	switch {
	case !ok:
		return "", w.ended()
	case c == closingOf(in):
		w.cur.In.Skip(1)
		w.open = w.open[:len(w.open)-1]
		w.afterValue = true
		return "", false
	case w.afterValue:
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

// member reads a name and its colon.
func (w *walker) member() (name string, ok bool) {
	if c, _ := w.cur.In.Peek(); c != '"' {
		return "", w.unexpected("a name in double quotes")
	}
	p, ok := w.read()
	if !ok {
		return "", false
	}
	name = p.Root.Text()
	w.cur.In.Skip(p.End)
	w.afterValue = false
	if c, ok := w.cur.In.Peek(); !ok {
		return "", w.ended()
	} else if c != ':' {
		return "", w.unexpected("a colon after the name")
	}
	w.cur.In.Skip(1)
	if _, ok := w.cur.In.Peek(); !ok {
		return "", w.ended()
	}
	return name, true
}

// read scans the next value without skipping it. It is valid until the input is
// advanced.
func (w *walker) read() (p source.RawValue, ok bool) {
	p = w.cur.ScanValue()
	switch {
	case p.TooLarge:
		return p, w.skipLarge()
	case p.Stop == nil:
		return p, true
	case p.Stop.Truncated:
		return p, w.ended()
	}
	return p, w.fail(p.Stop)
}

// skip skips the next value.
func (w *walker) skip() bool {
	w.afterValue = true
	b := value.BracketMatcher{}
	if c, ok := w.cur.In.Peek(); ok && !value.IsDelimited(c) && !value.IsWordByte(c) {
		return w.unexpected("a value")
	}
	if source.SkipBalanced(&w.cur.In, &b) {
		return true
	}
	if b.IsBroken() {
		return w.unexpected("a value")
	}
	w.cur.In.Discard()
	return w.ended()
}

// skipLarge skips and reports the next value, which is too large.
func (w *walker) skipLarge() bool {
	size := int(min(source.PrefixBytes, w.cur.Options.MaxRecordBytes))
	head := bytes.Clone(w.cur.In.Load(size))
	head = head[:max(1, value.RuneStart(head, len(head)-1))]
	at := w.cur.In.Pos
	if w.skip() {
		w.stop = w.cur.NewGap(head, at, w.cur.TooLarge())
	}
	return false
}

// skipTaken skips a value of size bytes that read returned.
func (w *walker) skipTaken(size int) {
	w.cur.In.Skip(size)
	w.afterValue = true
}

// path returns the names from the root to a member of the current object,
// joined by slashes. A list has an empty name for its elements.
func (w *walker) path(name string) (path string) {
	for _, l := range w.open[1:] {
		path += l.name + "/"
	}
	return path + name
}

// ended ends the walk at the end of the input.
func (w *walker) ended() bool {
	if w.err = w.cur.In.Failure(); w.err == nil {
		w.stop = w.cur.NewGap(nil, w.cur.In.Pos, value.Fault{Kind: source.TruncatedRecord, Detail: "the input ends before the JSON text is closed"})
	}
	return w.end()
}

// unexpected ends the walk at a byte that cannot appear here.
func (w *walker) unexpected(want string) bool {
	end, found := value.Describe(w.cur.In.Load(source.SettledBytes), 0)
	return w.fail(&value.Fault{Kind: value.InvalidJSON, End: end, Detail: "found " + found + ", expected " + want})
}

// fail ends the walk at a fault.
func (w *walker) fail(stop *value.Fault) bool {
	stop.Detail += "; the rest of the input is not read"
	w.stop = w.cur.NewGap(w.cur.In.Load(stop.End)[:stop.End:stop.End], w.cur.In.Pos, *stop)
	return w.end()
}

func (w *walker) end() bool {
	w.open = nil
	return false
}

// takeStop returns the pending report, if any, and clears it.
func (w *walker) takeStop() (rec *source.Record) {
	rec, w.stop = w.stop, nil
	return rec
}

// done reports whether the walk has ended, regularly or at a fault.
func (w *walker) done() bool { return len(w.open) == 0 }

// finish returns the error that ends the reading.
func (w *walker) finish() (*source.Record, error) {
	if w.err != nil {
		return nil, w.err
	}
	return nil, w.cur.In.End()
}
