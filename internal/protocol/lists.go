package protocol

import (
	"slices"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

// ListFollower decides which lists of records are parts of one stream, for a caller
// that has no session.
type ListFollower struct {
	tracker  *lmc.Tracker
	dialect  *schema.Dialect
	sawFlags bool // only a stream has them
}

// NewListFollower returns a follower of the first of several lists. A role or type that
// the dialect lacks counts as misspelled; nil is the first of [schema.Names].
func NewListFollower(d *schema.Dialect) *ListFollower {
	if d == nil {
		d, _ = schema.Lookup(schema.Names()[0])
	}
	isNote := func(language string) bool { return slices.Contains(d.NoteFormats, language) }
	return &ListFollower{tracker: lmc.NewTracker(isNote, func(*lmc.Event) {}), dialect: d}
}

// Add adds a record to the lists.
func (f *ListFollower) Add(src *source.Record) {
	if !isObject(src) {
		return
	}
	r := lmc.NewRecord(src)
	f.sawFlags = f.sawFlags || r.Flag() && r.Content == nil
	f.tracker.Step(r)
}

// Continues reports whether another list, which begins with a record, is a part of
// the same stream.
func (f *ListFollower) Continues(src *source.Record) bool {
	return f.sawFlags && isObject(src) && continuesList(f.tracker, f.dialect, src)
}

// continuesList reports whether the first record of a list, an object, continues the
// block that the list before left open, even if its role or type is misspelled, or the
// execution of its code.
func continuesList(t *lmc.Tracker, d *schema.Dialect, src *source.Record) bool {
	r := lmc.NewRecord(src)
	b := t.Started()
	if b == nil {
		return t.Continues(r) || t.ContinuesExecution(r)
	}
	isType := func(name string) bool { _, ok := d.Type(name); return ok }
	return !r.Start && (r.Content != nil || r.End) &&
		(r.Role == b.Role || !d.HasRole(r.Role) || !d.HasRole(b.Role)) && (r.Type == b.Type || !isType(r.Type) || !isType(b.Type))
}

// isStreamOfLists reports whether lists are parts of one stream whose first list shows
// too little: it ends with the start of a block that the next one continues, or its
// first records are broken, and there are many flags of both kinds.
func isStreamOfLists(records []*source.Record) bool {
	next := slices.IndexFunc(records, func(r *source.Record) bool { return r.Conversation != records[0].Conversation })
	if next < 0 {
		return false
	}
	return kindOfStart(records[:next], false) == "" && kindOfStart(records[:next+1], false) == KindStream ||
		hasBothFlags(records) && hasManyFlags(records[:min(len(records), flagWindow)])
}

// hasBothFlags reports whether the first record is a start, or several of the first
// are, and several others are ends.
func hasBothFlags(records []*source.Record) bool {
	starts, ends := 0, 0
	for _, src := range records[:min(len(records), flagWindow)] {
		switch r := lmc.NewRecord(src); {
		case r.Content != nil:
		case r.Start:
			starts++
		case r.End:
			ends++
		}
	}
	return lmc.NewRecord(records[0]).Start || starts > 1 && ends > 1
}
