package lint

import "github.com/lmclint/lmclint/internal/source"

// sort finds out of which kind the conversation is that a record begins. It
// returns the record, which stays valid when others are read.
func (r *run) sort(rec *source.Record) *source.Record {
	s, ok := r.protocol.(Classifier)
	if !ok || rec.Conversation < 0 {
		return rec
	}
	first, final := []*source.Record{rec}, false
	for {
		v := s.Classify(first, r.reader.Form(), r.linter.config, r.verdict, final)
		if v.Kind != "" {
			r.verdict = v
			return first[0]
		}
		if final {
			return first[0]
		}
		if len(first) == 1 {
			first[0] = rec.Clone()
		}
		next := r.peekRecord(len(first) - 1)
		if final = next == nil || next.Conversation != rec.Conversation; !final {
			first = append(first, next)
		}
	}
}

// ahead returns the record that so many others stand before, and nil if there
// is none.
func (r *run) peekRecord(others int) *source.Record {
	if last := len(r.pending) - 1; last >= 0 && last < others {
		r.pending[last] = r.pending[last].Clone() // it may be the one that was read last
	}
	for len(r.pending) <= others && r.failed == nil {
		rec, err := r.reader.Next()
		if err != nil {
			r.failed = err
			return nil
		}
		r.pending = append(r.pending, rec.Clone())
	}
	if len(r.pending) <= others {
		return nil
	}
	return r.pending[others]
}
