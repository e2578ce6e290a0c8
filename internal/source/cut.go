package source

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

// Sizes that steer how a value's end is looked for, in bytes.
const (
	firstRetry   = 4 << 10 // a value that is not closed yet is checked again at this size, then at four times that
	SettledBytes = 2 * value.MaxWord
	contextBytes = 64 << 10 // how far the data of an unreadable record goes on behind what is wrong
	PrefixBytes  = 1 << 10  // how much is kept of a record that is too large
)

// piece is a value at the start of the unread input, as far as it was found.
type RawValue struct {
	value.Result
	TooLarge bool
	inside   bool                 // the bracket that should open the value is missing
	balance  value.BracketMatcher // for a value that is too large: how far it was followed
}

// cut finds the end of the value that the unread input begins with, and scans
// it. It waits for no more of the input than that takes. How the input comes
// in parts makes no difference to the outcome.
func (r *Cursor) Cut() RawValue {
	b := value.BracketMatcher{Python: r.Scan.Python}
	if p, decided := r.try(true); decided {
		p.balance = b
		return p
	}
	limit := int(r.Options.MaxRecordBytes)
	for retry := firstRetry; ; {
		rest := r.In.Rest()
		closed := b.Feed(rest[:min(len(rest), limit)])
		if closed || len(rest) >= retry || r.In.Complete() {
			if p, decided := r.try(closed || r.In.Complete()); decided {
				p.balance = b
				return p
			}
			retry = 4 * max(len(rest), retry)
		}
		retry = min(retry, limit+1)
		r.In.More()
	}
}

// try scans what has arrived. It does not decide while more of the input may
// change the outcome.
func (r *Cursor) try(build bool) (p RawValue, decided bool) {
	limit := int(r.Options.MaxRecordBytes)
	rest := r.In.Rest()
	data := rest[:min(len(rest), limit)]
	v := r.Scan.Scan(data, build)
	whole := r.In.Complete() && len(data) == len(rest)
	switch {
	case v.Stop == nil && (v.End < len(data) || whole || value.IsClosed(data[0])):
		if !build {
			v = r.Scan.Scan(data, true)
		}
		return RawValue{Result: v}, true
	case len(rest) > limit && (v.Stop == nil || v.Stop.Truncated):
		return RawValue{TooLarge: true}, true
	case v.Stop != nil && !v.Stop.Truncated:
		return RawValue{Result: r.settle(v, len(data))}, true
	}
	return RawValue{Result: v}, whole
}

// settle scans again what stopped a scan of so many bytes, if it stands so
// close to their end that more of the input may say more.
func (r *Cursor) settle(v value.Result, scanned int) value.Result {
	size := v.Stop.End + SettledBytes
	if scanned >= size || r.In.Complete() && scanned == len(r.In.Rest()) {
		return v
	}
	again := r.Scan.Check(r.In.Load(size))
	if again.Stop == nil || again.Stop.Truncated {
		return v
	}
	return again
}

// largeRecord makes a record of which only the first bytes are kept, and
// skips to where its value is closed. It reports whether the value is closed.
func (r *Cursor) largeRecord(p RawValue, pointer string, stop value.Fault) (rec *Record, closed bool) {
	size := stop.End
	if stop.Kind == value.RecordTooLarge {
		size = int(min(PrefixBytes, r.Options.MaxRecordBytes))
	}
	data := r.In.Rest()
	data = data[:max(stop.End, value.RuneStart(data, size))]
	r.kept = append(r.kept[:0], data...)
	rec = r.NewRecord(r.kept, pointer, value.Result{Faults: p.Faults, Stop: &stop})
	return rec, SkipBalanced(&r.In, &p.balance)
}

// tooLarge is the fault of a record over the limit.
func (r *Cursor) TooLarge() value.Fault {
	return value.Fault{
		Kind: value.RecordTooLarge, Start: 0, End: 1,
		Detail: fmt.Sprintf("the record is larger than %d bytes", r.Options.MaxRecordBytes),
	}
}

// skipBalanced skips the value that the unread input begins with, and of
// which b has seen some, in bounded memory. It reports false where the
// stretch ends, or a wrong bracket stands, before the value is closed.
func SkipBalanced(in *input.Input, b *value.BracketMatcher) bool {
	for {
		rest := in.Rest()
		if b.Feed(rest) {
			in.Skip(b.Size)
			return b.Closed
		}
		n := len(rest)
		if !in.Complete() {
			n = value.PartialRune(rest)
		}
		in.Skip(n)
		b.Size -= n
		if !in.More() {
			return false
		}
	}
}
