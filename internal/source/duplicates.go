package source

// fewMembers is up to how many members comparing all pairs is cheaper than a
// map.
const fewMembers = 8

// duplicates reports every name that occurs more than once among the members
// of an object: once, at its second occurrence.
func (s *scanner) duplicates(members []Node) {
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

func (s *scanner) duplicatesOfMany(members []Node) {
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

func (s *scanner) duplicate(first, again *Node) {
	s.faults = append(s.faults, duplicateKey(first, again))
}

func duplicateKey(first, again *Node) fault {
	return fault{
		kind: DuplicateKey, start: again.NameStart, end: again.NameEnd,
		detail:  "the key " + quote([]byte(again.Name)) + " occurs twice in one object",
		related: &relatedBytes{first.NameStart, first.NameEnd},
	}
}

func (s *scanner) sameName(a, b *Node) bool {
	return a.Name == b.Name && s.exactName(a) == s.exactName(b)
}

// exactName tells names apart that are equal only because a lone surrogate is
// decoded as U+FFFD.
func (s *scanner) exactName(n *Node) string {
	raw := s.data[n.NameStart+1 : n.NameEnd-1]
	switch {
	case len(raw) == len(n.Name):
		return n.Name
	case s.python:
		return string(appendPython(nil, s.data[n.NameStart:n.NameEnd], true))
	}
	return decodeText(raw, true)
}
