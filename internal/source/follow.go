package source

import (
	"strings"

	"github.com/lmclint/lmclint/internal/source/value"
)

// likelihood is how well a text goes with what recovery takes it for.
type plausibility int

const (
	unknown  plausibility = iota // too little of it has arrived
	unlikely                     // no separator stands there
	possible                     // a separator does
	certain                      // and what comes behind that goes with it
)

// afterElement says whether text can stand behind an element of an array of
// objects. Complete says that no more text will come.
func afterElement(text []byte, complete bool) plausibility {
	c, text, found := nextByte(text)
	switch {
	case !found:
		return atEnd(complete)
	case c == ']':
		return begins(text, complete, ",}[{")
	case c == ',':
		return begins(text, complete, "{", "\"'}")
	}
	return unlikely
}

// begins says whether the first bytes of text that are no white space are
// each one of a set.
func begins(text []byte, complete bool, sets ...string) plausibility {
	for _, set := range sets {
		c, rest, found := nextByte(text)
		if !found {
			return atEnd(complete)
		}
		if strings.IndexByte(set, c) < 0 {
			return possible
		}
		text = rest
	}
	return certain
}

func atEnd(complete bool) plausibility {
	if complete {
		return certain
	}
	return unknown
}

// nextByte returns the first byte that is no white space, and what stands
// behind it.
func nextByte(text []byte) (c byte, rest []byte, found bool) {
	i := value.SpaceSize(text)
	if i == len(text) {
		return 0, nil, false
	}
	return text[i], text[i+1:], true
}
