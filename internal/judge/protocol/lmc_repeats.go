package protocol

import (
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/judge/validate"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// maxBlockMistakes is how many mistakes of a block are kept. Others are reported at
// each record.
const maxBlockMistakes = 16

// blockMistakes are the mistakes that all records of a block may have, because the
// producer writes the block with them: a role, type or format. They are reported at
// its first record: its start, or the first of adjacent ones.
type blockMistakes struct {
	reported map[blockMistake]firstMistake
	block    int // number of the block, 0 outside one
	last     int // index of the last record with one of them
}

// blockMistake is what a violation has in common in all records of a block.
type blockMistake struct {
	cause     validate.Cause
	value     string // what was found, or written instead
	role, typ string // of the record
}

// firstMistake is where a mistake of a block was found.
type firstMistake struct {
	atStart bool // of the block
	last    int  // index of the last record with it
}

// repeats reports whether an earlier record of the block has the same violation. Else
// it notes it.
func (m *blockMistakes) repeats(v *validate.Violation, r *lmc.Record, open *lmc.Block) bool {
	if !isOfBlock(v.Cause) {
		return false
	}
	block, index := 0, r.Source.Index
	if open != nil {
		block = open.Number
	}
	if r.Start && index != m.last || block != m.block || block == 0 && r.Source.Before() > m.last {
		clear(m.reported)
	}
	m.block, m.last = block, index
	mistake := blockMistake{v.Cause, v.Found + v.Instead, r.Role, r.Type}
	first, ok := m.reported[mistake]
	if !ok && len(m.reported) >= maxBlockMistakes {
		return false
	}
	if m.reported == nil {
		m.reported = map[blockMistake]firstMistake{}
	}
	m.reported[mistake] = firstMistake{first.atStart || !ok && r.Start, index}
	return ok && (first.atStart || r.Source.Before() <= first.last)
}

// isOfBlock reports whether a violation may be a mistake of a block.
func isOfBlock(cause validate.Cause) bool {
	switch cause {
	case validate.MissingRole, validate.UnknownRole, validate.MissingType, validate.UnknownType,
		validate.MissingFormat, validate.InvalidFormat, validate.UnexpectedFormat, validate.InvalidRecipient:
		return true
	}
	return false
}

// started notes the block that a record with mistakes starts.
func (m *blockMistakes) started(r *lmc.Record, open *lmc.Block) {
	if r.Start && len(m.reported) > 0 && m.last == r.Source.Index && open != nil {
		m.block = open.Number
	}
}

// mistakesOf returns the mistakes of the blocks of the record's direction.
func (s *lmcSession) mistakesOf(r *lmc.Record) *blockMistakes {
	if r.Source.Direction == source.Sent {
		return &s.sentMistakes
	}
	return &s.mistakes
}

// isRepeated reports whether an earlier record of the block has the same violation,
// so that both are one mistake.
func (s *lmcSession) isRepeated(v *validate.Violation, r *lmc.Record, open *lmc.Block) bool {
	if s.state.Transcript {
		return false // each message is on its own
	}
	if v.Cause == validate.MissingContent && r.Flag() {
		before := s.flaglessStart
		s.flaglessStart = ""
		if r.Start {
			s.flaglessStart = r.Type
		}
		return !r.Start && before != "" && before == r.Type
	}
	return s.mistakesOf(r).repeats(v, r, open)
}

// IsSomethingElse reports whether a record has neither a role nor a type, nor a key
// that was meant for one: it is another object, and lacks both at once.
func IsSomethingElse(r *lmc.Record) bool { return hasNoneOf(r, ownKeys[:2]) }

// HasNothing reports whether a record has nothing of a message or a chunk, such as the
// object of a logger.
func HasNothing(r *lmc.Record) bool { return !r.Flag() && hasNoneOf(r, ownKeys) }

// hasNoneOf reports whether a record has no key that is, or was meant for, one of a list.
func hasNoneOf(r *lmc.Record, keys []string) bool {
	return !slices.ContainsFunc(r.Source.Root.Children, func(n source.Node) bool { return slices.Contains(keys, meantKey(n.Name)) })
}

// foreignRun is the current run of adjacent lines, or elements of a list, that have
// nothing of a record, such as a number, a bracket or the object of a logger: one
// mistake, which is reported at the first of each kind.
type foreignRun struct {
	kinds []foreignKind // in the run
	last  int           // index of the last record of the run

	names    []string         // of the members of the last object that was looked at
	isObject bool             // whether it has nothing of a record
	invalid  lmc.InvalidParts // of such an object
}

// foreignKind is what is wrong with a value that has nothing of a record.
type foreignKind struct {
	problem source.ProblemKind
	value   value.Kind // of one that could be parsed
}

// repeats reports whether a record with problems continues the run with a kind that was
// reported.
func (f *foreignRun) repeats(src *source.Record) bool {
	if !src.IsForeign() {
		return false
	}
	kind := foreignKind{problem: src.Problems[0].Kind}
	if src.Root != nil {
		kind.value = src.Root.Kind
	}
	return f.continues(src, kind)
}

// repeatsObject reports whether a record continues the run as an object with nothing of
// a record. Such objects often have the same members.
func (f *foreignRun) repeatsObject(r *lmc.Record) bool {
	members := r.Source.Root.Children
	if !slices.EqualFunc(f.names, members, func(name string, n source.Node) bool { return name == n.Name }) || len(members) == 0 {
		f.names = f.names[:0]
		for i := range members {
			f.names = append(f.names, strings.Clone(members[i].Name))
		}
		f.isObject = HasNothing(r)
	}
	return f.isObject && f.continues(r.Source, foreignKind{value: value.Object})
}

// continues reports whether a record continues the run with a kind that was reported. A
// record that does not continue it begins another.
func (f *foreignRun) continues(src *source.Record, kind foreignKind) bool {
	if src.Index == 0 || src.Before() != f.last {
		f.kinds = f.kinds[:0]
	}
	f.last = src.Index
	if slices.Contains(f.kinds, kind) {
		return true
	}
	f.kinds = append(f.kinds, kind)
	return false
}
