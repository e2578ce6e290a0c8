package source

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

// expected is the state of a list: what may follow.
//
//	state           value           comma            ]                found a fault
//	afterBracket    afterElement    (wrong)          atEnd            lostPlace
//	afterComma      afterElement    (wrong)          atEnd, reported  lostPlace
//	afterElement    (missing comma) afterComma       atEnd            –
//	lostPlace       afterComma, at the next object that a comma precedes
//	atEnd           the tail of the envelope, then done
//
// A value that lacks its comma is read as after the bracket: its separator was reported.
type expected uint8

const (
	afterBracket expected = iota // an element or the closing bracket
	afterComma                   // an element
	afterElement                 // a comma or the closing bracket
	lostPlace                    // the next element is searched for
	atEnd                        // the closing bracket was read
	done                         // nothing is left
)

// list reads the elements of a JSON array one by one, and what follows it in its
// envelope, if it has one. It starts after the opening bracket.
type list struct {
	segment
	prefix  []byte       // pointer to the list, with a trailing slash
	count   int          // elements so far
	members []value.Node // of the envelope up to the list; nil if there is none

	state      expected
	comma      value.Position // position of the last comma
	hasComma   bool           // a comma was read
	lacksAll   bool           // no comma was read, and the first is missing: the bracket may be what is wrong
	reported   bool           // a wrong separator was reported; the next one is not
	last       value.Position // position after the last element or separator
	inGarbage  bool           // text that cannot start a value was reported, and no comma followed yet
	unfinished bool           // the envelope is invalid after the list, and its end was not read
}

// newList starts reading a list whose opening bracket was skipped. Prefix is the
// pointer to it.
func newList(s segment, prefix string) *list {
	return &list{segment: s, prefix: []byte(prefix + "/"), last: s.Pos}
}

// newEnvelope starts reading the envelope at the start of the unread input. The
// gap has the faults before its list; it is nil if there are none.
func (s segment) newEnvelope(head *value.ObjectHead) (l *list, gap *Record) {
	data, start := s.Rest()[:head.List+1], s.Pos
	members := slices.Clone(head.Members)
	if len(head.Faults) > 0 {
		gap = s.NewGap(bytes.Clone(data), start, head.Faults...)
	}
	s.Skip(head.List + 1)
	l = newList(s, "/"+members[len(members)-1].Name)
	l.members = members
	return l, gap
}

// Next returns the next record or gap, and nil, nil after the end of the list, or of
// its envelope.
func (l *list) Next() (*Record, error) {
	for l.state < atEnd {
		if l.state == lostPlace && !l.resync() {
			l.state = done
			return nil, l.Failure()
		}
		c, ok := l.Peek()
		if !ok {
			return l.unclosed()
		}
		if l.skipsComment(c) {
			continue
		}
		read := l.value
		if isSeparator(c) {
			read = l.separator
		}
		if rec, err := read(c); rec != nil || err != nil {
			return rec, err
		}
	}
	if l.state == atEnd && l.members != nil {
		l.state = done
		return l.tail()
	}
	return nil, nil
}

// value reads an element, or the text that is there instead.
func (l *list) value(c byte) (rec *Record, err error) {
	if l.state == afterElement {
		return l.missingComma(c), nil
	}
	p := l.readValue()
	switch {
	case p.Stop != nil && !p.Stop.Truncated && !value.IsDelimited(c):
		if l.inGarbage {
			return l.garbage(p), nil
		}
		switch l.FollowedBy(p.Stop.End) {
		case 0, ',', ']':
		case '"':
			p.lacksBracket = true // the invalid text may be in place of the opening bracket
		default:
			return l.garbage(p), nil
		}
	case p.Root != nil && c == '"' && l.FollowedBy(p.End) == ':':
		p = RawValue{Result: value.Result{Stop: l.nameOutsideObject(p.End)}, lacksBracket: true}
	case p.Root != nil && c == '"':
		p.Result = l.Scan.Scan(l.Rest()[:p.End], true) // FollowedBy may have moved the buffer
	}
	l.state = afterElement
	pointer := string(strconv.AppendInt(l.prefix[:len(l.prefix):len(l.prefix)], int64(l.count), 10))
	isCut := p.Stop != nil && (p.Stop.Truncated || l.EndsInString(p.Stop))
	if p.Stop != nil && !p.TooLarge && !p.Stop.ExceedsLimit() && !isCut {
		rec = l.faulty(p, pointer)
	} else {
		var isLost bool
		rec, isLost, err = l.recordOf(p, pointer, 0)
		if isLost {
			l.state = lostPlace
		}
		if isCut && !p.TooLarge {
			l.state = done
		}
	}
	l.last = l.Pos
	if rec != nil && !rec.IsGap {
		l.reported = false
		l.count++
	}
	return rec, err
}

// unclosed reports that the segment ends within the array.
func (l *list) unclosed() (*Record, error) {
	if err := l.Failure(); err != nil {
		return nil, err
	}
	l.state = done
	if l.reported || l.lacksAll {
		return nil, nil // the wrong separator that was reported may be the missing bracket
	}
	stop := value.Fault{Kind: value.InvalidJSON, Detail: "the line ends before the array is closed", Cause: value.UnclosedList}
	if l.IsBlankAfter(0) {
		stop.Kind, stop.Detail = TruncatedRecord, "the input ends before the array is closed"
	}
	return l.NewGap(nil, l.last, stop), nil
}

// separator reads a comma or a bracket. It returns a gap if it is wrong.
func (l *list) separator(c byte) (*Record, error) {
	at := l.Pos
	l.Skip(1)
	l.last, l.inGarbage = l.Pos, false
	switch {
	case c == ',' && l.state == afterElement:
		l.state, l.comma = afterComma, at
		l.hasComma, l.lacksAll = true, false
		return nil, nil
	case c == ']':
		before := l.state
		l.state = atEnd
		l.hasEmptyList = l.hasEmptyList || before == afterBracket && !l.reported
		if before == afterComma && !l.Scan.Python {
			return l.wrong(",", l.comma, "found a trailing comma before `]`"), nil
		}
		return nil, nil
	case l.state == afterElement:
		return l.wrong(string(c), at, "found `"+string(c)+"`, expected a comma or `]`"), nil
	}
	return l.wrong(string(c), at, "found `"+string(c)+"`, expected a value"), nil
}

// wrong reports a wrong separator, unless the one before it was wrong, too.
func (l *list) wrong(text string, at value.Position, detail string) *Record {
	if l.reported {
		return nil
	}
	l.reported = true
	return l.NewGap([]byte(text), at, value.Fault{Kind: value.InvalidJSON, End: len(text), Detail: detail})
}

// missingComma reports a value that follows another one without a comma. It
// skips text that cannot be a value.
func (l *list) missingComma(c byte) *Record {
	end, found := value.Describe(l.loadOnLine(0, settledBytes), 0)
	data := l.Rest()[:end:end]
	fault := value.Fault{Kind: value.InvalidJSON, End: end, Detail: "found " + found + ", expected a comma or `]`"}
	if c == '{' {
		if fault.Cause = value.MissingComma; !l.hasComma && l.Pos.Line > l.last.Line {
			fault.Cause = value.MissingCommas
		}
		if l.lacksAll {
			l.state = afterBracket
			return nil // as before the record before it
		}
		l.lacksAll = !l.hasComma
	}
	rec := l.NewGap(data, l.Pos, fault)
	if value.IsDelimited(c) {
		l.state = afterBracket
		end = 0
	}
	return l.skipReported(rec, end)
}

// skipReported skips the n bytes that rec reports. It returns nil if a
// separator before them was already reported: one finding is enough for one
// mistake.
func (l *list) skipReported(rec *Record, n int) *Record {
	if n > 0 {
		l.Skip(n)
		l.last = l.Pos
	}
	if l.reported {
		return nil
	}
	l.reported = true
	return rec
}

// garbage reports and skips text that cannot start a value.
func (l *list) garbage(p RawValue) *Record {
	l.inGarbage = true
	end := p.Stop.End
	return l.skipReported(l.NewGap(l.Rest()[:end:end], l.Pos, *p.Stop), end)
}

// nameOutsideObject returns the fault of a member name, ending at end, at the
// place of a record: the opening brace is missing.
func (s segment) nameOutsideObject(end int) *value.Fault {
	return &value.Fault{
		Kind: value.InvalidJSON, Start: 0, End: end,
		Detail: "found the name " + value.Quote(s.Rest()[:end]) + " outside an object, expected `{` before it",
	}
}

// tail reads the members of the envelope after the list.
func (l *list) tail() (*Record, error) {
	in := l.Segment
	limit := int(l.Options.MaxRecordBytes)
	b := value.BracketMatcher{Python: l.Scan.Python}
	b.StartInsideObject()
	for !b.Feed(in.Rest()[:min(limit, len(in.Rest()))]) && len(in.Rest()) <= limit && in.More() {
	}
	text := l.loadOnLine(b.Size(), settledBytes)
	over := !b.IsClosed() && !b.IsBroken() && len(in.Rest()) > limit
	if over {
		text = in.Rest()[:limit]
	}
	members, v := l.Scan.ScanTail(text)
	switch {
	case v.Stop == nil:
		return l.closedTail(members, v), nil
	case v.Stop.Truncated && over:
		v.Stop = &value.Fault{Kind: value.RecordTooLarge, End: 1, Detail: l.TooLarge().Detail}
	case v.Stop.Truncated: // the place is after the last member
		if err := in.Failure(); err != nil {
			return nil, err
		}
		last := in.IsBlankAfter(len(in.Rest()))
		data := value.TrimRight(in.Rest())
		rec := l.NewGap(data, in.Pos, *endOfRecord(data, last))
		in.Skip(len(in.Rest()))
		return rec, nil
	}
	data := input.TrimEnd(in.Load(min(b.Size(), v.Stop.End+PrefixBytes)), v.Stop.End)
	rec := l.NewGap(bytes.Clone(data), in.Pos, append(v.Faults, *v.Stop)...)
	if b.IsBroken() {
		in.Skip(len(data))
	} else if l.skipBalanced(&b) {
		return rec, nil
	}
	l.unfinished = true
	return rec, nil
}

// closedTail reports the faults of members that were read to the end of the envelope,
// also those whose keys come before the list, too.
func (l *list) closedTail(members []value.Node, v value.Result) (gap *Record) {
	in := l.Segment
	faults := v.Faults
	for i := range members {
		name := func(n value.Node) bool { return n.Name == members[i].Name }
		if first := slices.IndexFunc(l.members, name); first >= 0 && slices.IndexFunc(members, name) == i {
			f := value.RepeatedKey(&l.members[first], &members[i])
			f.Related = nil
			faults = append(faults, f)
		}
	}
	faults = append(faults, SecondLists(members, l.members[len(l.members)-1].Name)...)
	if len(faults) > 0 {
		gap = l.NewGap(in.Rest()[:v.End:v.End], in.Pos, value.SortFaults(faults)...)
	}
	in.Skip(v.End)
	return gap
}

// ListOf returns the list of records of an envelope, and nil for other values.
func ListOf(n *value.Node) *value.Node {
	for _, name := range listNames {
		if list := n.Member(name); list != nil && list.Kind == value.Array {
			return list
		}
	}
	return nil
}

// SecondLists returns the faults of members that contain records, too, of an envelope whose
// records are those of another member, the first one.
func SecondLists(members []value.Node, first string) (faults []value.Fault) {
	for i := range members {
		if m := &members[i]; m.Name != first && IsListName(m.Name) && m.Kind == value.Array && len(m.Children) > 0 {
			faults = append(faults, value.Fault{
				Kind: InvalidForm, Start: m.NameStart, End: m.NameEnd, Cause: value.SecondList,
				Detail: "found a second list of records, " + value.Quote([]byte(m.Name)) + ", after " + value.Quote([]byte(first)) + "; it was not read",
			})
		}
	}
	return faults
}

// listNames are the names that the member of an envelope that contains its records may have.
var listNames = []string{"messages", "chunks"}

// IsListName reports whether a name is one of them.
func IsListName(name string) bool { return slices.Contains(listNames, name) }

// findList returns the head of the object that starts at the unread byte i if it is one
// with a list of such a name, else nil. It reads no more than it needs to decide.
func (s segment) findList(i int, isName func(string) bool) *value.ObjectHead {
	limit := max(int(s.Options.MaxRecordBytes), smallValue)
	b := value.BracketMatcher{Python: s.Scan.Python}
	for size := 1; ; {
		data := s.Rest()[i:]
		data = data[:min(len(data), limit)]
		if len(data) >= size || b.Feed(data) || s.Complete() {
			head, stop := s.Scan.ScanHead(data, isName)
			if head != nil || stop == nil || !stop.Truncated || len(data) == limit || s.Complete() {
				return head
			}
			if size = len(data) + 1; size > smallValue {
				size = min(2*len(data), limit)
			}
		}
		s.More()
	}
}

// ElementsOf returns a reader of the elements of a list in the object at the unread text.
// Each element is a record. It also returns a gap with the faults before them, or nil. The
// reader returns nil after the end of the object; it is nil if the object has no such list.
func (cur *Cursor) ElementsOf(name string) (RecordReader, *Record) {
	cur.isDocument = true
	all := cur.all()
	head := all.findList(0, func(n string) bool { return n == name })
	if head == nil {
		return nil, nil
	}
	return all.newEnvelope(head)
}
