package source

import (
	"github.com/lmclint/lmclint/internal/source/value"
)

// maxLogPrefix is within how many bytes of a line, or of what was read from it
// last, a record of a log must begin.
const maxLogPrefix = 4 << 10

// among reads records that stand among other text: behind a prefix on a line
// of a log, or between the prose of a page. What is no record is passed over.
type embeddedReader struct {
	r      *Reader
	log    bool
	led    bool      // words stand before the records of a page that is none but for them
	marked bool      // arrows say who sent the records of the log
	sender Direction // of the record that comes next
	below  bool      // the line above announces that, which may take several lines
	begun  bool      // something of the line was looked at
	held   bool      // the line holds a record
	tried  bool      // an object was found on the line
	blank  bool      // the line holds nothing, or a comment
	apart  bool      // other text stands between the last record and what comes next
	prefix prefixes
	strays skippedLines
	inside *nestedReader // the records of the quoted lines at hand
	ended  bool
}

// newAmong begins to read a log or a page. A page shows records to people: how
// they are written is no mistake in it.
func newAmong(r *Reader, form Form) *embeddedReader {
	r.form = form
	r.told = form == FormMarkdown
	return &embeddedReader{r: r, log: form == FormLog, apart: true}
}

func (a *embeddedReader) next() (*Record, error) {
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
	in := &a.r.in
	for {
		in.bound = true
		begins := !a.begun
		a.beginLine()
		if begins && !a.log && a.quote() || a.atRecord() {
			return true
		}
		a.endLine()
		if !in.nextLine() {
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
	in := &a.r.in
	c := in.followedBy(0)
	a.blank = c == 0 || c == '#' && !a.log || a.marked && smallTalk().Match(in.load(value.MaxWord))
	if a.log && !a.marked && !a.blank {
		a.listen(in.load(2 * excerptWidth))
	}
	if a.counts() && a.strays.lines == 0 && !a.blank {
		a.strays.remember(in)
	}
}

// counts reports whether a line without a record is to be told of.
func (a *embeddedReader) counts() bool { return a.log || a.led && a.r.index == 0 }

// listen hears from a line of a log who sent the record below it.
func (a *embeddedReader) listen(line []byte) {
	if direction := announced(line); direction != Undirected {
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
	a.r.in.discard()
}

// atRecord moves to the next place on the line where a record may begin, and
// reports whether there is one.
func (a *embeddedReader) atRecord() bool {
	in := &a.r.in
	switch {
	case a.log && a.marked:
		return a.passMark()
	case a.log && !a.below:
		return a.behindPrefix()
	}
	for {
		c, ok := in.peek()
		switch {
		case !ok:
			return false
		case c == '{':
			return a.r.atObject()
		case c == '[', isListSeparator(c) && a.held:
			in.skip(1)
			a.blank = a.blank || a.led // it belongs to the records
		default:
			return false
		}
	}
}

// behindPrefix moves to the next object of a line of a log, or to what may be
// left of its only one.
func (a *embeddedReader) behindPrefix() bool {
	in := &a.r.in
	prefix, ok := in.passPrefix()
	a.prefix.see(prefix)
	a.sender = Undirected
	if !ok && !a.tried {
		ok = in.passTo(brokenObjectStart())
	}
	a.tried = true
	return ok
}

// atObject reports whether an object begins here, whose first key may stand on
// a line below, or may lack its first quote.
func (r *Reader) atObject() bool {
	text := r.in.load(openingWindow)
	if opensObject(text) || lacksQuote().Match(text) {
		return true
	}
	r.in.bound = false
	opens := opensObject(r.in.load(openingWindow))
	r.in.bound = true
	return opens
}

// isListSeparator reports whether c may stand behind a record in a list.
func isListSeparator(c byte) bool { return c == ',' || c == ']' || c == ';' }

// value reads what may be a record. It returns nil if it is none.
func (a *embeddedReader) value() (*Record, error) {
	in := &a.r.in
	in.bound = a.log && !a.below
	column := in.pos.Column
	p := a.cut()
	switch {
	case p.Stop != nil && !a.marked && a.isCode(p.Stop):
		a.passOver(p.Stop)
		return nil, nil
	case p.Root != nil && !a.log && isEnvelope(p.Root):
		in.skip(p.Root.Member(listName).Start + 1)
		return nil, nil
	}
	index, told := a.r.index, a.r.told
	rec, err := a.record(p, column)
	if err != nil {
		return nil, err
	}
	rec.AlignedWithRecords = a.log && a.prefix.known() || !a.log && !a.apart
	if !a.marked && !a.r.options.owns(rec) {
		a.r.index, a.r.told = index, told
		return nil, nil
	}
	a.prefix.keep()
	rec.FollowsOtherText, rec.Direction = a.apart && !a.log, a.sender
	a.apart, a.held = false, true
	return rec, nil
}

func (a *embeddedReader) record(p rawValue, column int) (*Record, error) {
	if a.r.in.bound {
		return a.r.lineRecord(p)
	}
	rec, _, err := a.r.looseRecord(p, column)
	return rec, err
}

// passOver skips an object that is code, up to the end of the line on which
// that shows.
func (a *embeddedReader) passOver(stop *value.Fault) {
	in := &a.r.in
	in.skip(stop.Start)
	in.bound = true
	in.discard()
}

// cut finds the end of an object, be it JSON or a Python literal.
func (a *embeddedReader) cut() rawValue {
	r := a.r
	r.scan.Python = opensPython(r.in.load(openingWindow))
	p := r.cut()
	if p.Stop == nil || p.tooLarge || r.scan.Python || a.log {
		return p // print writes no key in double quotes, people do
	}
	stop := p.Stop.Start
	r.scan.Python = true
	if q := r.cut(); q.tooLarge || q.Stop == nil || q.Stop.Start > stop {
		return q
	}
	r.scan.Python = false
	return r.cut()
}

// finish ends the reading. Of a log it tells, once, how much was passed over.
func (a *embeddedReader) finish() (*Record, error) {
	err := a.r.in.end()
	if a.ended || a.r.in.failure() != nil || a.strays.lines == 0 || a.r.index == 0 {
		return nil, err
	}
	a.ended = true
	rec := a.r.newBetween(nil, a.r.in.pos)
	rec.Problems = []Problem{a.strays.problem()}
	return rec, nil
}
