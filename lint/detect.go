package lint

import (
	"cmp"
	"errors"
	"io"
	"slices"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/source"
)

// maxPeeked is how many records are read to classify the conversation of a text, among
// whose records are lists.
const maxPeeked = 1000

// detect reads records until it is decided which protocol the input is of. They
// are pending then. Protocols look at them as [plugin.Sniffs] says, and at once if the last
// record alone decides.
func (r *run) detect() error {
	for decided := false; !decided; {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		final := r.peek(len(r.pending)) == nil
		if unread, ok := errors.AsType[*source.UnreadError](r.readErr); ok {
			return &UnknownInputError{Looks: unread.Error(), Other: !unread.IsCode()}
		}
		if final && !errors.Is(r.readErr, io.EOF) {
			return r.readErr
		}
		if n := len(r.pending); !plugin.Sniffs(n) && !final && !r.decides(r.pending[n-1:]) {
			continue
		}
		var err error
		if decided, err = r.sniff(r.pending, final); err != nil {
			return err
		}
	}
	r.detected = -1
	if i := slices.IndexFunc(r.pending, func(rec *source.Record) bool { return !rec.IsGap }); i >= 0 {
		r.detected = r.pending[i].Conversation
	}
	return nil
}

// decides reports whether some records show the kind of the input.
func (r *run) decides(records []*source.Record) bool {
	return slices.ContainsFunc(r.linter.candidates, func(p plugin.Protocol) bool {
		return p.Sniff(records, r.reader.Form(), r.linter.config, false).Kind != ""
	})
}

// sniff asks each protocol, and chooses the one that matches most records, the
// first of them if several match equally many. One that matches none, as the user may
// want, waits for the others.
func (r *run) sniff(first []*source.Record, final bool) (decided bool, err error) {
	config := r.linter.config
	config.EmptyList = final && len(first) == 0 && r.reader.HasEnvelope()
	var best plugin.Detection
	var leader plugin.Protocol
	looks, rejected := "", 0
	for _, p := range r.linter.candidates {
		switch d := p.Sniff(first, r.reader.Form(), config, final); {
		case d.LooksLike != "":
			looks = cmp.Or(looks, d.LooksLike)
			rejected++
		case leader == nil || d.MatchCount > best.MatchCount:
			best, leader = d, p
		}
	}
	isAlone := rejected+1 == len(r.linter.candidates)
	switch {
	case leader == nil:
		return false, &UnknownInputError{Looks: looks, Named: config.Explicit()}
	case final && best.Kind == "":
		return false, &UnknownInputError{Looks: "no protocol decides what it is"}
	case best.Kind == "" && best.Meanwhile != "" && r.input != nil:
		best.Kind, r.isUndecided = best.Meanwhile, true
	case best.Kind == "" || best.MatchCount == 0 && !isAlone && !final && len(first) < source.DecisiveValues:
		return false, nil
	}
	r.protocol, r.detection = leader, best
	r.result.Protocol, r.result.Kind = leader.Name(), best.Kind
	return true, nil
}

// reconsider detects what the input is after another record, where the records before it
// were passed on without that. If it is something else, these are checked again, and what
// was reported of them is not reported again. It returns the record, which stays valid.
func (r *run) reconsider(rec *source.Record) (*source.Record, error) {
	rec = rec.Clone()
	r.passed = append(r.passed, rec)
	passed, seen := r.passed[:len(r.passed)-1], r.passed
	before := conversationKind{r.protocol, plugin.InputsOf(r.detection.Kind)}
	r.isUndecided = false
	for i, final := 0, false; ; i++ {
		if decided, err := r.sniff(seen, final); decided || err != nil {
			if err != nil {
				return nil, err
			}
			break
		}
		next := r.peek(i)
		if final = next == nil; !final {
			seen = append(seen, next.Clone())
		}
	}
	if r.isUndecided {
		r.passed = seen
		return rec, nil
	}
	r.passed = nil
	if len(passed) == 0 || before == (conversationKind{r.protocol, plugin.InputsOf(r.detection.Kind)}) {
		return rec, nil
	}
	r.conv.findings = r.conv.findings[:0]
	r.conv.end()
	r.conv.release()
	r.openConversation(passed[0].Conversation)
	r.conv.hasRecord = true
	var err error
	for i := 0; i < len(passed) && err == nil; i++ {
		r.conv.reported = false
		r.conv.session.Step(passed[i])
		r.conv.findings = slices.DeleteFunc(r.conv.findings, func(f Finding) bool {
			return slices.Contains(r.reported, placeOfRule{f.Rule.ID, f.Place.Span.Start.Offset})
		})
		err = r.flush()
	}
	r.reported = nil
	return rec, err
}

// placeOfRule is where a rule reported a finding.
type placeOfRule struct {
	id string
	at int64
}

// classify detects the kind of the conversation that a record begins, if it is not that
// of the input. It returns the record, which stays valid when others are read.
func (r *run) classify(rec *source.Record) *source.Record {
	if r.detection.Classify == nil || rec.Conversation < 0 && r.detected < 0 {
		return rec
	}
	first, final := []*source.Record{rec}, false
	for i := 0; ; i++ {
		kind := r.detection.Classify(first, r.detection.Kind, final)
		if kind != "" {
			r.detection.Kind = kind
		}
		if kind != "" || final {
			return first[0]
		}
		if i == 0 {
			first[0] = rec.Clone()
		}
		switch next := r.peek(i); {
		case next == nil || i >= maxPeeked:
			final = true
		case next.Conversation == first[0].Conversation:
			first = append(first, next.Clone())
		default:
			final = first[0].Conversation >= 0 // lists may be among the records of a text
		}
	}
}

// peek returns the pending record number i, which it reads if necessary, or nil if the
// input ends before, and readErr says how. The record is valid until another one is read.
func (r *run) peek(i int) *source.Record {
	for len(r.pending) <= i && r.readErr == nil {
		if last := len(r.pending) - 1; last >= 0 {
			r.pending[last] = r.pending[last].Clone() // it may be the reader's last one, which the next read invalidates
		}
		rec, err := r.read()
		if err != nil {
			r.readErr = err
			return nil
		}
		r.pending = append(r.pending, rec)
	}
	if len(r.pending) <= i {
		return nil
	}
	return r.pending[i]
}
