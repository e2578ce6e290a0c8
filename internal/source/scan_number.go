package source

// number reads a number. It never computes its value, whatever its size.
func (s *scanner) number() bool {
	start := s.pos
	i := start
	if s.data[i] == '-' {
		i++
	}
	whole := i
	i = s.digits(i)
	if i == whole {
		return s.badNumber(start, i, "a digit after the minus sign")
	}
	if s.data[whole] == '0' && i > whole+1 {
		end := wordEnd(s.data, whole)
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
	return s.numberEnds(start, i)
}

// numberEnds checks that nothing clings to a number that ends at i.
func (s *scanner) numberEnds(start, i int) bool {
	if end := wordEnd(s.data, i); end > i {
		return s.failAt(start, end, "found "+s.quote(start, end)+", which is no JSON number")
	}
	s.token = start
	s.pos = i
	return true
}

func (s *scanner) digits(i int) int {
	for i < len(s.data) && isDigit(s.data[i]) {
		i++
	}
	return i
}

// badNumber stops the scan where a digit is missing at i.
func (s *scanner) badNumber(start, i int, want string) bool {
	if i == len(s.data) {
		return s.cutOff()
	}
	end := wordEnd(s.data, i)
	found := s.quote(start, end)
	if name := s.data[start+1 : end]; s.data[start] == '-' && (string(name) == "Infinity" || string(name) == "NaN") {
		return s.failAt(start, end, "found "+found+": JSON has no such number")
	}
	return s.failAt(start, end, "found "+found+", expected "+want)
}
