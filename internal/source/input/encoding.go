package input

import "bytes"

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
	for _, mark := range []struct{ bytes, name string }{
		{"\xff\xfe\x00\x00", "UTF-32"}, {"\x00\x00\xfe\xff", "UTF-32"}, {"\xff\xfe", "UTF-16"}, {"\xfe\xff", "UTF-16"},
	} {
		if bytes.HasPrefix(head, []byte(mark.bytes)) {
			return mark.name
		}
	}
	if len(head) < 4 {
		return ""
	}
	return zeroPattern([4]byte(head))
}

// mayBeForeign reports whether an input that starts with head may have another
// encoding than UTF-8.
func mayBeForeign(head []byte) bool {
	if len(head) == 0 {
		return true
	}
	switch head[0] {
	case 0xFE, 0xFF, 0:
		return true
	}
	return len(head) == 1 || head[1] == 0
}

// zeroPattern returns the encoding that has the zero bytes of b in an ASCII
// character.
func zeroPattern(b [4]byte) string {
	var zeros [4]bool
	for i := range b {
		zeros[i] = b[i] == 0
	}
	switch zeros {
	case [4]bool{true, true, true, false}, [4]bool{false, true, true, true}:
		return "UTF-32"
	case [4]bool{true, false, true, false}, [4]bool{false, true, false, true}:
		return "UTF-16"
	}
	return ""
}
