package embedded

import (
	"regexp"
	"sync"
)

// excerptPlace matches the line above the excerpt of an input in a report, as lmclint
// and compilers print it: an arrow, the path, the line and the column.
var excerptPlace = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*--> \S.*:\d+:\d+\s*$`)
})

// excerptLine matches a line of the excerpt: the number of the line, if it is one of
// the input, a bar and the text. Dots stand for lines that the report omits.
var excerptLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(\d+ *)?\|( |$)|^\s*\.\.\.\s*$`)
})

// isExcerpt reports whether a line is part of an excerpt in a report, given whether
// the line above it is. Its records are those of another input.
func isExcerpt(line []byte, above bool) bool {
	return above && excerptLine().Match(line) || excerptPlace().Match(line)
}
