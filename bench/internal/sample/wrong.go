package sample

import (
	"math/rand/v2"
	"strconv"
)

// Wrong is the mistake in every record of a stream.
type Wrong uint8

// Mistakes.
const (
	Healthy   Wrong = iota // nothing
	Same                   // the same mistake everywhere
	Different              // many mistakes in records that rarely repeat
)

// spoiler seeds a mistake that both the schema and the linter find, in each record
// and not once in a block.
type spoiler struct {
	wrong Wrong
	rng   *rand.Rand
	ways  []func(record, string) record // of a record and a unique word
}

func newSpoiler(w Wrong, seed uint64) *spoiler {
	return &spoiler{wrong: w, rng: rand.New(rand.NewPCG(seed, 2)), ways: []func(record, string) record{
		unknownRole, unknownKey, wrongFlag, wrongContent, unexpectedFormat, unknownRecipient,
	}}
}

func (s *spoiler) record(r record) record {
	switch s.wrong {
	case Same:
		return unknownKey(r, "sent_by")
	case Different:
		return s.different(r)
	}
	return r
}

// different tries kinds of mistakes until one applies; the second always does.
func (s *spoiler) different(r record) record {
	word := "x" + strconv.FormatUint(s.rng.Uint64(), 36)
	for i := s.rng.IntN(len(s.ways)); ; i = (i + 1) % len(s.ways) {
		if spoilt := s.ways[i](r, word); spoilt != nil {
			return spoilt
		}
	}
}

func unknownRole(r record, word string) record {
	r[r.index("role")].value = word
	return r
}

func unknownKey(r record, word string) record {
	return append(r, member{key: word, kind: literal, value: "1"})
}

func wrongFlag(r record, word string) record {
	for _, key := range []string{"start", "end"} {
		if i := r.index(key); i >= 0 {
			r[i].kind, r[i].value = text, word
			return r
		}
	}
	return nil
}

func wrongContent(r record, word string) record {
	i := r.index("content")
	if i < 0 || r[i].kind != text {
		return nil
	}
	r[i].kind = object
	r[i].members = record{{key: word, value: r[i].value}}
	return r
}

func unexpectedFormat(r record, word string) record {
	if r[r.index("type")].value != "message" {
		return nil
	}
	return append(r, member{key: "format", value: word})
}

func unknownRecipient(r record, word string) record {
	if r.index("content") < 0 || r.index("recipient") >= 0 {
		return nil
	}
	return r.to(word)
}
