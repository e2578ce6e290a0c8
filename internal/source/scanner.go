package source

// scanner checks one value, by RFC 8259 or by the grammar of Python's literals,
// and builds its tree. It is used again
// for every record: a tree is good until the next scan.
type scanner struct {
	maxDepth int
	python   bool // read Python literals, not JSON

	data  []byte
	pos   int
	token int // where the last good token began
	depth int
	build bool // make the tree; else only check
	wide  bool // what was read may hold bytes beyond ASCII

	values int
	stack  []Node // members of the objects and arrays that are still open
	nodes  nodeArena
	names  nameTable
	root   Node
	faults []fault // what does not stop the scan
	stop   *fault
}

// fault is what a scan found wrong. Offsets count from the start of the data.
type fault struct {
	kind       ProblemKind
	start, end int
	detail     string

	cutOff  bool          // the data ended while all was well
	token   int           // where the last good token before it began
	related *relatedBytes // another place in the same data
	place   *Place        // another place elsewhere
}

type relatedBytes struct{ start, end int }

// verdict is the outcome of a scan.
type verdict struct {
	root   *Node   // nil if the scan stopped or only checked
	end    int     // behind the value
	ascii  bool    // the value is nothing but ASCII; where this is false it may be, too
	faults []fault // what did not stop the scan, in source order
	stop   *fault  // what did
}

// scan reads the value that data begins with. What stands behind it does not
// matter.
func (s *scanner) scan(data []byte, build bool) verdict {
	s.reset(data, build)
	switch sound := s.value(&s.root, "a value"); {
	case !sound:
		s.checkUTF8(s.stop.start)
	case s.wide:
		s.checkUTF8(s.pos)
	}
	if s.stop != nil {
		s.stop.token = min(s.token, s.stop.start)
		return verdict{end: s.stop.end, faults: s.beforeStop(), stop: s.stop}
	}
	v := verdict{end: s.pos, faults: inOrder(s.faults), ascii: !s.wide}
	if build {
		v.root = &s.root
	}
	return v
}

// check is scan without a tree.
func (s *scanner) check(data []byte) verdict { return s.scan(data, false) }

// renewed returns the scanner's memory for the use with another input.
func (s *scanner) renewed() scanner {
	next := *s
	next.python = false
	return next
}

func (s *scanner) reset(data []byte, build bool) {
	s.data, s.build = data, build
	s.pos, s.token, s.depth, s.values = 0, 0, 0, 0
	s.wide = s.python
	s.root = Node{}
	s.stack = s.stack[:0]
	s.nodes.reset()
	s.faults, s.stop = nil, nil
}

// value reads a value. Want says what may stand here, for when nothing does.
func (s *scanner) value(n *Node, want string) bool {
	if s.pos == len(s.data) {
		return s.cutOff()
	}
	n.Start = s.pos
	if !s.valueOfKind(n, want) {
		return false
	}
	n.End = s.pos
	n.raw = s.data[n.Start:n.End:n.End]
	s.values++
	if s.values > MaxValues {
		return s.fail(fault{kind: RecordTooLarge, start: 0, end: 1, detail: tooManyValues})
	}
	return true
}

func (s *scanner) valueOfKind(n *Node, want string) bool {
	if s.python {
		if found, sound := s.literal(n); found {
			return sound
		}
	}
	switch c := s.data[s.pos]; {
	case c == '"':
		n.Kind = String
		var sound bool
		n.escaped, n.plain, sound = s.text()
		return sound
	case c == '{':
		n.Kind = Object
		return s.enter() && s.object(n)
	case c == '[':
		n.Kind = Array
		return s.enter() && s.array(n)
	case c == '-' || isDigit(c):
		n.Kind = Number
		return s.number()
	case isLetter(c):
		return s.word(n)
	}
	return s.unexpected(want)
}

// enter moves over an opening bracket.
func (s *scanner) enter() bool {
	if s.depth == s.maxDepth {
		return s.fail(fault{kind: NestingTooDeep, start: s.pos, end: s.pos + 1, detail: tooDeep(s.maxDepth)})
	}
	s.depth++
	s.token = s.pos
	s.pos++
	s.space()
	return true
}

// leave moves over the closing bracket of n, whose children are on the stack
// from base on.
func (s *scanner) leave(n *Node, base int) bool {
	s.depth--
	s.token = s.pos
	s.pos++
	if s.build {
		n.Children = s.nodes.take(s.stack[base:])
		s.stack = s.stack[:base]
	}
	return true
}

func (s *scanner) object(n *Node) bool {
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

// member reads a name and its value, and the white space behind them.
func (s *scanner) member(first bool) bool {
	var m Node
	if !s.name(&m, first) || !s.colon() || !s.value(&m, "a value") {
		return false
	}
	s.push(m)
	s.space()
	return true
}

func (s *scanner) name(m *Node, first bool) bool {
	if !s.atText() {
		return s.unexpectedName(first)
	}
	m.NameStart = s.pos
	escaped, sound := s.anyText()
	if !sound {
		return false
	}
	m.NameEnd = s.pos
	if s.build {
		m.Name = s.nameOf(s.data[m.NameStart:m.NameEnd], escaped)
	}
	s.space()
	return true
}

// atText reports whether a string stands here.
func (s *scanner) atText() bool {
	if s.python {
		return s.pos < len(s.data) && prefixSize(s.data[s.pos:]) >= 0
	}
	return s.at('"')
}

// anyText reads a string as the form writes it.
func (s *scanner) anyText() (escaped, sound bool) {
	if s.python {
		sound = s.pythonText(&escaped)
		return escaped, sound
	}
	escaped, _, sound = s.text()
	return escaped, sound
}

// nameOf is the text of a name with its quotes.
func (s *scanner) nameOf(raw []byte, escaped bool) string {
	if s.python {
		return s.pythonNameOf(raw, escaped)
	}
	return s.names.get(raw[1:len(raw)-1], escaped)
}

func (s *scanner) colon() bool {
	if !s.at(':') {
		return s.unexpected("a colon after the name")
	}
	s.token = s.pos
	s.pos++
	s.space()
	return true
}

func (s *scanner) array(n *Node) bool {
	base := len(s.stack)
	for want := "a value or `]`"; !s.at(']'); want = "a value" {
		if !s.element(want) || !s.at(']') && !s.comma(']', "a comma or `]`") {
			return false
		}
	}
	return s.leave(n, base)
}

// element reads a value and the white space behind it.
func (s *scanner) element(want string) bool {
	var element Node
	if !s.value(&element, want) {
		return false
	}
	s.push(element)
	s.space()
	return true
}

// comma moves over a comma, behind which no closing bracket may follow but in
// Python.
func (s *scanner) comma(closing byte, want string) bool {
	if !s.at(',') {
		return s.unexpected(want)
	}
	at := s.pos
	s.pos++
	s.space()
	if s.at(closing) && !s.python {
		return s.failAt(at, at+1, "found a trailing comma before `"+string(closing)+"`")
	}
	s.token = at
	return true
}

func (s *scanner) push(n Node) {
	if s.build {
		s.stack = append(s.stack, n)
	}
}

func (s *scanner) space() {
	if s.python || s.pos < len(s.data) && s.data[s.pos] <= ' ' {
		s.skipSpace()
	}
}

// skipSpace moves over white space and, in Python, comments.
func (s *scanner) skipSpace() {
	s.pos += countSpace(s.data[s.pos:])
	for s.python && s.at('#') {
		s.pos += commentSize(s.data[s.pos:])
		s.pos += countSpace(s.data[s.pos:])
	}
}

func (s *scanner) at(c byte) bool { return s.pos < len(s.data) && s.data[s.pos] == c }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c == '$' }
