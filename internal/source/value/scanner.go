// Package value parses one JSON value or Python literal: it checks the grammar,
// builds a tree of nodes with their offsets, and decodes strings.
//
// A [Scanner] scans a value by RFC 8259, or by the grammar of Python's literals,
// and reports what is wrong with it as a [Fault]. A [BracketMatcher] finds the
// end of a value without checking it. The package does not depend on inputs or
// records: offsets count bytes from the start of the data to scan.
package value

import (
	"fmt"
	"slices"
)

// Scanner checks one value by RFC 8259 or by the grammar of Python's literals,
// and builds its tree. It reuses its memory: a result is valid until the next
// scan. It is not safe for concurrent use.
type Scanner struct {
	MaxDepth  int
	MaxValues int  // 0 means MaxValues
	Python    bool // read Python literals, not JSON

	data            []byte
	pos             int
	token           int // offset of the last valid token
	depth           int
	build           bool // build the tree, not only check
	mayHaveNonASCII bool // the scanned part may contain bytes that are not ASCII

	values int
	stack  []Node // members of the objects and arrays that are still open
	nodes  nodeArena
	root   Node
	faults []Fault // those that did not stop the scan
	stop   *Fault

	isListName func(string) bool // of ScanHead: a list of that name in the outermost object ends the scan
	list       int               // where it begins, or 0
}

// Fault is an error in a value. Offsets are bytes from the start of the data.
type Fault struct {
	Kind       FaultKind
	Start, End int
	Detail     string
	Cause      Cause

	Truncated bool   // the data ends within a value that is valid so far
	Token     int    // offset of the last valid token before the fault
	Related   *Range // as in source.Problem; else nil
}

// Moved returns the fault with offsets that are larger by so many bytes.
func (f Fault) Moved(by int) Fault {
	f.Start, f.End = f.Start+by, f.End+by
	if f.Related != nil {
		f.Related = &Range{f.Related.Start + by, f.Related.End + by}
	}
	return f
}

// Range is a range of the data, in bytes.
type Range struct{ Start, End int }

// Result is the outcome of a scan.
type Result struct {
	Root    *Node   // nil if the scan stopped or was asked for no tree
	Partial *Node   // if it stopped: the tree of what ended before the fault
	End     int     // after the value
	IsASCII bool    // the value is known to be ASCII
	Faults  []Fault // those that did not stop the scan, in source order
	Stop    *Fault  // the fault that stopped the scan, or nil
}

// Scan scans the value that data starts with, and ignores what follows it. With
// build it builds the tree.
func (s *Scanner) Scan(data []byte, build bool) Result {
	s.reset(data, build)
	v := s.result(s.value(&s.root, "a value"))
	if build && v.Stop == nil {
		v.Root = &s.root
	}
	return v
}

// result returns the result of a scan up to s.pos, or of one that failed.
func (s *Scanner) result(ok bool) Result {
	switch {
	case !ok:
		s.checkUTF8(s.stop.Start)
	case s.mayHaveNonASCII:
		s.checkUTF8(s.pos)
	}
	if s.stop != nil {
		s.stop.Token = min(s.token, s.stop.Start)
		// Of the faults before, only those count that do not need the whole value.
		before := slices.DeleteFunc(s.faults, func(f Fault) bool { return f.Kind != LoneSurrogate || f.Start >= s.stop.Start })
		return Result{Partial: &s.root, End: s.stop.End, Faults: SortFaults(before), Stop: s.stop}
	}
	if len(s.faults) > 0 {
		s.faults = SortFaults(s.faults)
	}
	return Result{End: s.pos, Faults: s.faults, IsASCII: !s.mayHaveNonASCII}
}

// Check is Scan without a tree.
func (s *Scanner) Check(data []byte) Result { return s.Scan(data, false) }

// Reuse returns a scanner for another input that takes over the memory of s,
// which must not be used any longer.
func (s *Scanner) Reuse() Scanner {
	next := *s
	next.Python, next.MaxValues = false, 0
	return next
}

func (s *Scanner) reset(data []byte, build bool) {
	s.data, s.build = data, build
	s.pos, s.token, s.depth, s.values = 0, 0, 0, 0
	s.mayHaveNonASCII = s.Python
	s.root = Node{}
	s.stack = s.stack[:0]
	s.nodes.reset()
	s.faults, s.stop = nil, nil
}

// value scans a value. Want describes what is expected here, for the detail of
// a fault.
func (s *Scanner) value(n *Node, want string) bool {
	if s.pos == len(s.data) {
		return s.truncated()
	}
	n.Start, n.python = s.pos, s.Python
	var ok bool
	switch c := s.data[s.pos]; {
	case c == '"', c == '\'' && s.Python:
		n.Kind = String
		n.escaped, n.plain, ok = s.text()
		ok = ok && (!s.Python || s.adjacentStrings(n))
	case c == '{':
		n.Kind = Object
		ok = s.collection(n)
	case c == '[':
		n.Kind = Array
		ok = s.collection(n)
	case c == '-' || IsDigit(c):
		n.Kind = Number
		ok = s.number()
	case IsLetter(c):
		ok = s.word(n)
	default:
		ok = s.unexpected(want)
	}
	if !ok {
		return false
	}
	n.End = s.pos
	n.raw = s.data[n.Start:n.End:n.End]
	s.values++
	if s.values > max(s.MaxValues, MaxValues) {
		return s.fail(Fault{Kind: RecordTooLarge, Start: 0, End: 1, Detail: tooManyValues, Cause: TooManyValues})
	}
	return true
}

// collection scans an object or an array.
func (s *Scanner) collection(n *Node) bool {
	if s.depth == s.MaxDepth {
		return s.fail(Fault{Kind: NestingTooDeep, Start: s.pos, End: s.pos + 1, Detail: fmt.Sprintf("arrays and objects are nested more than %d deep", s.MaxDepth)})
	}
	base := len(s.stack)
	s.depth++
	s.token = s.pos
	s.pos++
	if !s.elements(n.Kind == Object, true) {
		n.Children = s.nodes.copyOf(s.stack[base:])
		s.stack = s.stack[:base]
		return false
	}
	s.depth--
	s.token = s.pos
	s.pos++
	if s.build {
		n.Children = s.popTo(base, n.Kind == Object)
	}
	return true
}

// elements scans members or elements up to the closing bracket. First is set at the
// opening one. Only Python allows a comma before the closing one.
func (s *Scanner) elements(areMembers, first bool) bool {
	closing, want, either := byte(']'), "a value or `]`", "a comma or `]`"
	if areMembers {
		closing, want, either = '}', "a value", "a comma or `}`"
	}
	for c := s.space(); c != closing; c = s.space() {
		if !first {
			at := s.pos
			if c != ',' {
				return s.unexpected(either)
			}
			s.pos++
			if c = s.space(); c == closing {
				if !s.Python {
					return s.failAt(at, at+1, "found a trailing comma before `"+string(closing)+"`")
				}
				s.token = at
				return true
			}
			s.token, want = at, "a value"
		}
		if !s.element(areMembers, first, want) {
			return false
		}
		first = false
	}
	return true
}

// popTo pops the nodes from base on from the stack, and returns a copy of them.
func (s *Scanner) popTo(base int, areMembers bool) []Node {
	nodes := s.nodes.copyOf(s.stack[base:])
	s.stack = s.stack[:base]
	if areMembers {
		s.duplicates(nodes)
	}
	return nodes
}

// element scans a member or an element, and pushes it to the stack.
func (s *Scanner) element(isMember, first bool, want string) bool {
	var m Node // in the loop of elements it would be on the heap
	if isMember && !s.name(&m, first) {
		return false
	}
	if s.isListName != nil && s.depth == 1 && s.pos < len(s.data) && s.data[s.pos] == '[' && s.isListName(m.Name) {
		s.list = s.pos
		m.Start, m.End = s.pos, s.pos+1
		s.stack = append(s.stack, m)
		return false
	}
	ok := s.value(&m, want)
	if s.build && (ok || len(m.Children) > 0) {
		s.stack = append(s.stack, m)
	}
	return ok
}

// name scans the name of a member, its colon, and the whitespace around that.
func (s *Scanner) name(m *Node, first bool) bool {
	m.NameStart = s.pos
	if s.pos == len(s.data) || s.data[s.pos] != '"' && (s.data[s.pos] != '\'' || !s.Python) {
		want := "a name in " + s.quotes()
		if s.pos < len(s.data) && IsLetter(s.data[s.pos]) {
			end := WordEnd(s.data, s.pos)
			return s.failAt(s.pos, end, "found the name "+s.quote(s.pos, end)+" without quotes, expected a string in "+s.quotes())
		}
		if first {
			want += " or `}`"
		}
		return s.unexpected(want)
	}
	escaped, _, ok := s.text()
	if !ok {
		return false
	}
	m.NameEnd = s.pos
	switch raw := s.data[m.NameStart+1 : m.NameEnd-1]; {
	case !s.build:
	case escaped:
		m.Name = s.decode(raw, false)
	default:
		m.Name = string(raw)
	}
	if (s.pos == len(s.data) || s.data[s.pos] != ':') && s.space() != ':' {
		return s.unexpected("a colon after the name")
	}
	s.token = s.pos
	s.pos++
	s.space()
	return true
}

// space skips whitespace, and returns the byte after it, or 0 at the end.
func (s *Scanner) space() byte {
	for ; s.pos < len(s.data); s.pos++ {
		switch c := s.data[s.pos]; c {
		case ' ', '\n', '\t', '\r':
		default:
			return c
		}
	}
	return 0
}

// IsDigit reports whether c is a decimal digit.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsLetter reports whether c can begin a word.
func IsLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c == '$' }

// An envelope is an object with a list of records, which are read one by one. What
// is before the list and what is after it are scanned on their own.

// ObjectHead is the part of an object before the elements of its list of
// records.
type ObjectHead struct {
	List    int    // offset of the list's opening bracket
	Members []Node // members up to the list, whose node covers its opening bracket only
	Faults  []Fault
}

// ScanHead scans the object that data starts with up to the first member that is
// an array with the name of a list. It returns nil, nil if data starts with none, or
// if the object has no such member.
func (s *Scanner) ScanHead(data []byte, isListName func(string) bool) (*ObjectHead, *Fault) {
	if len(data) == 0 || data[0] != '{' {
		return nil, nil
	}
	s.reset(data, true)
	s.root.Kind, s.list, s.isListName = Object, 0, isListName
	s.collection(&s.root)
	s.isListName = nil
	if s.list == 0 {
		return nil, s.stop
	}
	s.duplicates(s.root.Children)
	if s.checkUTF8(s.list); s.stop != nil {
		s.faults = append(s.faults, *s.stop)
	}
	return &ObjectHead{List: s.list, Members: s.root.Children, Faults: SortFaults(s.faults)}, nil
}

// ScanTail scans the rest of an object after its list of records, up to the
// closing bracket.
func (s *Scanner) ScanTail(data []byte) (members []Node, v Result) {
	s.reset(data, true)
	s.depth = 1
	ok := s.elements(true, false)
	if ok {
		s.pos++
		members = s.popTo(0, true)
	}
	return members, s.result(ok)
}

// Sizes of an arena's slabs, in nodes.
const (
	slabNodes = 64      // in the first, twice as many in each that follows
	keptNodes = 1 << 16 // a larger slab is not kept for the next record
)

// nodeArena allocates slices of nodes that are all released together by reset.
type nodeArena struct {
	slabs [][]Node // full before slabs[at], free after it
	at    int
	used  int // number of nodes of slabs[at] in use
}

func (a *nodeArena) reset() {
	a.at, a.used = 0, 0
	for i, slab := range a.slabs {
		if len(slab) > keptNodes {
			a.slabs = a.slabs[:i]
			return
		}
	}
}

// copyOf returns a copy of nodes in the arena.
func (a *nodeArena) copyOf(nodes []Node) []Node {
	n := len(nodes)
	if n == 0 {
		return nil
	}
	for a.at < len(a.slabs) && a.used+n > len(a.slabs[a.at]) {
		a.at, a.used = a.at+1, 0
	}
	if a.at == len(a.slabs) {
		a.slabs = append(a.slabs, make([]Node, max(n, slabNodes<<min(a.at, 8))))
	}
	from := a.used
	a.used += n
	slab := a.slabs[a.at][from:a.used:a.used]
	copy(slab, nodes)
	return slab
}

// fewMembers is up to how many members comparing all pairs is faster than a
// map.
const fewMembers = 8

// duplicates reports each name that several members of an object have, once, at
// its second occurrence.
func (s *Scanner) duplicates(members []Node) {
	mayRepeat := len(members) > fewMembers
	for i := range members {
		for j := 0; j < i && !mayRepeat; j++ {
			mayRepeat = members[i].Name == members[j].Name // but for lone surrogates
		}
	}
	if !mayRepeat {
		return
	}
	seen := make(map[string]int, len(members)) // the first member of a name, or -1 once it was reported
	for i := range members {
		name, raw := members[i].Name, s.data[members[i].NameStart+1:members[i].NameEnd-1]
		if len(raw) != len(name) { // names that differ in a lone surrogate only are not duplicates
			name = s.decode(raw, true)
		}
		switch first, found := seen[name]; {
		case !found:
			seen[name] = i
		case first >= 0:
			seen[name] = -1
			s.faults = append(s.faults, RepeatedKey(&members[first], &members[i]))
		}
	}
}

// RepeatedKey returns the fault of a name that occurs twice in an object.
func RepeatedKey(first, again *Node) Fault {
	return Fault{
		Kind: DuplicateKey, Start: again.NameStart, End: again.NameEnd,
		Detail:  "the key " + Quote([]byte(again.Name)) + " occurs twice in one object",
		Related: &Range{first.NameStart, first.NameEnd},
	}
}
