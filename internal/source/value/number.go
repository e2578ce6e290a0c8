package value

import "encoding/json"

// number scans a number. It does not compute the value.
func (s *Scanner) number() bool {
	start := s.pos
	i := start
	if s.data[i] == '-' {
		i++
	}
	whole := i
	i = s.digits(i)
	if i == whole {
		if i < len(s.data) && s.data[i] == '-' {
			return s.badNumber(start, i, "a value; text needs double quotes")
		}
		return s.badNumber(start, i, "a digit after the minus sign")
	}
	if s.data[whole] == '0' && i > whole+1 {
		end := WordEnd(s.data, whole)
		return s.failAt(start, end, "found "+s.quote(start, end)+", a number with a leading zero")
	}
	if i < len(s.data) && s.data[i] == '.' {
		fraction := i + 1
		if i = s.digits(fraction); i == fraction {
			return s.badNumber(start, i, "a digit after the point")
		}
	}
	if i < len(s.data) && s.data[i]|0x20 == 'e' {
		i++
		if i < len(s.data) && (s.data[i] == '+' || s.data[i] == '-') {
			i++
		}
		exponent := i
		if i = s.digits(exponent); i == exponent {
			return s.badNumber(start, i, "a digit in the exponent")
		}
	}
	if end := WordEnd(s.data, i); end > i {
		return s.failAt(start, end, "found "+s.quote(start, end)+", which is not a JSON number")
	}
	s.token = start
	s.pos = i
	return true
}

func (s *Scanner) digits(i int) int {
	for i < len(s.data) && IsDigit(s.data[i]) {
		i++
	}
	return i
}

// badNumber stops the scan at i, where a digit is missing.
func (s *Scanner) badNumber(start, i int, want string) bool {
	if i == len(s.data) {
		return s.truncated()
	}
	end := WordEnd(s.data, i)
	if detail, ok := noJSON[string(s.data[start:end])]; ok { // -Infinity
		return s.failAt(start, end, detail)
	}
	return s.failAt(start, end, "found "+s.quote(start, end)+", expected "+want)
}

// Value returns the value as encoding/json would decode it into any, with
// numbers as json.Number.
func (n *Node) Value() any {
	switch n.Kind {
	case Object:
		object := make(map[string]any, len(n.Children))
		for i := range n.Children {
			object[n.Children[i].Name] = n.Children[i].Value()
		}
		return object
	case Array:
		array := make([]any, len(n.Children))
		for i := range n.Children {
			array[i] = n.Children[i].Value()
		}
		return array
	case String:
		return n.Text()
	case Number:
		return json.Number(n.raw)
	case Bool:
		return n.raw[0]|0x20 == 't'
	}
	return nil
}
