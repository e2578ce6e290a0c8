package lint

import (
	"errors"
	"io"
	"slices"

	"github.com/lmclint/lmclint/internal/plugin"
	"github.com/lmclint/lmclint/internal/source"
)

// Limits of what is read to decide between protocols that match equally many of
// the first records.
const (
	undecidedRecords = 20
	undecidedBytes   = 64 << 10
)

// maxPeeked is how many records are read to classify the conversation of a text, among
// whose records are lists.
const maxPeeked = 1000

// detect reads records until it is decided which protocol the input is of. They
// are pending then.
func (r *run) detect() error {
	var first []*source.Record
	for {
		rec, err := r.next()
		if code := new(source.CodeError); errors.As(err, &code) {
			return &UnknownInputError{Looks: code.Error()}
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if err == nil {
			first = append(first, rec)
		}
		decided, sniffErr := r.sniff(first, err != nil)
		if sniffErr != nil {
			return sniffErr
		}
		if decided {
			r.pending, r.detected = first, -1
			if i := slices.IndexFunc(first, func(rec *source.Record) bool { return !rec.IsGap }); i >= 0 {
				r.detected = first[i].Conversation
			}
			if r.detection.Unreadable {
				r.stopAtUnreadable()
			}
			return nil
		}
		if err == nil {
			first[len(first)-1] = rec.Clone() // the next read invalidates rec
		}
	}
}

// stopAtUnreadable ends an input that has no readable record. It keeps the first
// record with each kind of problem.
func (r *run) stopAtUnreadable() {
	seen := map[source.ProblemKind]bool{}
	r.pending = slices.DeleteFunc(r.pending, func(rec *source.Record) bool {
		known := true
		rec.Skipped = 0 // as all that are not kept
		for i := range rec.Problems {
			p := &rec.Problems[i]
			if p.IsFatal() && !seen[p.Kind] {
				p.Detail += "; no other record of this input can be read either"
			}
			known = known && (seen[p.Kind] || !p.IsFatal())
			seen[p.Kind] = true
		}
		return known
	})
	r.readErr = io.EOF
}

// sniff asks each protocol, and chooses the one that matches most records, the
// first of them if several match equally many when no more may be read. If all
// protocols reject the input, the error is from the one that matched most.
func (r *run) sniff(first []*source.Record, final bool) (decided bool, err error) {
	candidates := r.linter.candidates()
	var best, foreign plugin.Detection
	var leader plugin.Protocol
	rejected, tied := 0, false
	config := r.linter.config
	config.EmptyList = final && len(first) == 0 && r.reader.HasEnvelope()
	for _, p := range candidates {
		d := p.Sniff(first, r.reader.Form(), config, final)
		switch {
		case d.LooksLike != "":
			rejected++
			if foreign.LooksLike == "" || d.MatchCount > foreign.MatchCount {
				foreign = d
			}
		case leader == nil || d.MatchCount > best.MatchCount:
			best, leader, tied = d, p, false
		default:
			tied = tied || d.MatchCount == best.MatchCount
		}
	}
	switch {
	case rejected == len(candidates):
		return false, &UnknownInputError{Looks: foreign.LooksLike, Named: config.Explicit()}
	case final && (leader == nil || best.Kind == ""):
		return false, &UnknownInputError{Looks: "no protocol decides what it is"}
	case leader == nil || best.Kind == "" || tied && !final && isUndecided(first):
		return false, nil
	}
	r.protocol, r.detection = leader, best
	r.result.Protocol, r.result.Kind = leader.Name(), best.Kind
	return true, nil
}

// candidates are the protocols that an input may be of: all, or the one that
// the user named.
func (l *Linter) candidates() []plugin.Protocol {
	if l.config.Protocol == "" {
		return l.protocols
	}
	i := slices.IndexFunc(l.protocols, func(p plugin.Protocol) bool { return p.Name() == l.config.Protocol })
	if i < 0 {
		return nil
	}
	return l.protocols[i : i+1]
}

// isUndecided reports whether more records may be read to decide between
// protocols. The limits depend on the records only, not on how much of the
// input has arrived, and the engine does not wait for a record beyond them.
func isUndecided(first []*source.Record) bool {
	size := 0
	for _, rec := range first {
		size += len(rec.Data)
	}
	return len(first) < undecidedRecords && size < undecidedBytes
}

// classify detects the kind of the conversation that a record begins. It returns
// the record, which stays valid when others are read.
func (r *run) classify(rec *source.Record) *source.Record {
	if rec.Conversation < 0 && r.detected < 0 {
		return rec
	}
	first, final := []*source.Record{rec}, false
	for i := 0; ; i++ {
		d := r.protocol.Classify(first, r.reader.Form(), r.linter.config, r.detection, final)
		if d.Kind != "" {
			r.detection = d
			return first[0]
		}
		if final {
			return first[0]
		}
		if i == 0 {
			first[0] = rec.Clone()
		}
		first, final = r.nextOfConversation(first, i)
	}
}

// nextOfConversation appends the pending record number i if it is of the same
// conversation, and reports whether none follows. Lists may be among the records of a
// text.
func (r *run) nextOfConversation(first []*source.Record, i int) (records []*source.Record, final bool) {
	next := r.peekRecord(i)
	switch {
	case next == nil || i >= maxPeeked:
		return first, true
	case next.Conversation == first[0].Conversation:
		return append(first, next), false
	}
	return first, first[0].Conversation >= 0
}

// peekRecord returns the pending record number i, which it reads if necessary,
// or nil if the input ends before.
func (r *run) peekRecord(i int) *source.Record {
	if last := len(r.pending) - 1; last >= 0 && last < i {
		r.pending[last] = r.pending[last].Clone() // it may be the reader's last one, which the next read invalidates
	}
	for len(r.pending) <= i && r.readErr == nil {
		rec, err := r.read()
		if err != nil {
			r.readErr = err
			return nil
		}
		r.pending = append(r.pending, rec.Clone())
	}
	if len(r.pending) <= i {
		return nil
	}
	return r.pending[i]
}
