package value

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
