package value

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
			if members[i].Name == members[j].Name && s.exactName(&members[i]) == s.exactName(&members[j]) {
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

// exactName returns the name of a member with lone surrogates kept, which Name
// has as U+FFFD: two names that differ in one only are not duplicates.
func (s *Scanner) exactName(n *Node) string {
	raw := s.data[n.NameStart+1 : n.NameEnd-1]
	if len(raw) == len(n.Name) {
		return n.Name
	}
	return s.decode(raw, true)
}
