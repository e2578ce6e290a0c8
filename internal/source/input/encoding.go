package input

import (
	"bytes"
	"slices"
)

// ByteOrderMark is U+FEFF in UTF-8.
var ByteOrderMark = []byte("\ufeff")

// ForeignEncoding returns the name of the encoding if the input starts like
// UTF-16 or UTF-32: with a byte order mark, or with an ASCII character. It
// returns "" for UTF-8.
func (in *Input) ForeignEncoding() string {
	for len(in.Unread()) < 4 && mayBeForeign(in.Unread()) && in.Fetch() {
	}
	head := in.Unread()
	if len(head) < 2 || !mayBeForeign(head) {
		return ""
	}
	zeros := func(at ...int) bool {
		for i, c := range head[:min(len(head), 4)] {
			if (c == 0) != slices.Contains(at, i) {
				return false
			}
		}
		return len(head) >= 4
	}
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe\x00\x00")), bytes.HasPrefix(head, []byte("\x00\x00\xfe\xff")), zeros(0, 1, 2), zeros(1, 2, 3):
		return "UTF-32"
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")), zeros(0, 2), zeros(1, 3):
		return "UTF-16"
	}
	return ""
}

// mayBeForeign reports whether an input that starts with head may have another
// encoding than UTF-8.
func mayBeForeign(head []byte) bool {
	if len(head) == 0 {
		return true
	}
	return len(head) == 1 || head[1] == 0 || bytes.IndexByte([]byte{0xFE, 0xFF, 0}, head[0]) >= 0
}
