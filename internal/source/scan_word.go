package source

import "strings"

// literals are the words of JSON.
var literals = map[string]Kind{"true": Bool, "false": Bool, "null": Null}

// word reads true, false or null.
func (s *scanner) word(n *Node) bool {
	start, end := s.pos, wordEnd(s.data, s.pos)
	word := s.data[start:end]
	if kind, ok := literals[string(word)]; ok {
		n.Kind = kind
		s.token = start
		s.pos = end
		return true
	}
	if end == len(s.data) && beginsLiteral(string(word)) {
		return s.cutOff()
	}
	return s.failAt(start, end, explainWord(string(word), s.quote(start, end)))
}

func beginsLiteral(word string) bool {
	return strings.HasPrefix("true", word) || strings.HasPrefix("false", word) || strings.HasPrefix("null", word)
}

// explainWord says what is wrong with a word where a value should stand.
func explainWord(word, quoted string) string {
	switch word {
	case "True", "False":
		return "found a Python literal: " + quoted + " is Python, JSON writes `" + strings.ToLower(word) + "`"
	case "None":
		return "found a Python literal: " + quoted + " is Python, JSON writes `null`"
	case "undefined", "nil":
		return "found " + quoted + ", JSON writes `null`"
	case "NaN", "Infinity":
		return "found " + quoted + ": JSON has no such number"
	}
	if lower := strings.ToLower(word); lower != word && literals[lower] != 0 {
		return "found " + quoted + ", JSON writes `" + lower + "`"
	}
	return "found " + quoted + ", expected a value; text needs double quotes"
}
