package source

// listName is the member of an envelope that holds its records.
const listName = "messages"

// envelopeWindow is within how many bytes of an object's start its list of
// records must begin for them to be read one by one. An envelope with more
// before its list is read whole.
const envelopeWindow = 64 << 10

// envelopeHead is the beginning of an object up to its list of records.
type envelopeHead struct {
	list    int    // offset of the list's opening bracket
	members []Node // the members before the list, and the list's own name
	faults  []fault
}

// envelope reads the members that data begins with up to the list of records.
// A nil head with a nil stop says that the object has no such list.
func (s *scanner) envelope(data []byte) (*envelopeHead, *fault) {
	s.reset(data, true)
	if !s.enter() {
		return nil, s.stop
	}
	for first := true; !s.at('}'); first = false {
		var m Node
		if !s.name(&m, first) || !s.colon() {
			return nil, s.stop
		}
		if m.Name == listName && s.at('[') {
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

// head ends the reading of an envelope at its list.
func (s *scanner) head(list Node) (*envelopeHead, *fault) {
	if s.checkUTF8(s.pos); s.stop != nil {
		s.faults = append(s.faults, *s.stop)
	}
	list.Start, list.End = s.pos, s.pos+1
	s.push(list)
	members := s.nodes.take(s.stack)
	s.duplicates(members)
	return &envelopeHead{list: s.pos, members: members, faults: inOrder(s.faults)}, nil
}

// tail reads what stands behind the list of an envelope, up to its closing
// bracket.
func (s *scanner) tail(data []byte) (members []Node, v verdict) {
	s.reset(data, true)
	s.depth = 1
	ok := s.tailMembers()
	if ok {
		s.pos++
		s.checkUTF8(s.pos)
	} else {
		s.checkUTF8(s.stop.start)
	}
	if s.stop != nil {
		return nil, verdict{end: s.stop.end, faults: s.beforeStop(), stop: s.stop}
	}
	members = s.nodes.take(s.stack)
	s.duplicates(members)
	return members, verdict{end: s.pos, faults: inOrder(s.faults)}
}

// tailMembers reads members, each with a comma before it, up to the bracket.
func (s *scanner) tailMembers() bool {
	s.space()
	for !s.at('}') {
		if !s.comma('}', "a comma or `}`") || !s.at('}') && !s.member(false) {
			return false
		}
	}
	return true
}

// findEnvelope looks for a list of records in the object that begins i bytes
// behind the start of the unread input. It waits for no more than it takes to
// know, and never for more than the window.
func (r *Reader) findEnvelope(i int) *envelopeHead {
	for size := 1; ; {
		data := r.in.rest()[i:]
		data = data[:min(len(data), envelopeWindow)]
		if len(data) >= size || r.in.complete() {
			head, stop := r.scan.envelope(data)
			if head != nil || stop == nil || !stop.cutOff || len(data) == envelopeWindow {
				return head
			}
			size = min(2*len(data), envelopeWindow)
			if r.in.complete() {
				return nil
			}
		}
		r.in.more()
	}
}
