package value

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
