package validate_test

import (
	"testing"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/validate"
	"github.com/lmclint/lmclint/schema"
)

// FuzzMemo holds answers from memory to those of the schemas, for a record and
// for others that look much like it, in turns.
func FuzzMemo(f *testing.F) {
	var pairs []*pair
	for _, dialect := range append(schema.Names(), extended, strange) {
		pairs = append(pairs, newPair(f, dialect, schema.Message), newPair(f, dialect, schema.Chunk))
	}
	for i, record := range append(tableRecords(), recorded(f, "*", "*")...) {
		f.Add(record, `"1"`, uint8(i))
	}
	f.Fuzz(func(t *testing.T, record, value string, number uint8) {
		p := pairs[int(number)%len(pairs)]
		if p.memo.Cached(p.part) > validate.MaxVerdicts/2 {
			p.memo.ClearCache(p.part)
		}
		records := siblings(record, value)
		for range 2 {
			for _, sibling := range records {
				p.agree(t, sibling)
			}
		}
	})
}

// siblings returns a record, and it with other keys and values in the place of
// each member's, down to those of the content. There is none of an input that is
// no record.
func siblings(record, value string) []string {
	root := readable(record)
	if root == nil {
		return nil
	}
	record = string(root.Raw())
	var places []*source.Node
	for i := range root.Children {
		member := &root.Children[i]
		places = append(places, member)
		for j := range member.Children {
			places = append(places, &member.Children[j])
		}
	}
	all := []string{record}
	add := func(start, end int, other string) {
		sibling := record[:start-root.Start] + other + record[end-root.Start:]
		if readable(sibling) != nil {
			all = append(all, sibling)
		}
	}
	for _, place := range places[:min(len(places), 12)] {
		for _, other := range append(likeValues(place.Kind), value) {
			add(place.Start, place.End, other)
		}
		if place.NameEnd == 0 {
			continue
		}
		for _, other := range append(likeKeys(), value) {
			add(place.NameStart, place.NameEnd, other)
		}
	}
	return all
}

// likeKeys are keys that no schema names, of which some look like known ones,
// and some that are known elsewhere.
func likeKeys() []string {
	return []string{`"x"`, `"typ"`, `"Type"`, `"typ\ud800"`, `"contnt"`, `"stop"`, `"auth"`, `"language"`}
}

// likeValues are other values of a kind.
func likeValues(kind source.Kind) []string {
	switch kind {
	case source.String:
		return []string{`"x"`, `"\u0078"`, `"12"`, `"mesage"`, `"nul"`}
	case source.Number:
		return []string{`0`, `1`, `2`, `-1`, `2.5`, `20e-1`}
	case source.Bool:
		return []string{`true`, `false`}
	}
	return []string{`null`}
}
