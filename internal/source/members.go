package source

import (
	"bytes"
	"slices"

	"github.com/lmclint/lmclint/internal/source/value"
)

// members is an object by what it holds, in whatever order that comes: the
// members, what stands before the first of them, between any two, and behind
// the last, all byte for byte but for the value that is open.
type members struct {
	before needle
	behind [2]needle // a member: what goes on with another one, or ends the object
	each   []member
	slots  [slots]uint8 // which of them may begin with a name, counted from 1; 0 if none
}

// Whether another member comes behind one.
const (
	another = iota
	last
)

// comes is what comes behind a member, if so many are left.
func comes(left int) int {
	if left == 0 {
		return last
	}
	return another
}

// member is a member of an object, from its name on.
type member struct {
	text  [2]needle // with what stands behind it; or up to a value that is open, with a string's opening quote, or that holds it
	open  bool      // its value is the one that is open
	holds *members
}

// slots is in how many ways the names of members are told apart at a glance.
const slots = 32

// slotOf goes by the third letter of the name that a member begins with. It is
// another one in each of the names that the records of the protocol have.
func slotOf(third byte) byte { return third % slots }

const thirdLetter = len(`"na`)

// maxMembers is how many members an object may have to be known by them.
const maxMembers = 16

// membersOf takes an object apart that stands in data, of which the value at
// an offset is open. It returns nil for one whose members cannot be told
// apart, and for one with gaps of several kinds between them.
func membersOf(data []byte, object, open *value.Node) *members {
	children := object.Children
	if object.Kind != value.Object || len(children) == 0 || len(children) > maxMembers {
		return nil
	}
	m := &members{before: newFixed(data[object.Start:children[0].NameStart])}
	m.behind[last] = newFixed(data[children[len(children)-1].End:object.End])
	for i := range children[1:] {
		between := data[children[i].End:children[i+1].NameStart]
		if i > 0 && !bytes.Equal(between, m.behind[another].bytes) {
			return nil
		}
		m.behind[another] = newFixed(between)
	}
	for i := range children {
		if !m.add(data, &children[i], open) {
			return nil
		}
	}
	return m
}

// add adds a member, if it can be told from the others.
func (m *members) add(data []byte, n, open *value.Node) bool {
	slot := &m.slots[slotOf(data[n.NameStart+thirdLetter])]
	if *slot != 0 {
		return false
	}
	*slot = uint8(len(m.each) + 1) //nolint:gosec // maxMembers at most
	one := member{}
	up := n.Start // to where it is known
	switch {
	case open == nil || open.Start < n.Start || open.Start >= n.End:
		for i := range one.text {
			one.text[i] = newFixed(slices.Concat(data[n.NameStart:n.End], m.behind[i].bytes))
		}
		m.each = append(m.each, one)
		return true
	case open.Start == n.Start:
		up += open.QuoteSize()
		one.open = true
	default:
		if one.holds = membersOf(data, n, open); one.holds == nil {
			return false
		}
	}
	one.text[another] = newFixed(data[n.NameStart:up])
	one.text[last] = one.text[another]
	m.each = append(m.each, one)
	return true
}

// at is the member that a text goes on with at an offset, counted from 0, or
// -1. Behind says what comes then.
func (m *members) at(text []byte, from, behind int) int {
	if from+thirdLetter >= len(text) {
		return -1
	}
	i := int(m.slots[slotOf(text[from+thirdLetter])]) - 1
	if i < 0 || !m.each[i].text[behind].isAt(text, from) {
		return -1
	}
	return i
}

// equal reports whether two objects hold the same.
func (m *members) equal(other *members) bool {
	if m == nil || other == nil {
		return m == other
	}
	if len(m.each) != len(other.each) || !m.before.equal(&other.before) ||
		!m.behind[another].equal(&other.behind[another]) || !m.behind[last].equal(&other.behind[last]) {
		return false
	}
	for i := range m.each {
		one := &m.each[i]
		at := other.at(one.text[last].bytes, 0, last)
		if at < 0 || other.each[at].open != one.open || !one.holds.equal(other.each[at].holds) {
			return false
		}
	}
	return true
}

// match finds out whether a text goes on with the object at an offset, which is
// in a record of a layout, and where it ends there; -1 if it does not. Of the
// hole it takes what was seen of it when the text was shorter. Shuffled says
// that the members come in another order.
func (m *members) match(l *Template, text []byte, from int, hole *Placeholder) (end int, shuffled bool) {
	if !m.before.isAt(text, from) {
		return -1, false
	}
	end = from + len(m.before.bytes)
	seen, latest := uint32(0), -1
	for left := len(m.each) - 1; left >= 0; left-- {
		behind := comes(left)
		i := m.at(text, end, behind)
		if i < 0 || seen&(1<<i) != 0 {
			return -1, false
		}
		seen |= 1 << i
		shuffled = shuffled || i < latest
		latest = i
		one := &m.each[i]
		end += len(one.text[behind].bytes)
		if one.open || one.holds != nil {
			var inside bool
			end, inside = one.value(l, text, end, hole)
			shuffled = shuffled || inside
			if end < 0 || !m.behind[behind].isAt(text, end) {
				return -1, false
			}
			end += len(m.behind[behind].bytes)
		}
	}
	return end, shuffled
}

// value is match for the value of a member that is open, with a string's
// closing quote, or holds the one that is.
func (one *member) value(l *Template, text []byte, from int, hole *Placeholder) (end int, shuffled bool) {
	var ok bool
	switch {
	case one.holds != nil:
		return one.holds.match(l, text, from, hole)
	case hole.From == from:
		*hole, ok = hole.resume(text)
	default:
		*hole, ok = l.fill(text, from)
	}
	switch {
	case !ok:
		return -1, false
	case l.open == value.String:
		return hole.To + 1, false
	}
	return hole.To, false
}
