package source

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/source/value"
)

// Sizes that steer how a value's end is looked for, in bytes.
const (
	firstRetry   = 4 << 10 // a value that is not closed yet is checked again at this size, then at four times that
	settledBytes = 2 * value.MaxWord
	contextBytes = 64 << 10 // how far the data of an unreadable record goes on behind what is wrong
	prefixBytes  = 1 << 10  // how much is kept of a record that is too large
)

// piece is a value at the start of the unread input, as far as it was found.
type rawValue struct {
	value.Result
	tooLarge bool
	inside   bool                 // the bracket that should open the value is missing
	balance  value.BracketMatcher // for a value that is too large: how far it was followed
}

// cut finds the end of the value that the unread input begins with, and scans
// it. It waits for no more of the input than that takes. How the input comes
// in parts makes no difference to the outcome.
func (r *Reader) cut() rawValue {
	b := value.BracketMatcher{Python: r.scan.Python}
	if p, decided := r.try(true); decided {
		p.balance = b
		return p
	}
	limit := int(r.options.MaxRecordBytes)
	for retry := firstRetry; ; {
		rest := r.in.rest()
		closed := b.Feed(rest[:min(len(rest), limit)])
		if closed || len(rest) >= retry || r.in.complete() {
			if p, decided := r.try(closed || r.in.complete()); decided {
				p.balance = b
				return p
			}
			retry = 4 * max(len(rest), retry)
		}
		retry = min(retry, limit+1)
		r.in.more()
	}
}

// try scans what has arrived. It does not decide while more of the input may
// change the outcome.
func (r *Reader) try(build bool) (p rawValue, decided bool) {
	limit := int(r.options.MaxRecordBytes)
	rest := r.in.rest()
	data := rest[:min(len(rest), limit)]
	v := r.scan.Scan(data, build)
	whole := r.in.complete() && len(data) == len(rest)
	switch {
	case v.Stop == nil && (v.End < len(data) || whole || value.IsClosed(data[0])):
		if !build {
			v = r.scan.Scan(data, true)
		}
		return rawValue{Result: v}, true
	case len(rest) > limit && (v.Stop == nil || v.Stop.Truncated):
		return rawValue{tooLarge: true}, true
	case v.Stop != nil && !v.Stop.Truncated:
		return rawValue{Result: r.settle(v, len(data))}, true
	}
	return rawValue{Result: v}, whole
}

// settle scans again what stopped a scan of so many bytes, if it stands so
// close to their end that more of the input may say more.
func (r *Reader) settle(v value.Result, scanned int) value.Result {
	size := v.Stop.End + settledBytes
	if scanned >= size || r.in.complete() && scanned == len(r.in.rest()) {
		return v
	}
	again := r.scan.Check(r.in.load(size))
	if again.Stop == nil || again.Stop.Truncated {
		return v
	}
	return again
}

// largeRecord makes a record of which only the first bytes are kept, and
// skips to where its value is closed. It reports whether the value is closed.
func (r *Reader) largeRecord(p rawValue, pointer string, stop value.Fault) (rec *Record, closed bool) {
	size := stop.End
	if stop.Kind == value.RecordTooLarge {
		size = int(min(prefixBytes, r.options.MaxRecordBytes))
	}
	data := r.in.rest()
	data = data[:max(stop.End, value.RuneStart(data, size))]
	r.kept = append(r.kept[:0], data...)
	rec = r.newRecord(r.kept, pointer, value.Result{Faults: p.Faults, Stop: &stop})
	return rec, r.in.skipBalanced(&p.balance)
}

// tooLarge is the fault of a record over the limit.
func (r *Reader) tooLarge() value.Fault {
	return value.Fault{
		Kind: value.RecordTooLarge, Start: 0, End: 1,
		Detail: fmt.Sprintf("the record is larger than %d bytes", r.options.MaxRecordBytes),
	}
}

// skipBalanced skips the value that the unread input begins with, and of
// which b has seen some, in bounded memory. It reports false where the
// stretch ends, or a wrong bracket stands, before the value is closed.
func (in *input) skipBalanced(b *value.BracketMatcher) bool {
	for {
		rest := in.rest()
		if b.Feed(rest) {
			in.skip(b.Size)
			return b.Closed
		}
		n := len(rest)
		if !in.complete() {
			n = value.PartialRune(rest)
		}
		in.skip(n)
		b.Size -= n
		if !in.more() {
			return false
		}
	}
}
