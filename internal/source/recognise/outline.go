package recognise

import (
	"bytes"
	"hash/maphash"

	"github.com/lmclint/lmclint/internal/source/value"
)

// outline scans a record to compute the key of its template: a hash of
// everything but the variable value. It checks only what that needs, so the key of
// invalid text is meaningless.
//
// The variable value is the string or positive whole number of the member named
// variable, or of the member of that name in the object of that name.
type outline struct {
	text     []byte
	variable string // the member's name, with its quotes
	seed     maphash.Seed

	at       int // where it is: the size of text if that ends within the record
	depth    int
	kind     value.Kind // of the value that varies; 0 if there is none
	from, to int        // the value that varies, a string without its quotes
}

// key returns the hash of the record that was scanned.
func (o *outline) key() uint64 {
	return 31*maphash.Bytes(o.seed, o.text[:o.from]) + maphash.Bytes(o.seed, o.text[o.to:o.at])
}

// object scans an object. It returns false if a member has a value that is not
// plain, or text ends.
func (o *outline) object() bool {
	if !o.skip('{') || o.depth == 2 {
		return false
	}
	o.depth++
	for {
		o.space()
		if !o.member() {
			return false
		}
		if o.skip('}') {
			o.depth--
			return true
		}
		if !o.skip(',') {
			return false
		}
	}
}

// member scans a member.
func (o *outline) member() bool {
	from := o.at
	if !o.string() {
		return false
	}
	name := o.text[from+1 : o.at-1]
	if !o.skip(':') {
		return false
	}
	o.space()
	if o.at == len(o.text) {
		return false
	}
	if string(name) == o.variable {
		switch from := o.at + 1; o.text[o.at] {
		case '{':
			return o.object()
		case '"':
			end, _, _, ok := value.SkipText(o.text, from)
			if ok {
				o.kind, o.from, o.to, o.at = value.String, from, end, end+1
			} else if end == len(o.text) {
				o.at = end
			}
			return ok
		}
		if end := countEnd(o.text, o.at); end > o.at {
			o.kind, o.from, o.to, o.at = value.Number, o.at, end, end
			return true
		}
	}
	if o.text[o.at] == '"' {
		return o.string()
	}
	from = o.at
	o.at = value.WordEnd(o.text, from) // a number or a literal name
	return o.at > from
}

// skip skips whitespace and c, and reports whether c followed.
func (o *outline) skip(c byte) bool {
	o.space()
	if o.at == len(o.text) || o.text[o.at] != c {
		return false
	}
	o.at++
	return true
}

func (o *outline) space() { o.at += value.SpaceSize(o.text[o.at:]) }

// string scans a string without escapes.
func (o *outline) string() bool {
	if o.at == len(o.text) || o.text[o.at] != '"' {
		return false
	}
	end := bytes.IndexByte(o.text[o.at+1:], '"')
	if end < 0 {
		o.at = len(o.text)
		return false
	}
	o.at += end + 2
	return true
}
