package workbench

import (
	"encoding/hex"
	"strings"

	"github.com/lmclint/lmclint/internal/source"
)

// UUIDForm says how a text is written that may be a UUID.
type UUIDForm uint8

// The forms of a UUID.
const (
	NoUUID    UUIDForm = iota
	PlainUUID          // 8-4-4-4-12 hexadecimal digits in lower case, as the service writes it
	OddUUID            // another form that the service's models read
)

// ID is a UUID's value.
type ID [16]byte

// ParseUUID reads a UUID as the service's models do: with hyphens or without,
// in braces, or behind urn:uuid:.
func ParseUUID(text string) (id ID, form UUIDForm) {
	digits := strings.TrimPrefix(text, "urn:uuid:")
	if inside, braced := strings.CutPrefix(digits, "{"); braced {
		digits = strings.TrimSuffix(inside, "}")
	}
	if len(digits) == len(id.String()) && digits[8] == '-' && digits[13] == '-' && digits[18] == '-' && digits[23] == '-' {
		digits = strings.ReplaceAll(digits, "-", "")
	}
	if len(digits) != hex.EncodedLen(len(id)) {
		return ID{}, NoUUID
	}
	if _, err := hex.Decode(id[:], []byte(digits)); err != nil {
		return ID{}, NoUUID
	}
	if text == id.String() {
		return id, PlainUUID
	}
	return id, OddUUID
}

// String writes the id as the service does.
func (id ID) String() string {
	h := hex.EncodeToString(id[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// identity is a text by which two mentions of one id are the same.
func identity(n *source.Node) string {
	text := n.Text()
	if id, form := ParseUUID(text); form == OddUUID {
		return id.String()
	}
	return text
}
