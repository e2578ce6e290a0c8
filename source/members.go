package source

import (
	"bytes"
	"math/bits"
)

// members is an object by what it holds, in whatever order that comes: what
// stands before its first member, between any two, and behind the last, and
// the members themselves, all byte for byte but for the value that is open.
type members struct {
	before, between, behind []byte
	each                    []member
}

// member is a member of an object. A member that holds the open value is known
// up to that, with a string's opening quote.
type member struct {
	text  []byte // from its name on
	open  bool   // its value is the one that is open
	holds *members
}

// maxMembers is how many members an object may have to be known by them.
const maxMembers = 16

// membersOf takes an object apart that stands in data, of which the value at
// an offset is open. It returns nil for one with more members than can be
// told apart, and for one with gaps of several kinds between them.
func membersOf(data []byte, object, open *Node) *members {
	children := object.Children
	if object.Kind != Object || len(children) == 0 || len(children) > maxMembers {
		return nil
	}
	last := len(children) - 1
	m := &members{before: data[object.Start:children[0].NameStart], behind: data[children[last].End:object.End]}
	for i := range children {
		if i > 0 {
			between := data[children[i-1].End:children[i].NameStart]
			if i > 1 && !bytes.Equal(between, m.between) {
				return nil
			}
			m.between = between
		}
		one, ok := memberOf(data, &children[i], open)
		if !ok {
			return nil
		}
		m.each = append(m.each, one)
	}
	return m
}

func memberOf(data []byte, n, open *Node) (one member, ok bool) {
	switch {
	case open == nil || open.Start < n.Start || open.Start >= n.End:
		return member{text: data[n.NameStart:n.End]}, true
	case open.Start == n.Start:
		return member{text: data[n.NameStart : n.Start+open.quote()], open: true}, true
	}
	inside := membersOf(data, n, open)
	return member{text: data[n.NameStart:n.Start], holds: inside}, inside != nil
}

// quote is how many bytes a value has before what it holds, and behind.
func (n *Node) quote() int {
	if n.Kind == String {
		return 1
	}
	return 0
}

// all are all members, as next takes them.
func (m *members) all() uint16 { return 1<<len(m.each) - 1 }

// next is the one of some members that text begins with, or -1.
func (m *members) next(text []byte, some uint16) int {
	for ; some != 0; some &= some - 1 {
		i := bits.TrailingZeros16(some)
		if one := m.each[i].text; len(text) > 1 && text[1] == one[1] && bytes.HasPrefix(text, one) {
			return i
		}
	}
	return -1
}

// equal reports whether two objects hold the same.
func (m *members) equal(other *members) bool {
	if m == nil || other == nil {
		return m == other
	}
	if len(m.each) != len(other.each) || !bytes.Equal(m.before, other.before) ||
		!bytes.Equal(m.between, other.between) || !bytes.Equal(m.behind, other.behind) {
		return false
	}
	for i := range m.each {
		one := &m.each[i]
		at := other.next(one.text, other.all())
		if at < 0 || len(other.each[at].text) != len(one.text) || other.each[at].open != one.open || !one.holds.equal(other.each[at].holds) {
			return false
		}
	}
	return true
}

// matcher moves over a text that may be a record of a layout, with its members
// in any order.
type matcher struct {
	layout *Layout
	text   []byte
	at     int
	hole   Hole
	seen   Hole // as it is if the value begins there
	half   Hole // as it was when the text was shorter
	cut    bool // the text ends in the open string
}

// match is Match.
func (m *matcher) match() (hole Hole, size int, cut bool) {
	ok := m.object(m.layout.members)
	m.hole.Shuffled = true
	if !ok {
		return m.hole, 0, m.cut
	}
	return m.hole, m.at, false
}

func (m *matcher) object(is *members) bool {
	if !m.pass(is.before) {
		return false
	}
	for left := is.all(); ; {
		i := is.next(m.text[m.at:], left)
		if i < 0 {
			return false
		}
		one := &is.each[i]
		m.at += len(one.text)
		if one.open && !m.open() || one.holds != nil && !m.object(one.holds) {
			return false
		}
		if left &^= 1 << i; left == 0 {
			return m.pass(is.behind)
		}
		if !m.pass(is.between) {
			return false
		}
	}
}

// pass moves over what is there in every record of the layout.
func (m *matcher) pass(fixed []byte) bool {
	if !bytes.HasPrefix(m.text[m.at:], fixed) {
		return false
	}
	m.at += len(fixed)
	return true
}

// open moves over the value that is open, with a string's closing quote.
func (m *matcher) open() (ok bool) {
	switch m.at {
	case m.seen.From:
		m.hole, ok = m.seen, true
	case m.half.From:
		m.hole, ok = m.half.resume(m.text)
	default:
		m.hole, ok = m.layout.fill(m.text, m.at)
	}
	if !ok {
		m.cut = m.hole.To == len(m.text)
		return false
	}
	m.at = m.hole.To
	if m.layout.open == String {
		m.at++
	}
	return true
}
