package sample

import "math/rand/v2"

// Layout is how records are written. The zero value is Python's json.dumps
// with a line feed behind each record.
type Layout struct {
	Compact  bool // no spaces behind ',' and ':'
	Raw      bool // ensure_ascii=False: characters beyond ASCII as UTF-8
	CRLF     bool // "\r\n" ends a line
	Shuffled bool // members in an order of their own in every record
}

// appendLine writes a record and its line end.
func (l Layout) appendLine(dst []byte, r record, rng *rand.Rand) []byte {
	dst = l.appendRecord(dst, r, rng)
	if l.CRLF {
		dst = append(dst, '\r')
	}
	return append(dst, '\n')
}

func (l Layout) appendRecord(dst []byte, r record, rng *rand.Rand) []byte {
	if l.Shuffled {
		rng.Shuffle(len(r), func(i, j int) { r[i], r[j] = r[j], r[i] })
	}
	dst = append(dst, '{')
	for i := range r {
		if i > 0 {
			dst = l.appendMark(dst, ',')
		}
		dst = appendString(dst, r[i].key, l.Raw)
		dst = l.appendMark(dst, ':')
		dst = l.appendValue(dst, &r[i], rng)
	}
	return append(dst, '}')
}

func (l Layout) appendValue(dst []byte, m *member, rng *rand.Rand) []byte {
	switch m.kind {
	case literal:
		return append(dst, m.value...)
	case object:
		return l.appendRecord(dst, m.members, rng)
	}
	return appendString(dst, m.value, l.Raw)
}

// appendMark writes ',' or ':' with the space that json.dumps puts behind it.
func (l Layout) appendMark(dst []byte, mark byte) []byte {
	if l.Compact {
		return append(dst, mark)
	}
	return append(dst, mark, ' ')
}
