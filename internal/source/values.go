package source

import (
	"fmt"
	"iter"
)

// Values gives the JSON values of a text that stand one behind another, with
// white space between them, up to the first that is none. It is for texts that
// are known to be sound; recordings have a Reader. A value is valid until the
// next.
func Values(text []byte) iter.Seq2[*Node, error] {
	return func(yield func(*Node, error) bool) {
		scan := scanner{maxDepth: MaxDepth}
		for at := countSpace(text); at < len(text); at += countSpace(text[at:]) {
			v := scan.scan(text[at:], true)
			if v.stop != nil {
				yield(nil, fmt.Errorf("byte %d: %s", at+v.stop.start, v.stop.detail))
				return
			}
			if at += v.end; !yield(v.root, nil) {
				return
			}
		}
	}
}
