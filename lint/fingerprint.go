package lint

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
)

// FingerprintVersion names how fingerprints are made. Fingerprints of different
// versions are not to be compared.
const FingerprintVersion = "lmclint/v1"

// Fingerprints recognises findings in later runs, when records were inserted
// above them or lines were moved. It serves the findings of one input, in the
// order in which they were decided. The zero value is ready for use.
//
// It remembers 12 bytes of each fingerprint that it gave, so that no two of an
// input are equal.
type Fingerprints struct {
	seen  map[uint64]uint32 // how many findings looked alike, by the start of their hash
	facts []byte
}

// Next returns the fingerprint of the next finding, 32 hexadecimal digits. It
// rests on the rule, the pointer without the numbers in it, and the part of the
// record that the finding shows, without white space. Of findings that are
// equal in all that, the number in order tells one from another. The path, the
// line, the message and the severity have no part in it: who compares more than
// one input has to compare paths, too.
func (p *Fingerprints) Next(f *Finding) string {
	b := p.facts[:0]
	b = append(append(b, FingerprintVersion...), 0)
	b = append(b, f.Rule.ID...)
	b = appendStripped(append(b, 0), f.Place.Pointer)
	b = appendUnspaced(append(b, 0), f.Place.Excerpt.Text)
	sum := sha256.Sum256(b)
	key := binary.BigEndian.Uint64(sum[:])
	if p.seen == nil {
		p.seen = map[uint64]uint32{}
	}
	if before := p.seen[key]; before > 0 {
		sum = sha256.Sum256(binary.BigEndian.AppendUint32(append(b, 0), before))
	}
	p.seen[key]++
	p.facts = b
	return hex.EncodeToString(sum[:16])
}

// appendStripped appends a JSON pointer without the numbers of elements: they
// change when something is inserted.
func appendStripped(b []byte, pointer string) []byte {
	for part := range strings.SplitSeq(pointer, "/") {
		if strings.Trim(part, "0123456789") != "" {
			b = append(append(b, '/'), part...)
		}
	}
	return b
}

func appendUnspaced(b []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c > ' ' {
			b = append(b, c)
		}
	}
	return b
}
