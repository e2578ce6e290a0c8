package text

import (
	"bytes"
	"regexp"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/source/value"
)

// damageKind says why a text that begins as a value is not one.
type damageKind uint8

const (
	damaged      damageKind = iota // something is missing or too much
	programCode                    // a name, a call or an operator is where a value, comma or bracket is due
	templateText                   // so is an ellipsis, a placeholder or an alternative
)

// grammar follows a text by what JSON and Python literals have in common, to find
// out why it is neither, and what was in it before. It accepts mixtures of both.
type grammar struct {
	text  []byte
	depth int

	at      int                 // where it stops being a value
	kind    damageKind          // why
	objects []map[string]string // the objects that begin before: the texts of the members that end before, by name, without quotes
}

// maxDepth is how deep a value may be nested.
const maxDepth = 512

// follow follows the value at the beginning of the text, and returns its end, or
// false with g.at and g.kind if there is none.
func (g *grammar) follow() (end int, ok bool) { return g.value(0) }

func (g *grammar) value(i int) (end int, ok bool) {
	switch c := g.byteAt(i); c {
	case '"', '\'':
		return g.strings(i)
	case '{', '[':
		if g.depth++; g.depth > maxDepth {
			return g.stop(i, damaged)
		}
		end, ok = g.collection(i, c)
		g.depth--
		return end, ok
	}
	if size := len(atom().Find(g.text[i:])); size > 0 {
		return i + size, true
	}
	return g.unexpected(i)
}

// atom matches a number or a literal name of either language.
var atom = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:-?(?:\d[\w.+-]*|Infinity\b)|(?:true|false|null|True|False|None|NaN)\b)`)
})

// strings follows a string, and those after it that Python joins with it.
func (g *grammar) strings(i int) (end int, ok bool) {
	if end, ok = g.string(i); !ok {
		return end, false
	}
	for {
		next := g.space(end)
		if c := g.byteAt(next); c != '"' && c != '\'' {
			return end, true
		}
		after, ok := g.string(next)
		if !ok {
			return after, false
		}
		if g.byteAt(g.space(after)) == ':' {
			return end, true // a name, before which a comma is missing
		}
		end = after
	}
}

// string follows one string, which ends on its line.
func (g *grammar) string(i int) (end int, ok bool) {
	quote := g.text[i]
	if bytes.HasPrefix(g.text[i:], bytes.Repeat([]byte{quote}, 3)) {
		return g.stop(i, programCode) // a string over several lines
	}
	j := i + 1
	for j < len(g.text) && g.text[j] != '\n' {
		switch g.text[j] {
		case quote:
			return j + 1, true
		case '\\':
			j++
		}
		j++
	}
	return g.stop(min(j, len(g.text)), damaged)
}

// collection follows an object or a list.
func (g *grammar) collection(i int, opening byte) (end int, ok bool) {
	closing, number := byte(']'), -1
	if opening == '{' {
		closing, number = '}', len(g.objects)
		g.objects = append(g.objects, map[string]string{})
	}
	i = g.space(i + 1)
	for g.byteAt(i) != closing {
		var name string
		if opening == '{' {
			if name, i, ok = g.name(i); !ok {
				return i, false
			}
		}
		if end, ok = g.value(i); !ok {
			return end, false
		}
		if name != "" {
			g.objects[number][name] = string(bytes.Trim(g.text[i:end], `"'`))
		}
		i = g.space(end)
		switch g.byteAt(i) {
		case ',':
			i = g.space(i + 1)
		case closing:
		default:
			return g.unexpected(i)
		}
	}
	return i + 1, true
}

// name follows the name of a member and its colon.
func (g *grammar) name(i int) (name string, next int, ok bool) {
	if c := g.byteAt(i); c != '"' && c != '\'' {
		next, ok = g.unexpected(i)
		return "", next, ok
	}
	end, ok := g.string(i)
	if !ok {
		return "", end, false
	}
	colon := g.space(end)
	if g.byteAt(colon) != ':' {
		next, ok = g.unexpected(colon)
		return "", next, ok
	}
	return string(g.text[i+1 : end-1]), g.space(colon + 1), true
}

// unexpected stops at text that is not the name, value, comma or bracket that the
// grammar requires there.
func (g *grammar) unexpected(i int) (int, bool) {
	rest := g.text[i:]
	first, _ := utf8.DecodeRune(rest)
	switch {
	case len(rest) == 0:
		return g.stop(i, damaged)
	case bytes.HasPrefix(rest, []byte("...")), first == '…', bytes.IndexByte([]byte("<|/"), rest[0]) >= 0:
		return g.stop(i, templateText)
	case unicode.IsLetter(first), bytes.IndexByte([]byte("_(+*%.$&`?"), rest[0]) >= 0:
		return g.stop(i, programCode)
	}
	return g.stop(i, damaged)
}

func (g *grammar) stop(i int, kind damageKind) (int, bool) {
	g.at, g.kind = i, kind
	return i, false
}

func (g *grammar) space(i int) int {
	i = min(i, len(g.text))
	return i + value.SpaceSize(g.text[i:])
}

// byteAt returns the byte at i, or 0 at the end of the text.
func (g *grammar) byteAt(i int) byte {
	if i < len(g.text) {
		return g.text[i]
	}
	return 0
}
