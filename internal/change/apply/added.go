package apply

import (
	"slices"
	"sort"

	"github.com/lmclint/lmclint/lint"
)

// addition is a finding that a text has and had not before its changes.
type addition struct {
	what     string  // the id of its rule
	at       []int64 // of its record and the related ones, in the text before
	severity lint.Severity
	found    Left // in the text after
}

// addedTo returns the findings that the text after changes has and the one before
// has not. A finding of before is known by its rule and its record, or the record
// that it refers to; one that is reported once for several records, also by its
// message.
func addedTo(before, after *checked, m moves) (added []addition) {
	if after.unreadable() > before.unreadable() {
		added = append(added, addition{what: "an unreadable record", severity: unreadable})
	}
	stay := func(at int64) int64 { return at }
	rest, gone := slices.Clone(after.judged), make([]bool, len(before.judged))
	for n := 0; n < len(findingKeys{}) && len(rest) > 0; n++ {
		known := map[findingKey][]int{} // indexes of gone
		for i := range before.judged {
			if !gone[i] {
				k := before.keysOf(&before.judged[i], m.forward)[n]
				known[k] = append(known[k], i)
			}
		}
		rest = slices.DeleteFunc(rest, func(f Left) bool {
			k := after.keysOf(&f, stay)[n]
			if k.rule == nil || len(known[k]) == 0 {
				return false
			}
			gone[known[k][0]], known[k] = true, known[k][1:]
			return true
		})
	}
	for i := range rest {
		keys := after.keysOf(&rest[i], m.back)
		a := addition{rest[i].Rule.ID, []int64{keys[0].at}, rest[i].Severity, rest[i]}
		if related := keys[1]; related.rule != nil {
			a.at = append(a.at, related.at)
		}
		added = append(added, a)
	}
	return added
}

// unreadable is the severity of an unreadable record: no fix may add one.
const unreadable = lint.SeverityError + 1

// isPrice reports whether an addition is less severe than each of the findings whose fixes
// may have caused it: they gain more than it costs.
func (a *addition) isPrice(tried []candidate, parts []suspect) bool {
	near, _ := a.suspects(parts)
	return len(near) > 0 && !slices.ContainsFunc(near, func(i int) bool { return tried[i].finding.Severity <= a.severity })
}

// findingKey is what a finding is known by, besides its rule.
type findingKey struct {
	rule    *lint.Rule
	at      int64
	message string
}

// findingKeys are the keys of a finding by its record, by the related record and by its
// message; the zero key if it has none. An unreadable record has none by its message:
// that another one can be read no more than one that went is a finding of its own.
type findingKeys [3]findingKey

func (c *checked) keysOf(f *Left, move func(int64) int64) (keys findingKeys) {
	keys[0] = findingKey{rule: f.Rule, at: move(c.recordAt(f.At.Offset))}
	if f.related >= 0 {
		keys[1] = findingKey{rule: f.Rule, at: move(c.recordAt(f.related))}
	}
	if i, ok := c.spanAt(f.At.Offset); !ok || !c.layout.spans[i].Unreadable {
		keys[2] = findingKey{rule: f.Rule, message: f.Message}
	}
	return keys
}

// recordAt returns the offset of the record that contains an offset, or that if
// there is none.
func (c *checked) recordAt(offset int64) int64 {
	if i, ok := c.spanAt(offset); ok {
		return c.layout.spans[i].Start
	}
	return offset
}

// spanAt returns the index of the span of the record that contains an offset or ends
// there.
func (c *checked) spanAt(offset int64) (int, bool) {
	spans := c.layout.spans
	i := sort.Search(len(spans), func(i int) bool { return spans[i].Start > offset }) - 1
	return i, i >= 0 && offset <= spans[i].End
}

// moves are how changes, made one after another, move the text.
type moves []move

// forward returns the offset in the text after the changes of one before, and back
// that in the text before of one after.
func (m moves) forward(offset int64) int64 {
	for _, step := range m {
		offset = step.offset(offset, 0, 1)
	}
	return offset
}

func (m moves) back(offset int64) int64 {
	for _, step := range slices.Backward(m) {
		offset = step.offset(offset, 1, 0)
	}
	return offset
}

// move are the parts of a text that changes replace, and in the text after them what
// they are replaced with.
type move [][2]touched

func newMove(changes []change) (m move) {
	by := int64(0) // how far what follows a change moves
	for _, c := range changes {
		start := c.start + by
		by += int64(len(c.text)) - (c.end - c.start)
		m = append(m, [2]touched{{c.start, c.end}, {start, c.end + by}})
	}
	return m
}

func (m move) offset(offset int64, from, to int) int64 {
	i := sort.Search(len(m), func(i int) bool { return m[i][from].to > offset })
	switch {
	case i < len(m) && m[i][from].from < offset:
		return m[i][to].from
	case i > 0:
		offset += m[i-1][to].to - m[i-1][from].to
	}
	return offset
}

// suspect is what a fix touches that may have added a finding.
type suspect struct {
	touched
	fix int // its index
}

// suspects returns the indices of the fixes that touch a record of the addition, each
// once. If there is none it returns those next to it. The parts that the fixes touch
// are sorted.
func (a *addition) suspects(parts []suspect) (list []int, touch bool) {
	var beside []int
	for _, at := range a.at {
		i := sort.Search(len(parts), func(i int) bool { return parts[i].from > at })
		if i > 0 && parts[i-1].to >= at {
			list = append(list, parts[i-1].fix)
			continue
		}
		for _, i := range []int{i - 1, i} {
			if i >= 0 && i < len(parts) {
				beside = append(beside, parts[i].fix)
			}
		}
	}
	if touch = len(list) > 0; !touch {
		list = beside
	}
	slices.Sort(list)
	return slices.Compact(list), touch
}
