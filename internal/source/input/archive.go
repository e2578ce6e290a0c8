package input

import (
	"bytes"
	"strconv"
)

// The header of the first file in a tar archive.
const (
	tarHeaderBytes  = 512
	tarChecksumAt   = 148
	tarChecksumSize = 8
)

// IsTar reports whether an input that starts with head is a tar archive, of any of its formats: the sum of the
// bytes of the first header, with spaces in place of the sum, is written in it in octal.
func IsTar(head []byte) bool {
	if len(head) < tarHeaderBytes {
		return false // no shorter input is one, and a pipe from tar begins with more
	}
	head = head[:tarHeaderBytes]
	field := head[tarChecksumAt : tarChecksumAt+tarChecksumSize]
	want, err := strconv.ParseUint(string(bytes.Trim(field, " \x00")), 8, 32)
	if err != nil {
		return false
	}
	sum := uint64(tarChecksumSize * ' ')
	for i, b := range head {
		if i < tarChecksumAt || i >= tarChecksumAt+tarChecksumSize {
			sum += uint64(b)
		}
	}
	return sum == want
}

// ZipMagic is the start of a zip archive that contains a file. No JSON text
// starts with it.
var ZipMagic = []byte("PK\x03\x04")

// ZipMagicBytes is how many bytes of an input IsZip needs.
const ZipMagicBytes = 4

// IsZip reports whether an input that starts with head is a zip archive.
func IsZip(head []byte) bool { return bytes.HasPrefix(head, ZipMagic) }
