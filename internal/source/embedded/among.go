package embedded

import (
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// maxLogPrefix is within how many bytes of a line, or of what was read from it
// last, a record of a log must begin.
const maxLogPrefix = 4 << 10

// among reads records that stand among other text: behind a prefix on a line
// of a log, or between the prose of a page. What is no record is passed over.
type embeddedReader struct {
	r      *source.Cursor
	log    bool
	led    bool             // words stand before the records of a page that is none but for them
	marked bool             // arrows say who sent the records of the log
	sender source.Direction // of the record that comes next
	below  bool             // the line above announces that, which may take several lines
	begun  bool             // something of the line was looked at
	held   bool             // the line holds a record
	tried  bool             // an object was found on the line
	blank  bool             // the line holds nothing, or a comment
	apart  bool             // other text stands between the last record and what comes next
	prefix prefixes
	strays skippedLines
	inside *source.Nested  // the records of the quoted lines at hand
	quoted *embeddedReader // what inside reads with
	ended  bool
}

// newAmong begins to read a log or a page. A page shows records to people: how
// they are written is no mistake in it.
func newAmong(r *source.Cursor, form source.Form) *embeddedReader {
	r.Form = form
	r.PythonReported = form == source.FormMarkdown
	return &embeddedReader{r: r, log: form == source.FormLog, apart: true}
}

func (a *embeddedReader) Next() (*source.Record, error) {
	for a.inside != nil || a.seek() {
		if a.inside != nil {
			if rec := a.fromQuote(); rec != nil {
				return rec, nil
			}
			continue
		}
		rec, err := a.value()
		if rec != nil || err != nil {
			return rec, err
		}
	}
	return a.finish()
}

// seek skips, in bounded memory, to where the next record may begin, and
// reports whether there is such a place.
func (a *embeddedReader) seek() bool {
	in := &a.r.In
	for {
		in.Bound = true
		begins := !a.begun
		a.beginLine()
		if begins && !a.log && a.quote() || a.atRecord() {
			return true
		}
		a.endLine()
		if !in.NextLine() {
			return false
		}
	}
}

// beginLine looks at a line before anything of it is skipped.
func (a *embeddedReader) beginLine() {
	if a.begun {
		return
	}
	a.begun, a.held, a.tried = true, false, false
	in := &a.r.In
	c := in.FollowedBy(0)
	a.blank = c == 0 || c == '#' && !a.log || a.marked && smallTalk().Match(in.Load(value.MaxWord))
	if a.log && !a.marked && !a.blank {
		a.listen(in.Load(2 * source.ExcerptWidth))
	}
	if a.counts() && a.strays.lines == 0 && !a.blank {
		a.strays.remember(in)
	}
}

// counts reports whether a line without a record is to be told of.
func (a *embeddedReader) counts() bool { return a.log || a.led && a.r.Index == 0 }

// listen hears from a line of a log who sent the record below it.
func (a *embeddedReader) listen(line []byte) {
	if direction := announced(line); direction != source.Undirected {
		a.sender, a.below, a.blank = direction, true, true
	} else if line[value.SpaceSize(line)] != '{' {
		a.below = false
	}
}

// endLine skips what is left of a line.
func (a *embeddedReader) endLine() {
	if !a.held && !a.blank {
		a.apart = true
		if a.counts() {
			a.strays.add()
		}
	}
	a.begun = false
	a.r.In.Discard()
}

// atRecord moves to the next place on the line where a record may begin, and
// reports whether there is one.
func (a *embeddedReader) atRecord() bool {
	in := &a.r.In
	switch {
	case a.log && a.marked:
		return a.passMark()
	case a.log && !a.below:
		return a.behindPrefix()
	}
	for {
		c, ok := in.Peek()
		switch {
		case !ok:
			return false
		case c == '{':
			return atObject(a.r)
		case c == '[', isListSeparator(c) && a.held:
			in.Skip(1)
			a.blank = a.blank || a.led // it belongs to the records
		default:
			return false
		}
	}
}

// behindPrefix moves to the next object of a line of a log, or to what may be
// left of its only one.
func (a *embeddedReader) behindPrefix() bool {
	in := &a.r.In
	prefix, ok := passPrefix(in)
	a.prefix.see(prefix)
	a.sender = source.Undirected
	if !ok && !a.tried {
		ok = passTo(in, brokenObjectStart())
	}
	a.tried = true
	return ok
}

// atObject reports whether an object begins here, whose first key may stand on
// a line below, or may lack its first quote.
func atObject(r *source.Cursor) bool {
	text := r.In.Load(openingWindow)
	if source.OpensObject(text) || lacksQuote().Match(text) {
		return true
	}
	r.In.Bound = false
	opens := source.OpensObject(r.In.Load(openingWindow))
	r.In.Bound = true
	return opens
}

// isListSeparator reports whether c may stand behind a record in a list.
func isListSeparator(c byte) bool { return c == ',' || c == ']' || c == ';' }

// value reads what may be a record. It returns nil if it is none.
func (a *embeddedReader) value() (*source.Record, error) {
	in := &a.r.In
	in.Bound = a.log && !a.below
	column := in.Pos.Column
	p := a.cut()
	switch {
	case p.Stop != nil && !a.marked && a.isCode(p.Stop):
		a.passOver(p.Stop)
		return nil, nil
	case p.Root != nil && !a.log && source.IsEnvelope(p.Root):
		in.Skip(p.Root.Member(source.ListName).Start + 1)
		return nil, nil
	}
	index, told := a.r.Index, a.r.PythonReported
	rec, err := a.record(p, column)
	if err != nil {
		return nil, err
	}
	rec.AlignedWithRecords = a.log && a.prefix.known() || !a.log && !a.apart
	if !a.marked && !a.r.Options.Owns(rec) {
		a.r.Index, a.r.PythonReported = index, told
		return nil, nil
	}
	a.prefix.keep()
	rec.FollowsOtherText, rec.Direction = a.apart && !a.log, a.sender
	a.apart, a.held = false, true
	return rec, nil
}

func (a *embeddedReader) record(p source.RawValue, column int) (*source.Record, error) {
	if a.r.In.Bound {
		return a.r.LineRecord(p)
	}
	rec, _, err := a.r.LooseRecord(p, column)
	return rec, err
}

// passOver skips an object that is code, up to the end of the line on which
// that shows.
func (a *embeddedReader) passOver(stop *value.Fault) {
	in := &a.r.In
	in.Skip(stop.Start)
	in.Bound = true
	in.Discard()
}

// cut finds the end of an object, be it JSON or a Python literal.
func (a *embeddedReader) cut() source.RawValue {
	r := a.r
	r.Scan.Python = opensPython(r.In.Load(openingWindow))
	p := r.Cut()
	if p.Stop == nil || p.TooLarge || r.Scan.Python || a.log {
		return p // print writes no key in double quotes, people do
	}
	stop := p.Stop.Start
	r.Scan.Python = true
	if q := r.Cut(); q.TooLarge || q.Stop == nil || q.Stop.Start > stop {
		return q
	}
	r.Scan.Python = false
	return r.Cut()
}

// finish ends the reading. Of a log it tells, once, how much was passed over.
func (a *embeddedReader) finish() (*source.Record, error) {
	err := a.r.In.End()
	if a.ended || a.r.In.Failure() != nil || a.strays.lines == 0 || a.r.Index == 0 {
		return nil, err
	}
	a.ended = true
	rec := a.r.NewGap(nil, a.r.In.Pos)
	rec.Problems = []source.Problem{a.strays.problem()}
	return rec, nil
}
