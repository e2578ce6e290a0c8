package lint

import (
	"errors"
	"io"
	"slices"

	"github.com/lmclint/lmclint/internal/plugin"
	"github.com/lmclint/lmclint/internal/source"
)

// Limits of what is read to decide between protocols that match equally many of the first
// records. They depend on the records only, not on how much of the input has arrived, and the
// engine does not wait for a record beyond them.
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
	for decided := false; !decided; {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		final := r.peek(len(r.pending)) == nil
		if code := new(source.CodeError); errors.As(r.readErr, &code) {
			return &UnknownInputError{Looks: code.Error()}
		}
		if final && !errors.Is(r.readErr, io.EOF) {
			return r.readErr
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
	if r.detection.Unreadable {
		r.stopAtUnreadable()
	}
	return nil
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
	case leader == nil || best.Kind == "" || tied && !final && len(first) < undecidedRecords && sizeOf(first) < undecidedBytes:
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

func sizeOf(records []*source.Record) (size int) {
	for _, rec := range records {
		size += len(rec.Data)
	}
	return size
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
