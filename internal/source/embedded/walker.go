package embedded

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

// walker moves through a JSON text value by value, and holds no more of it than
// the value that somebody takes. What is passed over is only followed by its
// brackets and strings.
type walker struct {
	r     *source.Cursor
	open  []level
	after bool           // a value was passed: a comma or a bracket must follow
	stop  *source.Record // what ended the walk, or was passed over
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
	if c, ok := w.r.In.Peek(); !ok || c != opening {
		return false
	}
	w.r.In.Skip(1)
	w.open = append(w.open, level{name, list})
	w.after = false
	return true
}

// next moves to the next value of the innermost object or list, and returns
// its name in an object. It reports false where that is closed, or where
// reading ends, which done tells.
func (w *walker) next() (name string, ok bool) {
	c, ok := w.r.In.Peek()
	if ok && c == ',' && w.after {
		w.r.In.Skip(1)
		w.after = false
		c, ok = w.r.In.Peek()
	}
	in := w.open[len(w.open)-1]
	switch {
	case !ok:
		return "", w.ended()
	case c == closingOf(in):
		w.r.In.Skip(1)
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
	if c, _ := w.r.In.Peek(); c != '"' {
		return "", w.unexpected("a name in double quotes")
	}
	p, ok := w.take()
	if !ok {
		return "", false
	}
	name = p.Root.Text()
	w.r.In.Skip(p.End)
	w.after = false
	if c, ok := w.r.In.Peek(); !ok {
		return "", w.ended()
	} else if c != ':' {
		return "", w.unexpected("a colon after the name")
	}
	w.r.In.Skip(1)
	if _, ok := w.r.In.Peek(); !ok {
		return "", w.ended()
	}
	return name, true
}

// take reads the value that comes next. It is good until the input is moved.
func (w *walker) take() (p source.RawValue, ok bool) {
	p = w.r.Cut()
	switch {
	case p.TooLarge:
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
	if c, ok := w.r.In.Peek(); ok && !value.IsClosed(c) && !value.IsWordByte(c) {
		return w.unexpected("a value")
	}
	if source.SkipBalanced(&w.r.In, &b) {
		return true
	}
	if b.Broken {
		return w.unexpected("a value")
	}
	w.r.In.Discard()
	return w.ended()
}

// passLarge moves over the value that comes next, which is too large to be taken,
// and tells of it.
func (w *walker) passLarge() bool {
	size := int(min(source.PrefixBytes, w.r.Options.MaxRecordBytes))
	head := bytes.Clone(w.r.In.Load(size))
	head = head[:max(1, value.RuneStart(head, len(head)-1))]
	at := w.r.In.Pos
	if w.pass() {
		w.stop = w.r.NewGap(head, at, w.r.TooLarge())
	}
	return false
}

// passTaken moves over a value of so many bytes that was taken.
func (w *walker) passTaken(size int) {
	w.r.In.Skip(size)
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
	if w.err = w.r.In.Failure(); w.err == nil {
		w.stop = w.r.NewGap(nil, w.r.In.Pos, value.Fault{Kind: source.TruncatedRecord, Detail: "the input ends before the JSON text is closed"})
	}
	return w.end()
}

// unexpected ends the walk at a byte that cannot stand there.
func (w *walker) unexpected(want string) bool {
	end, found := value.Describe(w.r.In.Load(source.SettledBytes), 0)
	return w.wrong(&value.Fault{Kind: value.InvalidJSON, End: end, Detail: "found " + found + ", expected " + want})
}

// wrong ends the walk at a fault.
func (w *walker) wrong(stop *value.Fault) bool {
	stop.Detail += "; the rest of the input is not read"
	w.stop = w.r.NewGap(w.r.In.Load(stop.End)[:stop.End:stop.End], w.r.In.Pos, *stop)
	return w.end()
}

func (w *walker) end() bool {
	w.open = nil
	return false
}

// told returns what is to be told, once.
func (w *walker) told() (rec *source.Record) {
	rec, w.stop = w.stop, nil
	return rec
}

// done reports whether the walk has ended, for good or at a fault.
func (w *walker) done() bool { return len(w.open) == 0 }

// finish ends the reading.
func (w *walker) finish() (*source.Record, error) {
	if w.err != nil {
		return nil, w.err
	}
	return nil, w.r.In.End()
}

// headWindow is within how many bytes of its beginning a recording of a browser
// or a notebook must show what it is.
const headWindow = 4 << 10

// detectWalked recognises a JSON text of which only some values hold records, by
// its first member.
func detectWalked(r *source.Cursor, c byte) source.RecordReader {
	form := r.Options.Form
	if form == source.FormAuto && c == '{' && !r.In.Within {
		form = walkedForm(r)
	}
	switch {
	case form == source.FormHAR && c == '{':
		return newHAR(r)
	case form == source.FormNotebook && c == '{':
		return newNotebook(r)
	}
	return nil
}

// walkedForm is the form that the first member of an object shows.
func walkedForm(r *source.Cursor) source.Form {
	switch {
	case firstMember(r, "log", "{"):
		return source.FormHAR
	case firstMember(r, "cells", "[") && showsCells(r):
		return source.FormNotebook
	case firstMember(r, "nbformat", ""), firstMember(r, "nbformat_minor", ""):
		return source.FormNotebook
	case firstMember(r, "metadata", "{") && headHolds(r, `"cells"`, `"kernelspec"`, `"nbformat"`):
		return source.FormNotebook
	}
	return source.FormAuto
}

// showsCells reports whether a list of cells is one of a notebook.
func showsCells(r *source.Cursor) bool { return headHolds(r, `"cell_type"`, `"nbformat"`) }

// headHolds reports whether the first bytes of the input hold one of some words.
func headHolds(r *source.Cursor, words ...string) bool {
	head := r.In.Load(headWindow)
	for _, word := range words {
		if bytes.Contains(head, []byte(word)) {
			return true
		}
	}
	return false
}

// firstMember reports whether the first member of the object that the input
// begins with has a name, and a value that begins with opening. It waits for no
// more of the input than it takes to know.
func firstMember(r *source.Cursor, name, opening string) bool {
	at := 1
	for _, want := range []string{`"` + name + `"`, ":", opening} {
		end, ok := token(&r.In, at, want)
		if !ok {
			return false
		}
		at = end
	}
	return true
}

// token reports whether the unread input has a token at i, behind white space,
// and where that ends.
func token(in *input.Input, i int, want string) (end int, ok bool) {
	for {
		rest := in.Rest()
		at := min(i, len(rest))
		at += value.SpaceSize(rest[at:])
		got := rest[at:]
		switch {
		case at > headWindow:
			return 0, false
		case len(got) >= len(want):
			return at + len(want), bytes.HasPrefix(got, []byte(want))
		case !bytes.HasPrefix([]byte(want), got) || !in.More():
			return 0, false
		}
	}
}
