package value

import (
	"strings"
)

// Scanner checks one value by RFC 8259 or by the grammar of Python's literals,
// and builds its tree. It reuses its memory: a result is valid until the next
// scan. It is not safe for concurrent use.
type Scanner struct {
	MaxDepth int
	Python   bool // read Python literals, not JSON

	data            []byte
	pos             int
	token           int // offset of the last valid token
	depth           int
	build           bool // build the tree, not only check
	mayHaveNonASCII bool // the scanned part may contain bytes that are not ASCII

	values int
	stack  []Node // members of the objects and arrays that are still open
	nodes  nodeArena
	names  nameTable
	root   Node
	faults []Fault // those that did not stop the scan
	stop   *Fault
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

// Range is a range of the data, in bytes.
type Range struct{ Start, End int }

// Result is the outcome of a scan.
type Result struct {
	Root    *Node   // nil if the scan stopped or was asked for no tree
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
		return Result{End: s.stop.End, Faults: s.beforeStop(), Stop: s.stop}
	}
	return Result{End: s.pos, Faults: SortFaults(s.faults), IsASCII: !s.mayHaveNonASCII}
}

// Check is Scan without a tree.
func (s *Scanner) Check(data []byte) Result { return s.Scan(data, false) }

// Reuse returns a scanner for another input that takes over the memory of s,
// which must not be used any longer.
func (s *Scanner) Reuse() Scanner {
	next := *s
	next.Python = false
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
	n.Start = s.pos
	if !s.valueOfKind(n, want) {
		return false
	}
	n.End = s.pos
	n.raw = s.data[n.Start:n.End:n.End]
	s.values++
	if s.values > MaxValues {
		return s.fail(Fault{Kind: RecordTooLarge, Start: 0, End: 1, Detail: tooManyValues, Cause: TooManyValues})
	}
	return true
}

func (s *Scanner) valueOfKind(n *Node, want string) bool {
	if s.Python {
		if found, ok := s.literal(n); found {
			return ok
		}
	}
	switch c := s.data[s.pos]; {
	case c == '"':
		n.Kind = String
		var ok bool
		n.escaped, n.plain, ok = s.text()
		return ok
	case c == '{':
		n.Kind = Object
		return s.enter() && s.object(n)
	case c == '[':
		n.Kind = Array
		return s.enter() && s.array(n)
	case c == '-' || IsDigit(c):
		n.Kind = Number
		return s.number()
	case IsLetter(c):
		return s.word(n)
	}
	return s.unexpected(want)
}

// enter scans an opening bracket.
func (s *Scanner) enter() bool {
	if s.depth == s.MaxDepth {
		return s.fail(Fault{Kind: NestingTooDeep, Start: s.pos, End: s.pos + 1, Detail: tooDeep(s.MaxDepth)})
	}
	s.depth++
	s.token = s.pos
	s.pos++
	s.space()
	return true
}

// leave scans the closing bracket of n, whose children are on the stack from
// base on.
func (s *Scanner) leave(n *Node, base int) bool {
	s.depth--
	s.token = s.pos
	s.pos++
	if s.build {
		n.Children = s.nodes.copyOf(s.stack[base:])
		s.stack = s.stack[:base]
	}
	return true
}

func (s *Scanner) object(n *Node) bool {
	base := len(s.stack)
	for first := true; !s.at('}'); first = false {
		if !s.member(first) || !s.at('}') && !s.comma('}', "a comma or `}`") {
			return false
		}
	}
	s.leave(n, base)
	if s.build {
		s.duplicates(n.Children)
	}
	return true
}

// member scans a name, its value, and the whitespace after them.
func (s *Scanner) member(first bool) bool {
	var m Node
	if !s.name(&m, first) || !s.colon() || !s.value(&m, "a value") {
		return false
	}
	s.push(m)
	s.space()
	return true
}

func (s *Scanner) name(m *Node, first bool) bool {
	if !s.atText() {
		return s.unexpectedName(first)
	}
	m.NameStart = s.pos
	escaped, ok := s.anyText()
	if !ok {
		return false
	}
	m.NameEnd = s.pos
	if s.build {
		m.Name = s.nameOf(s.data[m.NameStart:m.NameEnd], escaped)
	}
	s.space()
	return true
}

// atText reports whether a string starts here.
func (s *Scanner) atText() bool {
	if s.Python {
		return s.pos < len(s.data) && PythonPrefixSize(s.data[s.pos:]) >= 0
	}
	return s.at('"')
}

// anyText scans a string of the scanned language.
func (s *Scanner) anyText() (escaped, ok bool) {
	if s.Python {
		ok = s.pythonText(&escaped)
		return escaped, ok
	}
	escaped, _, ok = s.text()
	return escaped, ok
}

// nameOf decodes a member name, which includes its quotes.
func (s *Scanner) nameOf(raw []byte, escaped bool) string {
	if s.Python {
		return s.pythonNameOf(raw, escaped)
	}
	return s.names.get(raw[1:len(raw)-1], escaped)
}

func (s *Scanner) colon() bool {
	if !s.at(':') {
		return s.unexpected("a colon after the name")
	}
	s.token = s.pos
	s.pos++
	s.space()
	return true
}

func (s *Scanner) array(n *Node) bool {
	base := len(s.stack)
	for want := "a value or `]`"; !s.at(']'); want = "a value" {
		if !s.element(want) || !s.at(']') && !s.comma(']', "a comma or `]`") {
			return false
		}
	}
	return s.leave(n, base)
}

// element scans a value and the whitespace after it, and pushes it to the
// stack.
func (s *Scanner) element(want string) bool {
	var element Node
	if !s.value(&element, want) {
		return false
	}
	s.push(element)
	s.space()
	return true
}

// comma scans a comma. Only Python allows the closing bracket after it.
func (s *Scanner) comma(closing byte, want string) bool {
	if !s.at(',') {
		return s.unexpected(want)
	}
	at := s.pos
	s.pos++
	s.space()
	if s.at(closing) && !s.Python {
		return s.failAt(at, at+1, "found a trailing comma before `"+string(closing)+"`")
	}
	s.token = at
	return true
}

func (s *Scanner) push(n Node) {
	if s.build {
		s.stack = append(s.stack, n)
	}
}

func (s *Scanner) space() {
	if s.Python || s.pos < len(s.data) && s.data[s.pos] <= ' ' {
		s.skipSpace()
	}
}

// skipSpace skips whitespace and, in Python, comments.
func (s *Scanner) skipSpace() {
	s.pos += SpaceSize(s.data[s.pos:])
	for s.Python && s.at('#') {
		s.pos += CommentSize(s.data[s.pos:])
		s.pos += SpaceSize(s.data[s.pos:])
	}
}

func (s *Scanner) at(c byte) bool { return s.pos < len(s.data) && s.data[s.pos] == c }

// IsDigit reports whether c is a decimal digit.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsLetter reports whether c can begin a word.
func IsLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c == '$' }

// literals are the literal names of JSON.
var literals = map[string]Kind{"true": Bool, "false": Bool, "null": Null}

// word scans true, false or null.
func (s *Scanner) word(n *Node) bool {
	start, end := s.pos, WordEnd(s.data, s.pos)
	word := s.data[start:end]
	if kind, ok := literals[string(word)]; ok {
		n.Kind = kind
		s.token = start
		s.pos = end
		return true
	}
	if end == len(s.data) && mayBecomeLiteral(string(word)) {
		return s.truncated()
	}
	return s.failAt(start, end, explainWord(string(word), s.quote(start, end)))
}

func mayBecomeLiteral(word string) bool {
	return strings.HasPrefix("true", word) || strings.HasPrefix("false", word) || strings.HasPrefix("null", word)
}

// explainWord returns the detail for a word that is not a JSON literal.
func explainWord(word, quoted string) string {
	switch word {
	case "True", "False":
		return "found a Python literal: " + quoted + " is Python, JSON writes `" + strings.ToLower(word) + "`"
	case "None":
		return "found a Python literal: " + quoted + " is Python, JSON writes `null`"
	case "undefined", "nil":
		return "found " + quoted + ", JSON writes `null`"
	case "NaN", "Infinity":
		return "found " + quoted + ": JSON has no such number"
	}
	if lower := strings.ToLower(word); lower != word && literals[lower] != 0 {
		return "found " + quoted + ", JSON writes `" + lower + "`"
	}
	return "found " + quoted + ", expected a value; text needs double quotes"
}

// ObjectHead is the part of an object before the elements of its list of
// records.
type ObjectHead struct {
	List    int    // offset of the list's opening bracket
	Members []Node // members up to the list, whose node covers its opening bracket only
	Faults  []Fault
}

// ScanHead scans the object that data starts with up to the first member that is
// an array with the name of a list. It returns nil, nil if the object has no such
// member.
func (s *Scanner) ScanHead(data []byte, isListName func(string) bool) (*ObjectHead, *Fault) {
	s.reset(data, true)
	if !s.enter() {
		return nil, s.stop
	}
	for first := true; !s.at('}'); first = false {
		var m Node
		if !s.name(&m, first) || !s.colon() {
			return nil, s.stop
		}
		if s.at('[') && isListName(m.Name) {
			return s.head(m)
		}
		if !s.value(&m, "a value") {
			return nil, s.stop
		}
		s.push(m)
		s.space()
		if !s.at('}') && !s.comma('}', "a comma or `}`") {
			return nil, s.stop
		}
	}
	return nil, nil
}

// head ends ScanHead at the list.
func (s *Scanner) head(list Node) (*ObjectHead, *Fault) {
	if s.checkUTF8(s.pos); s.stop != nil {
		s.faults = append(s.faults, *s.stop)
	}
	list.Start, list.End = s.pos, s.pos+1
	s.push(list)
	members := s.nodes.copyOf(s.stack)
	s.duplicates(members)
	return &ObjectHead{List: s.pos, Members: members, Faults: SortFaults(s.faults)}, nil
}

// ScanTail scans the rest of an object after its list of records, up to the
// closing bracket.
func (s *Scanner) ScanTail(data []byte) (members []Node, v Result) {
	s.reset(data, true)
	s.depth = 1
	ok := s.tailMembers()
	if ok {
		s.pos++
		members = s.nodes.copyOf(s.stack)
		s.duplicates(members)
	}
	return members, s.result(ok)
}

// tailMembers scans members, each with a comma before it, up to the closing
// bracket.
func (s *Scanner) tailMembers() bool {
	s.space()
	for !s.at('}') {
		if !s.comma('}', "a comma or `}`") || !s.at('}') && !s.member(false) {
			return false
		}
	}
	return true
}

// fewMembers is up to how many members comparing all pairs is faster than a
// map.
const fewMembers = 8

// duplicates reports each name that several members of an object have, once, at
// its second occurrence.
func (s *Scanner) duplicates(members []Node) {
	if len(members) > fewMembers {
		s.duplicatesOfMany(members)
		return
	}
	for i := range members {
		before := 0
		first := -1
		for j := range i {
			if s.sameName(&members[i], &members[j]) {
				before++
				first = j
			}
		}
		if before == 1 {
			s.duplicate(&members[first], &members[i])
		}
	}
}

func (s *Scanner) duplicatesOfMany(members []Node) {
	type occurrence struct {
		first    int
		reported bool
	}
	seen := make(map[string]occurrence, len(members))
	for i := range members {
		name := s.exactName(&members[i])
		switch before, found := seen[name]; {
		case !found:
			seen[name] = occurrence{first: i}
		case !before.reported:
			seen[name] = occurrence{before.first, true}
			s.duplicate(&members[before.first], &members[i])
		}
	}
}

func (s *Scanner) duplicate(first, again *Node) {
	s.faults = append(s.faults, RepeatedKey(first, again))
}

// RepeatedKey returns the fault of a name that occurs twice in an object.
func RepeatedKey(first, again *Node) Fault {
	return Fault{
		Kind: DuplicateKey, Start: again.NameStart, End: again.NameEnd,
		Detail:  "the key " + Quote([]byte(again.Name)) + " occurs twice in one object",
		Related: &Range{first.NameStart, first.NameEnd},
	}
}

func (s *Scanner) sameName(a, b *Node) bool {
	return a.Name == b.Name && s.exactName(a) == s.exactName(b)
}

// exactName returns the name of a member with lone surrogates kept, which Name
// has as U+FFFD: two names that differ in one only are not duplicates.
func (s *Scanner) exactName(n *Node) string {
	raw := s.data[n.NameStart+1 : n.NameEnd-1]
	switch {
	case len(raw) == len(n.Name):
		return n.Name
	case s.Python:
		return string(appendPython(nil, s.data[n.NameStart:n.NameEnd], true))
	}
	return decodeText(raw, true)
}
