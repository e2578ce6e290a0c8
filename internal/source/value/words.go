package value

import "strings"

// The words of the two languages, and what is wrong with those that a writer of another
// language would use.
var (
	jsonWords   = map[string]Kind{"true": Bool, "false": Bool, "null": Null}
	pythonWords = map[string]Kind{"True": Bool, "False": Bool, "None": Null}

	noJSON = map[string]string{
		"True":      "found a Python literal: `True` is Python, JSON writes `true`",
		"False":     "found a Python literal: `False` is Python, JSON writes `false`",
		"None":      "found a Python literal: `None` is Python, JSON writes `null`",
		"TRUE":      "found `TRUE`, JSON writes `true`",
		"FALSE":     "found `FALSE`, JSON writes `false`",
		"NULL":      "found `NULL`, JSON writes `null`",
		"Null":      "found `Null`, JSON writes `null`",
		"undefined": "found `undefined`, JSON writes `null`",
		"nil":       "found `nil`, JSON writes `null`",
		"NaN":       "found `NaN`: JSON has no such number",
		"Infinity":  "found `Infinity`: JSON has no such number",
		"-NaN":      "found `-NaN`: JSON has no such number",
		"-Infinity": "found `-Infinity`: JSON has no such number",
	}
	noPython = map[string]string{
		"true":  "found `true`, Python writes `True`",
		"false": "found `false`, Python writes `False`",
		"null":  "found `null`, Python writes `None`",
		"nan":   "found `nan`: Python has no literal for such a number",
		"inf":   "found `inf`: Python has no literal for such a number",
	}
)

// word scans true, false or null, or what Python writes for them.
func (s *Scanner) word(n *Node) bool {
	known, hints := jsonWords, noJSON
	if s.Python {
		known, hints = pythonWords, noPython
	}
	start, end := s.pos, WordEnd(s.data, s.pos)
	word := s.data[start:end]
	if kind, ok := known[string(word)]; ok {
		n.Kind = kind
		s.token, s.pos = start, end
		return true
	}
	if end == len(s.data) {
		for name := range known {
			if strings.HasPrefix(name, string(word)) {
				return s.truncated()
			}
		}
	}
	detail, ok := hints[string(word)]
	if !ok {
		detail = "found " + s.quote(start, end) + ", expected a value; text needs " + s.quotes()
	}
	return s.failAt(start, end, detail)
}
