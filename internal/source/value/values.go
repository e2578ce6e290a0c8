package value

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
		scan := Scanner{MaxDepth: MaxDepth}
		for at := SpaceSize(text); at < len(text); at += SpaceSize(text[at:]) {
			v := scan.Scan(text[at:], true)
			if v.Stop != nil {
				yield(nil, fmt.Errorf("byte %d: %s", at+v.Stop.Start, v.Stop.Detail))
				return
			}
			if at += v.End; !yield(v.Root, nil) {
				return
			}
		}
	}
}
