package lint

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"github.com/lmclint/lmclint/internal/source"
)

// Limits of the causes of one input.
const (
	maxCauses = 1000 // that are distinguished; further ones of a rule are one finding
	maxPlaces = 1000 // the first places that are kept of a cause, besides the last one
)

// Spot is one of the places of a finding. Lines and columns, in code points, count from 1,
// offsets, in bytes of the decompressed input, and records and conversations from 0. Record
// is -1 between records, and Conversation as in [Finding].
type Spot struct {
	Line, Column         int
	Offset               int64
	Record, Conversation int
}

// causes are the findings of one input, by rule and cause. What a program does wrong it
// does in each record, and one change of it fixes all of them: so the first place of a cause
// is a finding, and the others are added to it.
//
// The zero value is ready for use.
type causes struct {
	isEach  bool // each place is a finding of its own
	byKey   map[causeKey]*cause
	byRule  map[ruleCause]*cause // those of byKey by which [Pass.Repeats] finds them: the first of a rule and cause
	inOrder []*cause
	seen    map[ruleCause]uint32 // how many findings had a rule and cause, for fingerprints
}

// causeKey is what the findings of one cause have in common.
type causeKey struct {
	ruleCause
	severity Severity
	path     string
	isRest   bool // of all causes that are not distinguished
}

type ruleCause struct {
	rule  *Rule
	cause string
}

// cause is a finding, with its number of places, the first of them and the last one.
type cause struct {
	finding    Finding
	suppressed bool // by the baseline
}

// spotOf returns the place of a finding.
func spotOf(f *Finding) Spot {
	at := f.Place.Span.Start
	return Spot{max(at.Line, 1), max(at.Column, 1), at.Offset, f.Place.Record, f.Conversation}
}

// add adds a finding to those of its cause. It returns the cause, and whether the finding
// is the first one of it, which gets its fingerprint.
func (c *causes) add(f *Finding) (of *cause, isFirst bool) {
	if c.byKey == nil {
		c.byKey, c.byRule, c.seen = map[causeKey]*cause{}, map[ruleCause]*cause{}, map[ruleCause]uint32{}
	}
	key := causeKey{ruleCause: ruleCause{f.Rule, f.Cause}, severity: f.Severity, path: f.Path}
	if !c.isEach {
		if c.byKey[key] == nil && len(c.byKey) >= maxCauses {
			key.cause, key.isRest = "", true
		}
		if of = c.byKey[key]; of != nil {
			of.repeat(spotOf(f))
			return of, false
		}
	}
	if key.isRest {
		f.Cause, f.Message = "and others", f.Message+", and others"
	}
	before := c.seen[key.ruleCause]
	c.seen[key.ruleCause]++
	f.Fingerprint = fingerprintOf(f.Rule.ID, f.Cause, before)
	of = &cause{finding: *f}
	if c.isEach {
		return of, true
	}
	of.finding.Places = []Spot{spotOf(f)}
	c.byKey[key] = of
	c.inOrder = append(c.inOrder, of)
	if before == 0 && !key.isRest {
		c.byRule[key.ruleCause] = of
	}
	return of, true
}

// repeat adds a place. Memory is bounded: after the first ones only the last is kept.
func (c *cause) repeat(at Spot) {
	f := &c.finding
	if f.Count++; len(f.Places) > maxPlaces {
		f.Places[maxPlaces] = at
		return
	}
	f.Places = append(f.Places, at)
}

// repeated returns the findings with more than one place, in the order in which they were
// emitted.
func (c *causes) repeated() (found []Finding) {
	for _, of := range c.inOrder {
		if of.finding.Count > 1 && !of.suppressed {
			found = append(found, of.finding)
		}
	}
	return found
}

// Repeats adds a place to the finding of the rule for a cause, and reports whether the input
// has one: then nothing is left to report. A rule that asks before it makes a finding makes
// only the first. At is the offset of the place in the record's Data. If each place or its
// fix is wanted, or the finding may have another severity, it reports false.
func (p *Pass) Repeats(because string, r *source.Record, at int) bool {
	of := p.known(because)
	if of == nil {
		return false
	}
	place := source.Place{Span: source.Span{Start: r.PositionOf(at)}, Record: r.Index}
	if r.IsGap {
		place.Record = -1
	}
	p.repeat(of, place)
	return true
}

// RepeatsAt is Repeats for a place that is known.
func (p *Pass) RepeatsAt(because string, at source.Place) bool {
	of := p.known(because)
	if of != nil {
		p.repeat(of, at)
	}
	return of != nil
}

// known returns the finding of the rule to which Repeats adds places, or nil.
func (p *Pass) known(because string) *cause {
	c := p.conversation
	of := c.causes.byRule[ruleCause{p.Rule, because}]
	if of == nil || c.observer != nil || of.finding.Severity != c.severityOf(p.Rule, 0) {
		return nil
	}
	return of
}

func (p *Pass) repeat(of *cause, at source.Place) {
	c := p.conversation
	of.repeat(spotOf(&Finding{Place: at, Conversation: c.number}))
	if c.reported = true; !of.suppressed {
		c.result.countPlace(of.finding.Severity)
	}
}

// FingerprintVersion is the version of fingerprints. Fingerprints of different
// versions cannot be compared.
const FingerprintVersion = "lmclint/v2"

// fingerprintOf returns the fingerprint of a rule and cause, with the number of findings of
// the input before it that have the same.
func fingerprintOf(rule, because string, before uint32) string {
	facts := FingerprintVersion + "\x00" + rule + "\x00" + because
	if before > 0 {
		facts += "\x00" + string(binary.BigEndian.AppendUint32(nil, before))
	}
	sum := sha256.Sum256([]byte(facts))
	return hex.EncodeToString(sum[:16])
}
