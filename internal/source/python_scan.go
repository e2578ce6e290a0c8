package source

import "strings"

// literal reads what Python writes in another way than JSON: a string, a tuple,
// True, False or None. It reports whether something of that kind stands here,
// and whether it is sound.
func (s *scanner) literal(n *Node) (found, sound bool) {
	n.python = true
	switch c := s.data[s.pos]; {
	case prefixSize(s.data[s.pos:]) >= 0:
		n.Kind = String
		return true, s.pythonText(&n.escaped) && s.adjoin(n)
	case c == '(':
		n.Kind = Array
		return true, s.enter() && s.tuple(n)
	case isLetter(c):
		return true, s.pythonWord(n)
	}
	return false, false
}

// tuple reads a tuple from behind its bracket. Brackets around one value
// without a comma make none.
func (s *scanner) tuple(n *Node) bool {
	base, start := len(s.stack), s.token
	values, commas := 0, 0
	for ; !s.at(')'); values++ {
		if !s.element("a value or `)`") {
			return false
		}
		if !s.at(')') {
			if !s.comma(')', "a comma or `)`") {
				return false
			}
			commas++
		}
	}
	if values == 1 && commas == 0 {
		return s.failAt(start, start+1, "found brackets around one value, expected the value alone or a comma behind it")
	}
	return s.leave(n, base)
}

// pythonNameOf is the text of a key with its quotes.
func (s *scanner) pythonNameOf(raw []byte, escaped bool) string {
	if escaped {
		return string(appendPython(nil, raw, false))
	}
	return s.names.get(raw[1:len(raw)-1], false)
}

// pythonWord reads True, False or None.
func (s *scanner) pythonWord(n *Node) bool {
	start, end := s.pos, wordEnd(s.data, s.pos)
	switch word := string(s.data[start:end]); {
	case word == "True" || word == "False":
		n.Kind = Bool
	case word == "None":
		n.Kind = Null
	case end == len(s.data) && beginsPython(word):
		return s.cutOff()
	default:
		return s.failAt(start, end, explainPythonWord(word, s.quote(start, end)))
	}
	s.token = start
	s.pos = end
	return true
}

// beginsPython reports whether a word may be the beginning of a literal or the
// prefix of a string.
func beginsPython(word string) bool {
	return strings.HasPrefix("True", word) || strings.HasPrefix("False", word) || strings.HasPrefix("None", word) ||
		len(word) <= maxPrefix && strings.Trim(word, stringPrefixes) == ""
}

// explainPythonWord says what is wrong with a word where a value should stand.
func explainPythonWord(word, quoted string) string {
	switch word {
	case "true", "false":
		return "found " + quoted + ", Python writes `" + strings.ToUpper(word[:1]) + word[1:] + "`"
	case "null":
		return "found `null`, Python writes `None`"
	case "nan", "inf":
		return "found " + quoted + ": Python has no literal for such a number"
	}
	return "found " + quoted + ", expected a value; text needs quotes"
}
