package value

import "strings"

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
	n.Start = s.pos
	if !s.valueOfKind(n, want) {
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
		return s.pos < len(s.data) && isPythonQuote(s.data[s.pos])
	}
	return s.at('"')
}

// anyText scans a string of the scanned language.
func (s *Scanner) anyText() (escaped, ok bool) {
	if s.Python {
		return s.pythonText()
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
	if s.pos < len(s.data) && s.data[s.pos] <= ' ' {
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
