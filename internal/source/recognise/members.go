package recognise

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/source/value"
)

// maxMembers is the maximum number of members of an object that matches in any
// order.
const maxMembers = 16

// members is an object whose members match in any order: the text before the
// first member, between two, and after the last, and the members.
type members struct {
	open, comma, end []byte
	each             []member

	// All members have different bytes at offset probe. That byte of a text selects
	// the member, which is then compared in full.
	probe   int
	byProbe [256]uint8 // number of the member with that byte, from 1; 0 if there is none
}

// member is a member of an object, from its name on.
type member struct {
	text   []byte   // all of it; up to the value, with a string's opening quote, if that varies; or up to a nested object
	varies bool     // the value is the one that varies
	nested *members // the value contains the one that varies; or nil
}

// newMembers returns the members of an object in data, which contain the
// variable value varies if that is not nil. It returns nil if they cannot be
// distinguished by one byte, or have different separators.
func newMembers(data []byte, object, varies *value.Node) *members {
	children := object.Children
	if object.Kind != value.Object || len(children) == 0 || len(children) > maxMembers {
		return nil
	}
	ms := &members{
		open: data[object.Start:children[0].NameStart],
		end:  data[children[len(children)-1].End:object.End],
	}
	for i := range children[1:] {
		between := data[children[i].End:children[i+1].NameStart]
		if i > 0 && !bytes.Equal(between, ms.comma) {
			return nil
		}
		ms.comma = between
	}
	for i := range children {
		one, ok := newMember(data, &children[i], varies)
		if !ok {
			return nil
		}
		ms.each = append(ms.each, one)
	}
	if !ms.findProbe() {
		return nil
	}
	return ms
}

func newMember(data []byte, n, varies *value.Node) (one member, ok bool) {
	to := n.End
	switch {
	case varies == nil || varies.Start < n.Start || varies.Start >= n.End:
	case varies.Start == n.Start:
		to = n.Start + n.QuoteSize()
		one.varies = true
	default:
		to = n.Start
		if one.nested = newMembers(data, n, varies); one.nested == nil {
			return one, false
		}
	}
	one.text = data[n.NameStart:to]
	return one, true
}

// findProbe finds the first offset at which all members have different bytes.
func (ms *members) findProbe() bool {
	for ms.probe = 1; ; ms.probe++ {
		ms.byProbe = [256]uint8{}
		different := true
		for i := range ms.each {
			text := ms.each[i].text
			if ms.probe >= len(text) {
				return false
			}
			if slot := &ms.byProbe[text[ms.probe]]; *slot == 0 {
				*slot = uint8(i + 1) //nolint:gosec // maxMembers at most
			} else {
				different = false
			}
		}
		if different {
			return true
		}
	}
}

// memberAt returns the index of the member at an offset of text, or -1.
func (ms *members) memberAt(text []byte, from int) int {
	if from+ms.probe >= len(text) {
		return -1
	}
	i := int(ms.byProbe[text[from+ms.probe]]) - 1
	if i < 0 || !bytes.HasPrefix(text[from:], ms.each[i].text) {
		return -1
	}
	return i
}

// separator returns the text after a member when left members remain.
func (ms *members) separator(left int) []byte {
	if left == 0 {
		return ms.end
	}
	return ms.comma
}

// match matches the object at an offset of text. It returns its end, or -1, and
// sets the variable value and traits in m.
func (ms *members) match(t *Template, text []byte, from int, m *Match) (end int) {
	if !bytes.HasPrefix(text[from:], ms.open) {
		return -1
	}
	end = from + len(ms.open)
	seen, latest := uint32(0), -1
	for left := len(ms.each) - 1; left >= 0; left-- {
		i := ms.memberAt(text, end)
		if i < 0 || seen&(1<<i) != 0 {
			return -1
		}
		seen |= 1 << i
		if i < latest {
			m.Traits |= IsReordered
		}
		latest = i
		one := &ms.each[i]
		end += len(one.text)
		switch {
		case one.varies:
			to, traits, ok := t.skipValue(text, end)
			m.From, m.To = end, to
			if !ok {
				return -1
			}
			m.Traits |= traits
			end = m.To + t.quoteSize()
		case one.nested != nil:
			if end = one.nested.match(t, text, end, m); end < 0 {
				return -1
			}
		}
		separator := ms.separator(left)
		if !bytes.HasPrefix(text[end:], separator) {
			return -1
		}
		end += len(separator)
	}
	return end
}

// quoteSize returns the size in bytes of the quote after the variable value.
func (t *Template) quoteSize() int {
	if t.kind == value.String {
		return 1
	}
	return 0
}
